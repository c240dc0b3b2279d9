"""A standalone cluster with two workers: executors are processes of their own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark
import pytest

from tests.spark.elsewhere import check, run_elsewhere, written

pytestmark = [pytest.mark.spark, pytest.mark.server]

HOME = Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@contextmanager
def daemon(log: Path, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark's, for as long as it is needed."""
    environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    with log.open("wb") as out:
        process = subprocess.Popen([str(HOME / "bin" / "spark-class"), *command], env=environment, stdout=out, stderr=out)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(log: Path, text: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if text in log.read_text(errors="replace"):
            return
        time.sleep(0.1)
    pytest.skip(f"the cluster did not come up: {log.read_text(errors='replace')[-500:]}")


@contextmanager
def cluster(folder: Path) -> Iterator[str]:
    port = free_port()
    address = f"spark://127.0.0.1:{port}"
    log = folder / "master.log"
    at_home = ["--host", "127.0.0.1", "--webui-port", str(free_port())]
    with ExitStack() as stack:
        at = [*at_home, "--port", str(port)]
        process = stack.enter_context(daemon(log, "org.apache.spark.deploy.master.Master", *at))
        wait_for(log, "I have been elected leader", process)
        for number in range(2):
            own = folder / f"worker-{number}.log"
            given = ["--host", "127.0.0.1", "--webui-port", str(free_port()), "--cores", "1", "--memory", "700m"]
            given += ["--work-dir", str(folder / f"worker-{number}"), address]
            worker = stack.enter_context(daemon(own, "org.apache.spark.deploy.worker.Worker", *given))
            wait_for(own, "Successfully registered with master", worker)
        yield address


def test_on_two_workers(tmp_path: Path) -> None:
    items = written(tmp_path)
    with cluster(tmp_path) as address:
        found = run_elsewhere(address, tmp_path, SPARK_LOCAL_IP="127.0.0.1")
    assert found["executors"] == 2
    check(found, items)
