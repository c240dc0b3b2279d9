"""A Spark session for a command: started without noise, and only when one is needed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import click

from transom.cli.chatter import Chatter
from transom.cli.watching import ERASE
from transom.errors import MissingSession

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession

SHARDS = "spark.sql.shuffle.partitions"
LOCAL = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}


def default_shards() -> int:
    return 2 * (os.cpu_count() or 1)


def start_spark(master: str | None, conf: Mapping[str, str], *, debug: bool = False) -> SparkSession:
    """A session of our own."""
    from transom.spark.spark_session import new_session

    master = master or "local[*]"
    settings = {
        "spark.sql.streaming.numRecentProgressUpdates": "1000",
        **(LOCAL if master.startswith("local") else {}),
        **conf,
    }

    def start() -> SparkSession:
        spark = new_session(master, settings)
        spark.sparkContext.setLogLevel("WARN" if debug else "OFF")
        return spark

    return _started(start, debug=debug)


def session_lacks(master: str | None, remote: str | None, conf: Mapping[str, str], *, debug: bool = False) -> list[str]:
    """The settings that the session of a user lacks: one that a builder makes here, with nothing of ours."""
    from transom.spark.settings import diagnosis
    from transom.spark.spark_session import plain_session

    own = LOCAL if (remote or master or "").startswith("local") else {}
    spark = _started(lambda: plain_session(master, remote, {**own, "spark.ui.enabled": "false", **conf}), debug=debug)
    try:
        return diagnosis(spark)
    finally:
        with Chatter(debug=debug).taken():
            stop_spark(spark)


def _started(start: Callable[[], SparkSession], *, debug: bool) -> SparkSession:
    """A session that starts without noise; if it does not, MissingSession says why."""
    chatter = Chatter(debug=debug)
    if sys.stderr.isatty():
        click.echo("starting Spark ...", err=True, nl=False)
    try:
        with chatter.taken():
            return start()
    except Exception as error:
        told = next((line for line in reversed(chatter.last) if line.strip() and not line.startswith(("\t", " "))), str(error))
        raise MissingSession("Spark does not start", given=told, remedy="run transom doctor; --debug shows all") from error
    finally:
        if sys.stderr.isatty():
            click.echo(ERASE, err=True, nl=False)


def stop_spark(spark: Any) -> None:
    """End a session; what it has to say about that is of no interest."""
    with contextlib.suppress(Exception):
        spark.stop()
