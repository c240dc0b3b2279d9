"""CREATE TABLE and CREATE VIEW of a script that are Spark's alone, made where Spark does not know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transom.language.parse.syntax import CreateTable
from transom.language.script_text import Stated

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession


def tables(spark: SparkSession, statements: list[Stated]) -> None:
    """Make the tables of CREATE TABLE that Spark does not know."""
    from transom.spark.running.tables import make_table

    for one in statements:
        if isinstance(one.statement, CreateTable) and one.plan is None:
            make_table(spark, one.statement.name, one.statement.kind, one.text)
