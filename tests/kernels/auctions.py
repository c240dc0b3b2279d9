"""Auctions as seed 003 has them: what is opened and what is closed, each in its own order."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import transom as tr
from transom.plan.nodes.node import Node
from transom.reference.history import Arrival, Item

START = datetime(2026, 3, 1, 8, tzinfo=UTC)

STREAMS = """
CREATE STREAM opened (item BIGINT, price DOUBLE, ts TIMESTAMP) ORDER BY ts{opened} SOURCE FILE 'opened' FORMAT json;
CREATE STREAM closed (item BIGINT, final DOUBLE, buyer STRING, at TIMESTAMP) ORDER BY at{closed} SOURCE FILE 'closed' FORMAT json;
"""

HISTORY = "SELECT item, price FROM opened UNION{every} SELECT item, final FROM closed"


def history(opened: str = "", closed: str = "", every: str = " ALL", query: str = "{}") -> Node:
    """The price history of all items; each stream may have disorder clauses of its own."""
    return tr.sql(STREAMS.format(opened=opened, closed=closed) + query.format(HISTORY.format(every=every))).plan


def opening(item: int, price: float | None, seconds: float) -> Item:
    return Arrival({"item": item, "price": price, "ts": START + timedelta(seconds=seconds)})


def closing(item: int, price: float | None, seconds: float, buyer: str = "b") -> Item:
    return Arrival({"item": item, "final": price, "buyer": buyer, "at": START + timedelta(seconds=seconds)})


def random_auctions(seed: int, count: int = 40, disorder: float = 20.0) -> tuple[list[Item], list[Item]]:
    """Few items, prices and instants, so that some rows are equal in both streams, and some within one."""
    chance = random.Random(seed)

    def items(make: Callable[[int, float | None, float], Item]) -> list[Item]:
        made = []
        for _ in range(count):
            at = float(chance.randrange(60))
            price = chance.choice([1.0, 2.0, None])
            made.append((at + chance.uniform(0, disorder), make(chance.choice([1, 2]), price, at)))
        return [item for _, item in sorted(made, key=lambda one: one[0])]

    return items(opening), items(closing)
