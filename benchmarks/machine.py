"""What was measured, on what, and when."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from pyspark.sql import SparkSession

from benchmarks.conditions import Conditions

PACKAGES = ("transom", "pyspark", "pyarrow", "numpy", "pandas")
CHANGELOG = "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled"


def processor() -> str:
    """The name of the processor, where it can be told."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [text.split(":", 1)[1].strip() for text in lines if text.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def machine(spark: SparkSession, conditions: Conditions) -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "load": [round(each, 2) for each in os.getloadavg()],
        "versions": {
            "python": platform.python_version(),
            "java": spark._jvm.System.getProperty("java.version"),  # type: ignore[union-attr]
            **{name: version(name) for name in PACKAGES},
        },
        "master": spark.sparkContext.master,
        "driver_memory": conditions.memory,
        "shuffle_partitions": spark.conf.get("spark.sql.shuffle.partitions"),
        "changelog_checkpointing": spark.conf.get(CHANGELOG, "false"),
        "rows": conditions.rows,
        "repeats": conditions.repeats,
        "files": conditions.files,
        "files_per_trigger": conditions.files_per_trigger,
    }
