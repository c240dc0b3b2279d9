"""The Spark session a query runs in, and what it has to have."""

from __future__ import annotations

import os
import re
import socket
import sys
from typing import Any

from pyspark import __version__
from pyspark.sql import SparkSession

from transom.errors import MissingSession
from transom.plan.nodes.node import Node
from transom.plan.nodes.panes import Together
from transom.plan.nodes.relational import Scan

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
CHANGELOG = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"
PYTHON = "spark.pyspark.python"
BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
UNLIMITED = str(2**31 - 1)
SOCKETS = "spark.python.unix.domain.socket.enabled"
MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
BY_FILE_SYSTEM = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"

LOCAL = {"spark.shuffle.compress": "false"} | (
    {MANAGER: BY_FILE_SYSTEM} if tuple(map(int, __version__.split(".")[:2])) >= (4, 3) else {}
)
"""For one machine, with checkpoints on its disk. Before Spark 4.3 the class may be elsewhere."""


def session_of(plan: Node, spark: SparkSession | None = None) -> SparkSession:
    """The session given, that of the query's DataFrame, or the one that is active."""
    if spark is not None:
        return spark
    if isinstance(plan, Together):
        return session_of(plan.queries[0])
    frames: list[Any] = [node.stream.frame for node in plan.walk() if isinstance(node, Scan) and node.stream.frame is not None]
    if frames:
        found: SparkSession = frames[0].sparkSession
        return found
    active = SparkSession.getActiveSession()
    if active is None:
        raise MissingSession("there is no Spark session", remedy="make one: SparkSession.builder.getOrCreate()")
    return active


def prepare_session(spark: SparkSession) -> None:
    """State by blocks needs the RocksDB state store. Queries that run already are not affected.

    With a changelog a micro-batch writes what has changed into one small file instead of a copy of the store: about half of the
    time of a commit. Checkpoints of either kind can be gone on with under the other.

    A limit on the bytes of an Arrow batch makes Spark measure the batch anew for every row, which costs more than all else on
    the way to Python; batches stay limited by their rows (`spark.sql.execution.arrow.maxRecordsPerBatch`).
    """
    if spark.conf.get(PROVIDER, "") != ROCKSDB:
        spark.conf.set(PROVIDER, ROCKSDB)
    for name, value in ((CHANGELOG, "true"), (BYTES, UNLIMITED)):
        if spark.conf.get(name, value) == value:  # what was set stays as it is
            spark.conf.set(name, value)


def use_own_python(spark: SparkSession) -> None:
    """On one machine workers run the driver's interpreter, which has Transom, unless the user has named another."""
    if not isinstance(spark, SparkSession) or not sys.executable:  # Spark Connect
        return
    context, local = spark.sparkContext, re.compile(r"local(\[.*\])?")
    named = "PYSPARK_PYTHON" in os.environ or context.getConf().contains(PYTHON) or context.pythonExec != "python3"
    if not named and local.fullmatch(context.master or ""):
        context.pythonExec = sys.executable


def new_session(master: str = "local[*]", conf: dict[str, str] | None = None) -> SparkSession:
    """A session of our own: as many shards as twice the cores, RocksDB, workers with this very interpreter.

    On TCP a Python worker that gets little waits 40 ms for an acknowledgement that is held back (Nagle's algorithm), in each
    stage of each micro-batch; on Unix domain sockets it does not.

    Without its native library, Hadoop starts a process for each look at a link: on a local disk, some ten for every file of a
    checkpoint, which is a third of a micro-batch. Through the older interface to file systems it needs two.
    Two runs into one checkpoint at once are then told apart by a look whether a file is there, not by an atomic rename.

    What crosses an exchange on one machine is not compressed: slices are narrow already, and it takes a quarter of their way.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("transom")
    settings = {
        PROVIDER: ROCKSDB,
        CHANGELOG: "true",
        SOCKETS: str(hasattr(socket, "AF_UNIX")).lower(),
        **(LOCAL if master.startswith("local") else {}),
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(2 * (os.cpu_count() or 1)),
        "spark.sql.session.timeZone": "UTC",
        **(conf or {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    return session
