"""`transom state` and `transom rescale`: checkpoints from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from transom.cli.chatter import hushed
from transom.cli.printer import Printer
from transom.cli.spark import start_spark, stop_spark
from transom.errors import BadOption

NUMERIC = ("operator", "shard", "open_windows", "keys", "rows", "bytes", "blocks")


def show_state(checkpoint: str, form: str, master: str | None, conf: Mapping[str, str], *, debug: bool) -> None:
    """Print a row for each operator and shard, and their sums."""
    from transom.spark.checkpoints.folder import checkpoints_in

    checkpoints_in(checkpoint)
    spark = start_spark(master or "local[1]", {"spark.sql.shuffle.partitions": "1", **conf}, debug=debug)
    try:
        from transom.spark.checkpoints.state_frames import state_rows

        with hushed(debug=debug):
            rows = state_rows(spark, checkpoint)
    finally:
        stop_spark(spark)
    write_state(rows, Printer(form, sys.stdout))


def rescale_checkpoint(checkpoint: str, shards: int, master: str | None, conf: Mapping[str, str], *, debug: bool) -> None:
    """Give the query of a checkpoint another number of shards, and say how it goes on."""
    from transom.spark.checkpoints.folder import checkpoints_in

    checkpoints_in(checkpoint)
    if shards < 1:
        raise BadOption("shards is how many there are, at least one", given=f"--shards {shards}", remedy="give a whole number")
    spark = start_spark(master or "local[*]", {"spark.sql.shuffle.partitions": "2", **conf}, debug=debug)
    try:
        from transom.spark.checkpoints.rescaling import rescale

        with hushed(debug=debug):
            done = rescale(spark, checkpoint, shards)
    finally:
        stop_spark(spark)
    click.echo(f"{done.before} shards have become {done.shards}; transom run goes on as before, and from Python", err=True)
    folds = "" if done.frontier is None else f" and spark.transom.frontier={done.frontier}"
    click.echo(f"to_df(shards={done.shards}) with spark.sql.shuffle.partitions={done.shards}{folds}", err=True)
    click.echo(f"the old checkpoint is kept in {done.kept}", err=True)


def write_state(rows: Sequence[Mapping[str, Any]], printer: Printer) -> None:
    """The rows as they are, or for people as a table."""
    if not rows:
        printer.write(["no state: the query has no window, or nothing has arrived"] if printer.form == "table" else [])
        return
    names = [name for name in rows[0] if name != "query" or any(row["query"] for row in rows)]
    if printer.form == "jsonl":
        printer.rows("state", "", names, [], [[json.dumps(row, ensure_ascii=False)] for row in rows])
        return
    cells = [[_cell(row[name]) for name in names] for row in rows]
    if printer.form == "csv":
        printer.answer("state", names, cells)
        return
    printer.rows("state", "", names, [name in NUMERIC for name in names], cells)
    printer.write([f"{sum(row['rows'] or 0 for row in rows)} rows, {sum(row['bytes'] for row in rows)} bytes"])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(f"{one['key']}: {one['rows']}" for one in value)
    return str(value)
