"""A standalone cluster of our own on this machine: a master and workers, each a process, for as long as a test needs them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyspark
import pytest

HOME = Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@dataclass
class Cluster:
    """Its processes have sessions of their own, so that one can be killed with all that it has started."""

    folder: Path
    memory: str = "700m"
    address: str = ""
    master: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)
    started: int = 0

    def start(self, workers: int) -> None:
        port = free_port()
        self.address = f"spark://127.0.0.1:{port}"
        log = self.folder / "master.log"
        self.master = self._run(log, "org.apache.spark.deploy.master.Master", "--port", str(port))
        _wait_for(log, "I have been elected leader", self.master)
        for _ in range(workers):
            self.add_worker()

    def add_worker(self) -> subprocess.Popen[bytes]:
        log, place = self.folder / f"worker-{self.started}.log", self.folder / f"worker-{self.started}"
        self.started += 1
        given = ["--cores", "1", "--memory", self.memory, "--work-dir", str(place), self.address]
        worker = self._run(log, "org.apache.spark.deploy.worker.Worker", *given)
        self.workers.append(worker)
        _wait_for(log, "Successfully registered with master", worker)
        return worker

    def _run(self, log: Path, name: str, *given: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        command = [str(HOME / "bin" / "spark-class"), name, "--host", "127.0.0.1", "--webui-port", str(free_port()), *given]
        with log.open("wb") as out:
            return subprocess.Popen(command, env=environment, stdout=out, stderr=out, start_new_session=True)

    def stop(self) -> None:
        for one in (*self.workers, self.master):
            if one is not None:
                _stop(one)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for(log: Path, text: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        if text in log.read_text(errors="replace"):
            return
        time.sleep(0.1)
    pytest.skip(f"the cluster did not come up: {log.read_text(errors='replace')[-500:]}")


@contextmanager
def cluster(folder: Path, workers: int = 2, memory: str = "700m") -> Iterator[Cluster]:
    folder.mkdir(parents=True, exist_ok=True)
    made = Cluster(folder, memory)
    try:
        made.start(workers)
        yield made
    finally:
        made.stop()
