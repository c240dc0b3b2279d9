"""A Spark session for a command: started without noise, and only when one is needed."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
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

    chatter = Chatter(debug=debug)
    if sys.stderr.isatty():
        click.echo("starting Spark ...", err=True, nl=False)
    master = master or "local[*]"
    settings = {
        "spark.sql.streaming.numRecentProgressUpdates": "1000",
        **(LOCAL if master.startswith("local") else {}),
        **conf,
    }
    try:
        with chatter.taken():
            spark = new_session(master, settings)
            spark.sparkContext.setLogLevel("WARN" if debug else "OFF")
    except Exception as error:
        told = next((line for line in reversed(chatter.last) if line.strip() and not line.startswith(("\t", " "))), str(error))
        raise MissingSession("Spark does not start", given=told, remedy="run transom doctor; --debug shows all") from error
    finally:
        if sys.stderr.isatty():
            click.echo(ERASE, err=True, nl=False)
    return spark


def stop_spark(spark: Any) -> None:
    """End a session; what it has to say about that is of no interest."""
    with contextlib.suppress(Exception):
        spark.stop()
