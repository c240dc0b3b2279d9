"""What the state of a shard holds, from its blocks alone: no plan is needed, and nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AXIS, KEY
from transom.kernels.columns.arrays import codes_of, one_chunk
from transom.kernels.state.migration import QUERY, Migrated
from transom.kernels.state.store import Memory, opened

LARGEST = 3
"""Keys that are listed, with the rows of each."""
NO_RECORDS = ("counted", "numbers", "finished", "high", "there", "totals", "bodies", "values")
"""Blocks that hold a row for each key or partition instead of tuples or partials."""
APPLIED = "operator"
"""The head of an operator of `transom.windowing`, which keeps a block of bytes of its own for each key."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LIMIT = 2**60
"""Places beyond are no values: nothing yet, or everything."""


@dataclass(frozen=True)
class Summary:
    """What a shard holds. Places are texts: timestamps in UTC, or numbers."""

    kind: str
    frontier: str | None
    open_windows: int | None
    keys: int
    rows: int | None
    size: int
    oldest: str | None
    largest: tuple[tuple[str, int], ...]
    blocks: int
    plan: str | None


def summary(blocks: Mapping[str, bytes]) -> Summary | None:
    """What the blocks of a shard hold; None if there are none yet."""
    if APPLIED in blocks:
        return Summary(
            "AppliedOperator", None, None, len(blocks) - 1, None, sum(map(len, blocks.values())), None, (), len(blocks), None
        )
    memory = Memory()
    memory.blocks = dict(blocks)
    kept = Migrated(memory)
    tables, head, plan = {}, None, ""
    for name in blocks:
        if name != QUERY:
            tables[name], about = opened(kept.read(name) or b"")
            head, plan = (about["note"], about["plan"]) if name == "head" else (head, plan)
    if head is None:
        return None
    operator = head.get("operator") or {}
    records = [table for name, table in tables.items() if _holds_records(name) and table.num_rows]
    largest, keys = _keys(records, [table for name, table in tables.items() if name != "head"])
    return Summary(
        kind=str(operator.get("kind", "unknown: written in an earlier format")),
        frontier=_text(_frontier(head), operator),
        open_windows=operator.get("open"),
        keys=keys,
        rows=sum(table.num_rows for table in records),
        size=sum(map(len, blocks.values())),
        oldest=None if operator.get("numbered") else _text(_oldest(records), operator),
        largest=largest,
        blocks=len(blocks),
        plan=plan,
    )


def _holds_records(name: str) -> bool:
    return name != "head" and not name.endswith(("promises", "counts")) and not any(one in name for one in NO_RECORDS)


def _frontier(head: Mapping[str, Any]) -> Any:
    """That of the operator, or the smallest of its inputs."""
    inputs = [head["progress"]] if "progress" in head else [one["progress"] for one in head["inputs"]]
    return min(one["frontier"] for one in inputs)


def _oldest(records: list[pa.Table]) -> Any:
    """The smallest place; rows of row windows are at their numbers, which say nothing of time."""
    found = []
    for table in records:
        name = next((one for one in ("a", AXIS, "place") if one in table.column_names), None)
        if name is not None:
            places = one_chunk(table[name]).to_numpy()
            known = places[np.abs(places) < LIMIT]
            found += [known.min()] if len(known) else []
    return min(found, default=None)


def _text(place: Any, operator: Mapping[str, Any]) -> str | None:
    """A place as people read it."""
    if place is None or not abs(place) < LIMIT or not operator:
        return None
    if operator["time"]:
        try:
            return (EPOCH + timedelta(microseconds=int(place))).isoformat(sep=" ").removesuffix("+00:00")
        except OverflowError:
            return None
    factor = operator["factor"] or 1
    number = place / factor
    return str(int(number)) if number == int(number) else str(number)


def _keys(records: list[pa.Table], tables: list[pa.Table]) -> tuple[tuple[tuple[str, int], ...], int]:
    """The keys with most rows, and how many keys there are: in the records, or where there are none, in whatever has keys."""
    for chosen in (records, tables):
        names = max((tuple(_named(table)) for table in chosen), key=len, default=())
        pieces = [table.select(names) for table in chosen if names and set(names) <= set(table.column_names)]
        if pieces and sum(map(len, pieces)):
            whole = pa.concat_tables(pieces, promote_options="permissive").unify_dictionaries().combine_chunks()
            codes, _ = codes_of([one_chunk(whole[name]) for name in names], whole.num_rows)
            _, first, rows = np.unique(codes, return_index=True, return_counts=True)
            order = np.argsort(-rows, kind="stable")[:LARGEST]
            texts = whole.take(pa.array(first[order])).to_pylist()
            largest = zip(texts, rows[order].tolist(), strict=True)
            counted = tuple((", ".join(map(str, row.values())), n) for row, n in largest) if chosen is records else ()
            return counted, len(first)
    return (), 0


def _named(table: pa.Table) -> list[str]:
    return [name for name in table.column_names if name.startswith(KEY)]
