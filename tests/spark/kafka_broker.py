"""A Kafka broker of our own on this machine, as a process, for as long as a test needs it.

The jars come from Maven, into a cache beside the repository; where they are not to be had, tests are skipped.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark
import pytest

from transom.spark.sources.kafka import KAFKA_PACKAGE

CACHE = Path(os.environ.get("TRANSOM_CACHE", Path.home() / ".cache" / "transom"))
BROKER = ("org.apache.kafka:kafka_2.13:3.9.1", "org.slf4j:slf4j-nop:1.7.36")
OTHER_CONNECTOR = (
    "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0",
    "org.apache.spark:spark-token-provider-kafka-0-10_2.13:4.0.0",
    "org.apache.kafka:kafka-clients:3.9.1",
    "org.apache.commons:commons-pool2:2.12.0",
)
"""Older parts that fit together, for as long as those of this Spark are not published."""

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>transom</groupId><artifactId>jars</artifactId><version>1</version>
<dependencies>{}</dependencies></project>"""
DEPENDENCY = """<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>{}</dependency>"""
ALONE = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"


def jars(name: str, *packages: str, alone: bool = False) -> Path | None:
    """A folder with packages and, unless `alone`, what they need; None where they cannot be had."""
    folder = CACHE / name
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        return None
    work = CACHE / f".{name}.{uuid.uuid4().hex}"
    work.mkdir(parents=True)
    try:
        dependencies = (DEPENDENCY.format(*package.split(":"), ALONE if alone else "") for package in packages)
        (work / "pom.xml").write_text(POM.format("".join(dependencies)))
        command = [
            maven,
            "-q",
            "-B",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            f"-DoutputDirectory={work / 'jars'}",
        ]
        done = subprocess.run(command, cwd=work, capture_output=True, timeout=300, check=False)
        if done.returncode != 0:
            return None
        (work / "jars").rename(folder)
        return folder
    except (OSError, subprocess.SubprocessError):
        return None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def connector_jars() -> Path:
    """Spark's Kafka connector, of Spark's own version or, with a warning, of the newest that can be had."""
    own = jars(f"spark-kafka-{pyspark.__version__}", KAFKA_PACKAGE)
    if own is not None:
        return own
    other = jars("spark-kafka-4.2.0", *OTHER_CONNECTOR, alone=True)
    if other is None:
        pytest.skip(f"the Kafka connector is not to be had: neither {KAFKA_PACKAGE} nor {OTHER_CONNECTOR[0]}")
    warnings.warn(f"{KAFKA_PACKAGE} is not to be had; tested with {', '.join(OTHER_CONNECTOR)}", stacklevel=2)
    return other


@dataclass
class Broker:
    """A process that keeps its data in a folder, so it can be killed and started again."""

    folder: Path
    partitions: int = 3
    address: str = ""
    jars: Path | None = None
    process: subprocess.Popen[bytes] | None = None

    def java(self, name: str, *given: str) -> list[str]:
        """The command that runs a class of Kafka's."""
        return [shutil.which("java") or "java", "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{self.jars}/*", name, *given]

    def format(self) -> None:
        self.jars = jars("kafka-3.9.1", *BROKER)
        if self.jars is None or shutil.which("java") is None:
            pytest.skip("a Kafka broker is not to be had: it needs Java, and Maven with its central repository")
        self.folder.mkdir(parents=True, exist_ok=True)
        client, controller = _free_ports(2)
        self.address = f"127.0.0.1:{client}"
        settings = self.folder / "server.properties"
        settings.write_text(_settings(self.folder / "data", client, controller, self.partitions))
        given = ("format", "-t", "dHJhbnNvbS10ZXN0cy0wMQ", "-c", str(settings))
        subprocess.run(self.java("kafka.tools.StorageTool", *given), check=True, capture_output=True)

    def start(self) -> None:
        with (self.folder / "broker.log").open("ab") as log:
            command = self.java("kafka.Kafka", str(self.folder / "server.properties"))
            self.process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        _wait(int(self.address.rpartition(":")[2]), self.process)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def kafka_broker(folder: Path, partitions: int = 3) -> Iterator[str]:
    """A running broker that keeps its data in a folder; gives its address."""
    broker = Broker(folder, partitions)
    broker.format()
    try:
        broker.start()
        yield broker.address
    finally:
        broker.stop()


def _settings(data: Path, client: int, controller: int, partitions: int) -> str:
    values = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "listeners": f"PLAINTEXT://127.0.0.1:{client},CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": f"PLAINTEXT://127.0.0.1:{client}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "log.dirs": data,
        "num.partitions": partitions,
        "offsets.topic.replication.factor": 1,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "group.initial.rebalance.delay.ms": 0,
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def _wait(port: int, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.skip("the Kafka broker did not come up")
