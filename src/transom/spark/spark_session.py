"""The Spark session a query runs in, and what it has to have."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.sql import SparkSession

from transom.errors import MissingSession
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.panes import Together
from transom.spark.settings import SHARDS, settings_for

PYTHON = "spark.pyspark.python"


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


@contextmanager
def own_python(spark: SparkSession) -> Iterator[None]:
    """On one machine the workers of a query run the driver's interpreter, which has Transom, unless the user has named another.

    Spark takes the interpreter when a function is made, so it is set for as long as the query's functions are made.
    """
    if not isinstance(spark, SparkSession) or not sys.executable:  # Spark Connect
        yield
        return
    context, local = spark.sparkContext, re.compile(r"local(\[.*\])?")
    before = context.pythonExec
    named = "PYSPARK_PYTHON" in os.environ or context.getConf().contains(PYTHON) or before != "python3"
    if not named and local.fullmatch(context.master or ""):
        context.pythonExec = sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def new_session(master: str = "local[*]", conf: dict[str, str] | None = None) -> SparkSession:
    """A session of our own, with every setting that suits it (`settings`), and workers with this very interpreter."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master).appName("transom")
    settings = {
        **{one.name: one.value for one in settings_for(master)},
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        SHARDS: str(2 * (os.cpu_count() or 1)),
        "spark.sql.session.timeZone": "UTC",
        **(conf or {}),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    return session


def plain_session(master: str | None, remote: str | None, conf: dict[str, str]) -> SparkSession:
    """The session that a program of a user gets here: of this master or server, with these settings and the machine's own."""
    builder = SparkSession.builder.appName("transom")
    if remote is not None:
        builder = builder.remote(remote)
    elif master is not None:
        builder = builder.master(master)
    for name, value in conf.items():
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    return session
