"""Aggregates written in Python, from SQL and from the Python API, on the reference and on the kernels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import transom as tr
from tests.uda.on_kernels import BIDS, STREAM, check
from transom.errors import (
    BadAggregate,
    NotSupported,
)

PAGE = (Path(__file__).parents[2] / "docs" / "aggregates.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
AMOUNTS = [(1, 4.0, 1.0, 0), (2, 8.0, 2.0, 1), (1, 2.0, 3.0, 3), (1, 6.0, None, 5)]


RESULTS = [[(4.0,), (12.0,), (14.0,), (20.0,)], [(1, 2.5), (2, 8.0), (1, 2.5), (2, 8.0), (1, None)]]


@pytest.mark.parametrize(("example", "expected"), list(zip(EXAMPLES, RESULTS, strict=True)))
def test_the_examples_of_the_page(example: str, expected: list[tuple[Any, ...]]) -> None:
    """Each ends with a query."""
    columns = {"item": "BIGINT", "price": "DOUBLE", "amount": "DOUBLE", "t": "INT"}
    names = {"tr": tr, "bids": tr.stream(columns, order_by="t", name="bid")}
    made, query = example.strip().rsplit("\n", 1)
    exec(made, names)
    check(eval(query, names), expected, AMOUNTS)


def latest(returns: str = "DOUBLE") -> Any:
    @tr.aggregate(returns=returns)
    class change:  # noqa: N801
        """The difference to the tuple before."""

        def initialize(self, x: Any) -> None:
            self.last = x

        def iterate(self, x: Any) -> Any:
            gone, self.last = self.last, x
            return None if gone is None or x is None else x - gone

    return change


def test_tuple_at_a_time() -> None:
    latest()
    sql = tr.sql(f"{STREAM} SELECT item, change(price) AS up FROM bid GROUP BY item;")
    check(sql, [(1, -2.0), (2, -7.0)])


def test_the_python_api_makes_the_same_plan() -> None:
    change = latest()
    sql = tr.sql(f"{STREAM} SELECT item, change(price) OVER (PARTITION BY item ROWS UNBOUNDED PRECEDING) AS up FROM bid;")
    bids = tr.stream({"item": "BIGINT", "price": "DOUBLE", "t": "INT"}, order_by="t", name="bid")
    assert bids.select("item", up=change("price").over(unbounded="rows", partition_by="item")).plan == sql.plan


def test_windows_emit_and_expiry() -> None:
    @tr.aggregate(returns="DOUBLE", arguments=["DOUBLE"])
    class summed:  # noqa: N801
        def initialize(self, x: Any) -> Any:
            self.total = x or 0.0
            return self.total

        def iterate(self, x: Any) -> Any:
            self.total += x or 0.0
            return self.total

        def expire(self) -> None:
            self.total -= self.oldest() or 0.0  # type: ignore[attr-defined]
            self.emit(-1.0 * len(self.inwindow))  # type: ignore[attr-defined]

    check(
        tr.sql(f"{STREAM} SELECT summed(price) OVER (ROWS 1 PRECEDING) AS s FROM bid;"),
        [(4.0,), (12.0,), (10.0,), (2.0,), (1.0,), (17.0,)],
    )
    check(
        tr.sql(f"{STREAM} SELECT summed(price) OVER (RANGE 3 PRECEDING) AS s FROM bid;"),
        [(4.0,), (12.0,), (14.0,), (10.0,), (1.0,), (17.0,)],
    )
    active = tr.sql(f"{STREAM} SELECT summed(price) OVER (RANGE 3 PRECEDING ACTIVE EXPIRATION) AS s, event_ts AS at FROM bid;")
    check(active, [(4.0, 0), (12.0, 1), (-2.0, 3), (-1.0, 4)], BIDS[:2])


def test_states_of_stretches_are_combined() -> None:
    @tr.aggregate(returns={"low": "DOUBLE", "n": "BIGINT"})
    class lowest:  # noqa: N801
        def initialize(self, x: Any) -> None:
            self.low, self.n = x, 1

        def iterate(self, x: Any) -> None:
            self.low, self.n = min(self.low, x), self.n + 1

        def combine(self, other: Any) -> None:
            self.low, self.n = min(self.low, other.low), self.n + other.n

        def terminate(self) -> Any:
            return self.low, self.n

    bids = [one for one in BIDS if one[1] is not None]
    check(tr.sql(f"{STREAM} SELECT item, lowest(price) AS y FROM bid [RANGE 8 SLIDE 4] GROUP BY item;"), [
        (1, {"low": 2.0, "n": 2}), (2, {"low": 8.0, "n": 1}), (1, {"low": 2.0, "n": 2}), (2, {"low": 1.0, "n": 2}),
        (1, {"low": 16.0, "n": 1}), (2, {"low": 1.0, "n": 1}), (1, {"low": 16.0, "n": 1}),
    ], bids)  # fmt: skip


def test_a_class_without_the_methods() -> None:
    with pytest.raises(BadAggregate, match="no aggregate"):

        @tr.aggregate(returns="DOUBLE")
        class nothing:  # noqa: N801
            def iterate(self, x: Any) -> None: ...


def test_a_name_that_is_built_in() -> None:
    with pytest.raises(BadAggregate, match="built in"):
        tr.aggregate(returns="DOUBLE", name="median")(type("m", (), {"initialize": print, "iterate": print}))


def test_a_type_that_cannot_be_returned() -> None:
    with pytest.raises(NotSupported, match="ARRAY"):
        tr.aggregate(returns="ARRAY<INT>")
