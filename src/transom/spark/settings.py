"""The settings that Transom profits from: what each is for, and which of them a session lacks.

Nothing here is set on a session that a user has made. `tune` puts them into a builder, `missing` compares a session with them.
"""

from __future__ import annotations

import os
import re
import socket
from dataclasses import dataclass
from typing import Any

from pyspark import __version__
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from transom.errors import MissingSetting

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
CHANGELOG = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"
BYTES = "spark.sql.execution.arrow.maxBytesPerBatch"
SOCKETS = "spark.python.unix.domain.socket.enabled"
MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
BY_FILE_SYSTEM = "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
SHARDS = "spark.sql.shuffle.partitions"

SPARK = tuple(map(int, __version__.split(".")[:2]))
IN_MEMORY = "HDFSBackedStateStoreProvider"
"""Spark's default, which the stateful operators that keep a map of blocks refuse."""


@dataclass(frozen=True)
class Setting:
    """One setting: its value, and what it brings. `local`: on one machine alone. `core`: only before the session starts."""

    name: str
    value: str
    brings: str
    local: bool = False
    core: bool = False
    since: tuple[int, int] = (4, 0)

    def is_met(self, found: str | None) -> bool:
        """Whether a session that has this value needs nothing."""
        if self.name == BYTES:  # any other limit than Spark's own was chosen
            return found not in (None, "64m", "67108864b", "67108864")
        if self.name == SHARDS:
            return found != "200"
        return found == self.value


SETTINGS = (
    Setting(PROVIDER, ROCKSDB, "needed by joins, chained windows and spark.transom.state=blocks; keeps state off the JVM's heap"),
    Setting(
        CHANGELOG, "true", "a micro-batch commits what has changed instead of a copy of its state: half the time of a commit"
    ),
    Setting(
        BYTES,
        str(2**31 - 1),
        "Spark does not measure each Arrow batch anew for every row, which costs more than all else on the way to Python; "
        "batches stay limited by their rows",
    ),
    Setting(
        SOCKETS,
        str(hasattr(socket, "AF_UNIX")).lower(),
        "Python workers on Unix domain sockets: 40 ms less in each stage of each micro-batch",
        core=True,
    ),
    Setting(
        MANAGER,
        BY_FILE_SYSTEM,
        "checkpoints on a local disk without a process for each look at a link: 150 ms less in each micro-batch",
        local=True,
        core=True,
        since=(4, 3),
    ),
    Setting("spark.shuffle.compress", "false", "slices are narrow already: a quarter of the time of the exchange", True, True),
    Setting(SHARDS, str(2 * (os.cpu_count() or 1)), "shards as many as twice the cores; Spark's default is 200", local=True),
)


def settings_for(master: str | None, remote: str | None = None) -> list[Setting]:
    """The settings that suit where a session runs. A server that runs already takes no core settings."""
    place = remote or master or ""
    one_machine = re.fullmatch(r"local(\[.*\])?", place) is not None
    server = remote is not None and not one_machine
    return [one for one in SETTINGS if one.since <= SPARK and (one_machine or not one.local) and not (server and one.core)]


def tune(builder: Any) -> Any:
    """The builder with every setting that suits its master, but for those it has already."""
    given: dict[str, Any] = dict(getattr(builder, "_options", {}))
    remote = given.get("spark.remote", os.environ.get("SPARK_REMOTE"))
    for one in settings_for(given.get("spark.master"), remote):
        if one.name not in given:
            builder = builder.config(one.name, one.value)
    return builder


def missing(spark: SparkSession) -> list[Setting]:
    """The settings that a session lacks, of those that suit where it runs."""
    if isinstance(spark, SparkSession):
        master, remote = spark.sparkContext.master, None
    else:
        master, remote = None, _remote_of(spark)
    return [one for one in settings_for(master, remote) if not one.is_met(_value(spark, one.name))]


def diagnosis(spark: SparkSession) -> list[str]:
    """Two lines for each setting that a session lacks: the setting, and what it brings."""
    when = {True: "set it before the session starts", False: "set it at any time with spark.conf.set"}
    return [line for one in missing(spark) for line in (f"--  {one.name}={one.value}", f"      {one.brings}; {when[one.core]}")]


def _remote_of(spark: Any) -> str:
    """A server of this very process is on one machine; of another only its address is known."""
    return "local" if os.environ.get("SPARK_LOCAL_REMOTE") else "sc://"


def _value(spark: SparkSession, name: str) -> str | None:
    """A setting of a session, also a core setting, which is not among those of SQL; None if there is none."""
    try:
        return spark.conf.get(name)
    except PySparkException:
        return spark.sparkContext.getConf().get(name) if isinstance(spark, SparkSession) else None


def in_pipeline() -> bool:
    """Whether this is the query function of a declarative pipeline."""
    try:
        from pyspark.pipelines.graph_element_registry import get_active_graph_element_registry

        get_active_graph_element_registry()
    except (ImportError, PySparkException):
        return False
    return True


def keeps_blocks(spark: SparkSession) -> bool:
    """Whether the session has a state store for operators that keep their state in a map of blocks, as far as can be seen."""
    return not in_pipeline() and not (spark.conf.get(PROVIDER) or "").endswith(IN_MEMORY)


def check_state_store(spark: SparkSession) -> None:
    """Refuse a query that keeps its state in a map of blocks where the session has Spark's state store in memory."""
    found = spark.conf.get(PROVIDER) or ""
    if in_pipeline():
        return  # a flow has settings of its own, which cannot be seen from here
    if found.endswith(IN_MEMORY):
        raise MissingSetting(
            "this query keeps its state in RocksDB, and the session has another state store",
            given=f"{PROVIDER} = {found}",
            remedy=f'set it before to_df() or start(): spark.conf.set("{PROVIDER}", "{ROCKSDB}"); '
            "or make the session with tr.tune(SparkSession.builder).getOrCreate()",
        )
