"""`transom demo`: windows closing over a disordered stream, and what came too late."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from transom import minutes, rows, seconds
from transom.cli.traffic import readings
from transom.reference import Arrival, End, Item, Outcome, Query, Row, Stream, evaluate
from transom.semantics import Partitioned, RowWindow, Slack, Sliding

TRAFFIC = Stream(
    name="traffic",
    columns={"seg_id": "string", "speed": "double", "ts": "timestamp"},
    order_by="ts",
    generator=Slack(seconds(20)),
)

HI_LO = Query(
    window=Sliding(range=minutes(5), slide=minutes(1), wattr="ts"),
    group_by=("seg_id",),
    select={"seg_id": "seg_id", "hi": "max(speed)", "lo": "min(speed)", "n": "count(*)", "window_end": "window_end"},
)

LAST_TEN = Query(
    window=Partitioned(RowWindow(range=rows(10), slide=rows(5)), ("seg_id",)),
    select={"seg_id": "seg_id", "average": "avg(speed)", "n": "count(*)", "window_end": "window_end"},
)

INTRODUCTION = """\
The highest and lowest speed of each road segment over the past 5 minutes, every minute,
and the average of its last 10 readings, every 5. Readings arrive out of order; SLACK 20 SECONDS.
(Answered by the reference evaluator; the Spark engine is not part of this version.)
"""


def play(duration: float) -> None:
    """Show the stream and the results, each where it leaves."""
    items: list[Item] = [*readings(150), End()]
    by_time, by_rows = evaluate(HI_LO, TRAFFIC, items), evaluate(LAST_TEN, TRAFFIC, items)
    click.echo(INTRODUCTION)
    newest: Any = None
    for n, item in enumerate(items):
        if isinstance(item, Arrival):
            newest = _show_arrival(item, newest)
        for row in _left(by_rows, n):
            click.secho(f"    last 10 of {row['seg_id']}   average {row['average']:6.1f}   {_bar(row['average'])}", fg="cyan")
        for row in _left(by_time, n):
            span = f"until {row['window_end']:%H:%M}  {row['seg_id']}"
            click.secho(
                f"    {span}   {row['lo']:5.1f} to {row['hi']:5.1f}   {_bar(row['hi'], row['lo'])}  of {row['n']}", fg="green"
            )
        time.sleep(duration / len(items))
    _show_summary(by_time)


def _left(outcome: Outcome, item: int) -> Iterator[Row]:
    rows = [result.row for result in outcome.results if result.left_at == item]
    return iter(sorted(rows, key=lambda row: (row["window_end"], row["seg_id"])))


def _show_arrival(item: Arrival, newest: Any) -> Any:
    ts = item.values["ts"]
    behind = "" if newest is None or ts >= newest else f"   {(newest - ts).seconds} s behind"
    line = f"{ts:%H:%M:%S}  {item.values['seg_id']}  {item.values['speed']:5.1f}"
    click.echo(line + click.style(behind, fg="red" if behind and (newest - ts).seconds > 20 else "yellow"))
    return ts if newest is None else max(ts, newest)


def _bar(to: float, start: float = 0.0) -> str:
    first, last = round(start / 4), max(round(to / 4), round(start / 4) + 1)
    return (" " * first + "\u2588" * (last - first)).ljust(36)


def _show_summary(outcome: Outcome) -> None:
    counts = outcome.counts
    click.echo(
        f"\n{counts.arrived} readings in = {counts.used} used + {counts.dropped} dropped + {counts.outside} outside; "
        f"{counts.late} came more than 20 s late, {len(outcome.late)} of them missed a window:"
    )
    for late in outcome.late:
        click.secho(f"    {late.tuple['ts']:%H:%M:%S}  {late.tuple['seg_id']}  {late.tuple['speed']:5.1f}", fg="red")
