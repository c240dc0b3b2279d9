"""Whether somebody watches the queries of a session. Operators look at it in every micro-batch: at a file on this machine.

A query need not be started anew to be watched, and one that nobody watches pays for one look at a file in each micro-batch of
each shard. Where executors run on other machines, `spark.transom.watch=always` has operators report from the start.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONF = "spark.transom.watch"
NEVER, ALWAYS = "never", "always"

_watching: Counter[Path] = Counter()
_lock = threading.Lock()


def watch_of(spark: Any) -> str:
    """Where the operators of a session look: `always`, `never`, or a file that is there while somebody watches."""
    from pyspark.sql import SparkSession

    said = spark.conf.get(CONF, None)
    if said in (ALWAYS, NEVER):
        return str(said)
    return str(_flag(spark)) if isinstance(spark, SparkSession) else NEVER


def is_watched(watch: str) -> bool:
    """Whether somebody watches now; this is what runs on executors."""
    return watch == ALWAYS or (watch != NEVER and os.path.exists(watch))


def watch(spark: SparkSession) -> Callable[[], None]:
    """Have operators report in detail from the next micro-batch on. Several may watch: each calls the answer in the end.

    Over Spark Connect they report as `spark.transom.watch` says: they may run on another machine.
    """
    from pyspark.sql import SparkSession

    if not isinstance(spark, SparkSession):
        return _look_nowhere
    flag = _flag(spark)
    with _lock:
        _watching[flag] += 1
        flag.touch()
    return partial(_look_away, flag)


def _look_nowhere() -> None:
    """There is no file to take away."""


def _look_away(flag: Path) -> None:
    with _lock:
        _watching[flag] -= 1
        if _watching[flag] <= 0:
            del _watching[flag]
            with contextlib.suppress(OSError):
                flag.unlink(missing_ok=True)


def _flag(spark: SparkSession) -> Path:
    return Path(tempfile.gettempdir()) / f"transom-watched-{os.getuid()}-{spark.sparkContext.applicationId}"
