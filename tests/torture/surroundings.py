"""Where a round runs, and what else happens to it there: executors, machines, a disk and a broker that fail.

Each gives the surroundings for a round, or raises `OutOfReach` (servers skip) where this machine does not have what it needs.
"""

from __future__ import annotations

import contextlib
import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from tests.spark.kafka_broker import Broker
from tests.spark.standalone import cluster
from tests.torture import faults
from tests.torture.queries import KAFKA_TOPIC, kafka_rows


class OutOfReach(Exception):
    """A fault needs what this machine does not have."""


@dataclass
class Surroundings:
    """A master, the environment of the driver, and one more fault, which says what it did."""

    master: str = "local[2]"
    environment: dict[str, str] = field(default_factory=dict)
    fault: Callable[[random.Random, int], str | None] | None = None
    often: float = 0.0
    leaders: Callable[[], list[int]] = list
    """Sessions of processes other than the driver's, whose Python workers may be killed as well."""
    kinds: tuple[str, ...] = ()
    """Queries that run nowhere else."""


Made = Callable[[SparkSession, Path, tuple[str, ...]], AbstractContextManager[Surroundings]]


@contextmanager
def one_machine(_: SparkSession, __: Path, ___: tuple[str, ...]) -> Iterator[Surroundings]:
    yield Surroundings()


@contextmanager
def two_executors(_: SparkSession, __: Path, ___: tuple[str, ...]) -> Iterator[Surroundings]:
    def kill(rng: random.Random, driver: int) -> str | None:
        return "kill -9 executor" if faults.kill_one([driver], faults.is_executor, rng) else None

    yield Surroundings("local-cluster[2,1,700]", fault=kill, often=0.3)


@contextmanager
def two_machines(_: SparkSession, folder: Path, __: tuple[str, ...]) -> Iterator[Surroundings]:
    """A standalone cluster, which loses a worker with all that runs on it; another one comes a little later."""
    with cluster(folder / "cluster") as made:

        def lose(rng: random.Random, _: int) -> str | None:
            gone = made.workers.pop(rng.randrange(len(made.workers)))
            faults.kill_all(gone)
            time.sleep(rng.uniform(0.5, 2.0))
            made.add_worker()
            return "kill -9 standalone worker, with its executors"

        leaders = lambda: [one.pid for one in made.workers]  # noqa: E731
        yield Surroundings(made.address, {"SPARK_LOCAL_IP": "127.0.0.1"}, lose, 0.15, leaders)


@contextmanager
def full_disk(_: SparkSession, folder: Path, kinds: tuple[str, ...]) -> Iterator[Surroundings]:
    """The first query has its checkpoint and its files on a small disk, which fills up and has room again."""
    disk = folder / kinds[0].replace(" ", "-")
    if not faults.mount(disk):
        raise OutOfReach("a full disk needs the right to mount one")

    def fill(rng: random.Random, _: int) -> str:
        ballast = disk / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as out:
            while True:
                out.write(bytes(4096))
        time.sleep(rng.uniform(1.0, 4.0))
        ballast.unlink()
        return "disk full"

    try:
        yield Surroundings(fault=fill, often=0.2)
    finally:
        faults.unmount(disk)


@contextmanager
def broker(spark: SparkSession, folder: Path, _: tuple[str, ...]) -> Iterator[Surroundings]:
    """A topic, and a broker that is killed and comes back."""
    jars = spark.conf.get("spark.jars", "")
    if not jars:
        raise OutOfReach("a Kafka broker needs Maven with its central repository")
    server = Broker(folder / "broker", partitions=2)
    try:
        server.format()
        server.start()
        kafka_rows(spark, server.address, seed=len(str(folder)))
        place = folder / KAFKA_TOPIC / "in"
        place.mkdir(parents=True)
        (place / "topic.json").write_text(json.dumps({"address": server.address}))

        def restart(rng: random.Random, _: int) -> str:
            server.kill()
            time.sleep(rng.uniform(0.5, 3.0))
            server.start()
            return "kill -9 Kafka broker"

        yield Surroundings(environment={"TORTURE_JARS": jars}, fault=restart, often=0.15, kinds=(KAFKA_TOPIC,))
    finally:
        server.stop()
