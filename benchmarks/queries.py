"""The queries, as Transom is asked them."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame

import transom as tr
from benchmarks.data import SLIDE
from transom import rows, seconds

BODIES = Path(__file__).parent / "bodies"


def sliding(overlap: int):
    """Sum, maximum and count per key over windows that overlap so many times."""

    def query(frame: DataFrame) -> DataFrame:
        return windowed(frame, overlap).to_df()

    return query


def windowed(frame: DataFrame, overlap: int):
    """The same as a relation."""
    window = tr.stream(frame, order_by="ts").window(range=seconds(overlap * SLIDE), slide=seconds(SLIDE))
    return window.group_by("k").agg(s=tr.sum("v"), m=tr.max("v"), n=tr.count(), end="window_end")


def tolerant(overlap: int, shards: int | None = None, **tolerated):
    """The same on a stream in disorder."""

    def query(frame: DataFrame) -> DataFrame:
        window = tr.stream(frame, order_by="ts").window(range=seconds(overlap * SLIDE), slide=seconds(SLIDE))
        grouped = window.tolerate(**tolerated).group_by("k")
        return grouped.agg(s=tr.sum("v"), m=tr.max("v"), n=tr.count(), end="window_end").to_df(shards=shards)

    return query


def together(overlaps: tuple[int, ...]):
    """Windows of several lengths, in one query."""

    def query(frame: DataFrame) -> DataFrame:
        return tr.together(*(windowed(frame, overlap) for overlap in overlaps)).to_df()

    return query


def over(length: int):
    """Mean and maximum of the last rows of each key, as OVER frames."""
    frame_of = f"OVER (PARTITION BY k ROWS {length - 1} PRECEDING)"
    text = f"SELECT k, ts, avg(v) {frame_of} AS a, max(v) {frame_of} AS m FROM s"

    def query(frame: DataFrame) -> DataFrame:
        return tr.sql(text, s=tr.stream(frame, order_by="ts")).to_df()

    return query


def written(length: int):
    """The mean of the last rows of each key, as an aggregate written in SQL."""
    body = (BODIES / "average.sql").read_text(encoding="utf-8")
    text = f"{body} SELECT k, ts, average_a(v) OVER (PARTITION BY k ROWS {length - 1} PRECEDING) AS a FROM s"

    def query(frame: DataFrame) -> DataFrame:
        return tr.sql(text, s=tr.stream(frame, order_by="ts")).to_df()

    return query


def row_window(length: int):
    """The same as a window of rows."""

    def query(frame: DataFrame) -> DataFrame:
        window = tr.stream(frame, order_by="ts").window(range=rows(length), pattr="k")
        return window.select("k", a=tr.avg("v"), m=tr.max("v")).to_df()

    return query


def tumbling(frame: DataFrame) -> DataFrame:
    """Sum and count per key over windows that follow each other."""
    return _by_key(frame).to_df()


def changes_of_tumbling(frame: DataFrame) -> DataFrame:
    """The rows of that result which are new at each instant."""
    return _by_key(frame).istream().to_df()


def _by_key(frame: DataFrame):
    window = tr.stream(frame, order_by="ts").window(range=seconds(SLIDE), slide=seconds(SLIDE))
    return window.group_by("k").agg(s=tr.sum("v"), n=tr.count())
