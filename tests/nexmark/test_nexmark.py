"""Nexmark, q0 to q22: each answer of the reference against DuckDB's over the same events.

A query's second line says how answers are compared: `rows` as they are; `latest per k`, of an updating result, the last row of
each key; `net`, what has appeared less what has disappeared. The latter two look at the moment of the last event.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.nexmark.generator import Event, events
from tools import nexmark_page
from transom.language import bind_script
from transom.plan.nodes.node import Node
from transom.plan.sql.render import render
from transom.reference.history import Arrival, End
from transom.reference.relations.relation_answer import Relations

QUERIES = Path(__file__).parent / "queries"
NUMBERS = range(23)
SIDE = [{"code": 0, "label": "zero"}, {"code": 1, "label": "one"}, {"code": 3, "label": "three"}]
SIZES = {3: 120, 4: 90, 6: 90, 7: 120, 9: 120, 18: 80, 19: 50, 20: 100}
"""How many events: those that compare all pairs at every instant get fewer."""

Bag = Counter[tuple[Any, ...]]


def text_of(number: int) -> str:
    return (QUERIES / f"q{number}.sql").read_text()


def comparison(number: int) -> str:
    return text_of(number).splitlines()[1].removeprefix("-- compare: ")


def plan_of(number: int, text: str | None = None) -> Node:
    return bind_script((QUERIES / "streams.sql").read_text() + (text or text_of(number))).queries[-1]


def plain(value: Any) -> Any:
    """Values as both know them."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None) if value.tzinfo is None else value.astimezone(UTC).replace(tzinfo=None)
    return round(value, 6) if isinstance(value, float) else value


def bag(rows: Iterable[Iterable[Any]]) -> Bag:
    return Counter(tuple(plain(value) for value in row) for row in rows)


def by_duckdb(number: int, given: list[Event]) -> Bag:
    with duckdb.connect() as database:
        database.execute("SET TimeZone = 'UTC'")
        for stream in ("person", "auction", "bid"):
            table = pa.Table.from_pylist([event.row for event in given if event.stream == stream])
            database.register(stream, table)
        database.register("side", pa.Table.from_pylist(SIDE))
        return bag(database.execute((QUERIES / f"q{number}.duckdb.sql").read_text()).fetchall())


def answers(plan: Node, given: list[Event]) -> list[dict[str, Any]]:
    """With event_ts, in the order in which they leave."""
    timeline: list[tuple[str, Any]] = [(event.stream, Arrival(event.row, event.row["ts"])) for event in given]
    ends = [(stream, End()) for stream in ("person", "auction", "bid")]
    return [dict(one.row) for one in Relations(plan, [*timeline, *ends], {"side": SIDE}, []).results()]


def compared(number: int, last: Any, rows: Callable[[str], list[dict[str, Any]]], names: list[str]) -> Bag:
    """An answer, as its second line says that answers are compared; `rows` are those of a query, with event_ts."""
    how, text = comparison(number), text_of(number)
    if how.startswith("rows"):
        return bag([row[name] for name in names] for row in rows(text))
    seen = [row for row in rows(text) if row["event_ts"] <= last]
    if how.startswith("latest per "):
        keys = how.removeprefix("latest per ").split(", ")
        latest = {tuple(row[key] for key in keys): [row[name] for name in names] for row in seen}
        return bag(latest.values())
    assert how == "net"
    gone = [row for row in rows(text.replace("ISTREAM", "DSTREAM")) if row["event_ts"] <= last]
    return bag([row[name] for name in names] for row in seen) - bag([row[name] for name in names] for row in gone)


def by_reference(number: int, given: list[Event]) -> Bag:
    names = plan_of(number).schema.names
    return compared(number, given[-1].row["ts"], lambda text: answers(plan_of(number, text), given), names)


@pytest.mark.parametrize("number", [n for n in NUMBERS if "not on the reference" not in comparison(n)])
def test_the_reference_and_duckdb_agree(number: int) -> None:
    given = events(SIZES.get(number, 200))
    want = by_duckdb(number, given)
    assert by_reference(number, given) == want
    assert want


@pytest.mark.parametrize("number", NUMBERS)
def test_a_query_says_what_it_asks_and_can_be_bound(number: int) -> None:
    first = text_of(number).splitlines()[0]
    assert first.startswith("-- ")
    assert first.endswith((".", "?", ".)"))
    plan = plan_of(number)
    if "CREATE" not in text_of(number):
        assert bind_script((QUERIES / "streams.sql").read_text() + render(plan)).queries == [plan]
    assert by_duckdb(number, events(60)) is not None


def test_events_are_the_same_every_time() -> None:
    assert events(100) == events(100)
    assert Counter(event.stream for event in events(100)) == {"person": 10, "auction": 20, "bid": 70}


def test_the_page_shows_each_query() -> None:
    page = (Path(__file__).parents[2] / "docs" / "nexmark.md").read_text()
    assert page == nexmark_page.page(), "make nexmark"
