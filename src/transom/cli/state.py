"""`transom state`: what the state in a checkpoint holds."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from transom.cli.chatter import hushed
from transom.cli.printer import Printer
from transom.cli.spark import start_spark, stop_spark

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
    printer.write([f"{sum(row['rows'] for row in rows)} rows, {sum(row['bytes'] for row in rows)} bytes"])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        return "; ".join(f"{one['key']}: {one['rows']}" for one in value)
    return str(value)
