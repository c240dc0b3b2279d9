"""Random queries in SQL, with random disordered tuples for them. Everything follows from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

import transom as tr
from transom.disorder.slack import Slack
from transom.fluent.relation import Relation

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Domain:
    """What a stream is ordered by: its type, the value at a place, a length in SQL and in Python."""

    spark: str
    arrow: pa.DataType
    value: Callable[[int], Any]
    text: Callable[[int], str]
    length: Callable[[int], Any]


DOMAINS = [
    Domain(
        "TIMESTAMP",
        pa.timestamp("us", "UTC"),
        lambda n: EPOCH + timedelta(seconds=n),
        lambda n: f"{n} SECONDS",
        tr.seconds,
    ),
    Domain("BIGINT", pa.int64(), lambda n: n, str, lambda n: n),
    Domain("DOUBLE", pa.float64(), lambda n: n / 4, lambda n: str(n / 4), lambda n: n / 4),
    Domain(
        "DECIMAL(12,2)",
        pa.decimal128(12, 2),
        lambda n: Decimal(n) / 10,
        lambda n: str(Decimal(n) / 10),
        lambda n: Decimal(n) / 10,
    ),
    Domain("DATE", pa.date32(), lambda n: date(1970, 1, 1) + timedelta(days=n), lambda n: f"{n} DAYS", tr.days),
]

AGGREGATES = [
    "count(*)",
    "sum(v)",
    "min(v)",
    "max(t)",
    "avg(d)",
    "sum(d)",
    "max(d)",
    "count(d)",
    "count(DISTINCT v)",
    "stddev(v)",
    "sum(v) + count(*)",
    "min(upper(t))",
]

MERGING = [name for name in AGGREGATES if "DISTINCT" not in name]


def window(rng: random.Random, domain: Domain) -> tuple[str, bool]:
    """A bracket, and whether windows have a column `wid` worth selecting."""
    r, s = rng.randint(1, 12), rng.randint(1, 6)
    length = domain.text
    partition = " PATTR k" if rng.random() < 0.5 else ""
    kinds = [
        f"RANGE {length(r)} SLIDE {length(s)}",
        f"TUMBLE {length(r)}",
        f"RANGE {length(r)} SLIDE {length(s)} OFFSET {length(rng.randint(1, 5))}",
        f"RANGE {length(r)} SLIDE {length(s)} LAG {length(rng.randint(1, 4))}",
        f"RANGE {length(r)}",
        f"RANGE {rng.randint(1, 5)} ROWS SLIDE {rng.randint(1, 3)} ROWS{partition}",
        f"RANGE {rng.randint(1, 5)} ROWS SLIDE {rng.randint(1, 3)} ROWS WATTR rank(a){partition}",
        f"RANGE {length(r)} RATTR a SLIDE 1 ROW{partition}",
        f"LANDMARK SLIDE {length(s)}",
        f"LANDMARK EVERY {length(4 * s)} SLIDE {length(s)}",
        f"SESSION GAP {length(rng.randint(1, 3))}{partition}",
        "NOW",
    ]
    text = rng.choice(kinds)
    return (f"{text} WHERE v > 2" if rng.random() < 0.2 else text), "RATTR" not in text


def query(rng: random.Random, domain: Domain) -> str:
    """A SELECT over the stream `s`."""
    where = " WHERE v IS NULL OR v < 9" if rng.random() < 0.3 else ""
    if rng.random() < 0.15:
        frame = f"RANGE {domain.text(rng.randint(1, 6))} PRECEDING" if domain.spark != "DATE" and rng.random() < 0.5 else None
        frame = frame or f"ROWS {rng.randint(0, 4)} PRECEDING"
        by = "PARTITION BY k " if rng.random() < 0.6 else ""
        return f"SELECT k, v, a, sum(v) OVER ({by}ORDER BY a {frame}) AS y0 FROM s{where}"
    bracket, named = window(rng, domain)
    aggregates = rng.sample(AGGREGATES if rng.random() < 0.3 and "LANDMARK" not in bracket else MERGING, rng.randint(1, 4))
    items = [f"{text} AS y{n}" for n, text in enumerate(aggregates)]
    if named and rng.random() < 0.7:
        items = ["window_start", "window_end", *items]
    group = ""
    if "PATTR k" in bracket:
        items = ["k", *items]
    elif rng.random() < 0.6:
        items, group = ["k", *items], " GROUP BY k"
    having = f" HAVING count(*) > {rng.randint(0, 2)}" if rng.random() < 0.25 else ""
    return f"SELECT {', '.join(items)} FROM s [{bracket}]{where}{group}{having}"


def clauses(rng: random.Random, domain: Domain) -> dict[str, Any]:
    """How the stream tolerates disorder."""
    kind = rng.random()
    given: dict[str, Any] = {}
    if kind < 0.5:
        given["slack"] = domain.length(rng.randint(0, 8))
    elif kind < 0.7:
        given["slack"] = tr.rows(rng.randint(1, 5))
    if rng.random() < 0.25:
        given["late"] = "consistent"
    return given


def tuples(rng: random.Random, domain: Domain, count: int) -> list[dict[str, Any]]:
    """Tuples whose order column rises, with jumps back and holes."""
    place, made = rng.choice([-30, 0, 1000]), []
    for _ in range(count):
        place += rng.choice([0, 0, 1, 1, 1, 2, 9])
        at = place - (rng.randint(0, 12) if rng.random() < 0.3 else 0)
        row = {
            "k": rng.choice(["x", "y", "z", None]),
            "v": rng.choice([None, *range(10)]),
            "d": rng.choice([None, 0.25, -1.5, 3.0, 0.1, 1e16]),
            "t": rng.choice([None, "a", "B", "ab", "é"]),
            "b": rng.choice([None, True, False]),
            "a": None if rng.random() < 0.05 else domain.value(at),
        }
        made.append(row)
    return made


@dataclass(frozen=True)
class Case:
    """A query, its stream, and tuples cut into micro-batches."""

    domain: Domain
    sql: str
    clauses: dict[str, Any]
    batches: list[list[dict[str, Any]]]

    def table(self, rows: list[dict[str, Any]]) -> pa.Table:
        types = {
            "k": pa.string(),
            "v": pa.int64(),
            "d": pa.float64(),
            "t": pa.string(),
            "b": pa.bool_(),
            "a": self.domain.arrow,
        }
        return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()})

    def query(self, frame: Any) -> Relation:
        return tr.sql(self.sql, s=tr.stream(frame, order_by="a", name="s", **self.clauses))

    def __str__(self) -> str:
        given = {name: str(one.slack) if isinstance(one, Slack) else str(one) for name, one in self.clauses.items()}
        return f"{self.sql} -- {self.domain.spark} {given} {[len(batch) for batch in self.batches]}"


def case(seed: int) -> Case:
    rng = random.Random(seed)
    domain = DOMAINS[seed % len(DOMAINS)]
    rows = tuples(rng, domain, rng.randint(20, 70))
    cuts = sorted(rng.randint(0, len(rows)) for _ in range(rng.randint(0, 2)))
    batches = [rows[start:end] for start, end in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
    return Case(domain, query(rng, domain), clauses(rng, domain), batches)
