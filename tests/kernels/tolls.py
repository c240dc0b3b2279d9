"""The toll query of seed 001, figure 6: active vehicles joined with congested segments, at the same instant."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import transom as tr
from transom.plan.nodes.node import Node
from transom.reference.history import Arrival, Item

START = datetime(2026, 3, 1, 8, tzinfo=UTC)

SENSORS = (
    "CREATE STREAM sensors (vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP) ORDER BY ts SOURCE FILE 'sensors' FORMAT json;"
)

ACTIVE = (
    "CREATE STREAM active AS SELECT vehicle, seg FROM sensors [RANGE 30 SECONDS SLIDE 30 SECONDS{active}] GROUP BY vehicle, seg;"
)

CONGESTED = """
CREATE STREAM congested AS
  SELECT seg, avg(speed) AS mean FROM sensors [RANGE 120 SECONDS SLIDE 30 SECONDS{congested}]
  GROUP BY seg HAVING avg(speed) < 40;
"""

TOLL = """
SELECT active.vehicle, active.seg, mean, event_ts
FROM active {side}JOIN congested ON active.seg = congested.seg AND active.event_ts = congested.event_ts
"""


def toll(active: str = "", congested: str = "", side: str = "") -> Node:
    """The query; each branch may have disorder clauses, a LAG or a window of its own."""
    script = SENSORS + ACTIVE.format(active=active) + CONGESTED.format(congested=congested) + TOLL.format(side=side)
    return tr.sql(script).plan


def report(vehicle: str, seg: int | None, speed: float, seconds: float) -> Item:
    return Arrival({"vehicle": vehicle, "seg": seg, "speed": speed, "ts": START + timedelta(seconds=seconds)})


def rush_hour() -> list[Item]:
    """Segment 1 is congested for two minutes and free again after four; segment 2 never is."""
    items = []
    for n in range(20):
        at = 15 + 30 * n
        items += [report("a", 1, 20.0 if n < 4 else 70.0, at), report("b", 2, 60.0, at + 1)]
    return items


def random_traffic(seed: int, count: int = 60, disorder: float = 40.0) -> list[Item]:
    chance = random.Random(seed)
    items: list[tuple[float, Item]] = []
    for _ in range(count):
        at = chance.uniform(0, 900)
        values = (chance.choice("abcd"), chance.choice([1, 2, 3, None]), chance.uniform(10, 80))
        items.append((at + chance.uniform(0, disorder), report(*values, at)))
    return [item for _, item in sorted(items, key=lambda pair: pair[0])]


def cut(items: Sequence[Item], chance: random.Random, count: int) -> list[list[Item]]:
    """The items in order, in this many micro-batches, some of them empty."""
    places = sorted(chance.randint(0, len(items)) for _ in range(count - 1))
    return [list(items[start:end]) for start, end in zip([0, *places], [*places, len(items)], strict=True)]


def rows(plan: Node, results: Sequence[Any]) -> list[dict[str, Any]]:
    return [{name: one.row[name] for name in plan.schema.names} for one in results]
