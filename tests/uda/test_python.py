"""Aggregates written in Python, from SQL and from the Python API, on the reference and on the kernels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transom as tr
from transom.errors import (
    AggregateFailed,
    ArithmeticOverflow,
    BadAggregate,
    NotPicklable,
    NotSupported,
    ReadOnlyTable,
    TransomError,
    WrongReturn,
)
from transom.fluent import Relation
from transom.fluent.aggregates import REGISTERED
from transom.reference.history import Arrival, End
from transom.reference.of_plan import lower
from transom.testing import answer
from transom.testing.kernels import KernelEngine
from transom.uda.kept_bytes import from_bytes, to_bytes
from transom.uda.python import PythonProgram
from transom.uda.write_drive import Drive

STREAM = "CREATE STREAM bid (item BIGINT, price DOUBLE, t INT) ORDER BY t;"
BIDS = [(1, 4.0, 0), (2, 8.0, 1), (1, 2.0, 3), (1, None, 4), (2, 1.0, 7), (1, 16.0, 9)]


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


def rows_on_kernels(query: Relation, tuples: list[Any], cut: int) -> list[Any]:
    asked, stream = lower(query.plan)
    execution = KernelEngine(2, 1).start(asked, stream)
    items = [*(Arrival(dict(zip(stream.columns, one, strict=True))) for one in tuples), End()]
    return [row for start in range(0, len(items), cut) for row in execution.feed(items[start : start + cut])]


def check(query: Relation, expected: list[tuple[Any, ...]], tuples: list[Any] | None = None) -> None:
    given = BIDS if tuples is None else tuples
    assert sorted(map(repr, (tuple(row.values()) for row in answer(query, given, end=True).rows))) == sorted(map(repr, expected))
    for cut in (1, 2, 100):
        assert sorted(map(repr, (tuple(row.values()) for row in rows_on_kernels(query, given, cut)))) == sorted(
            map(repr, expected)
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


DOOR = "CREATE STREAM door (code STRING, id STRING, t INT) ORDER BY t;"
PASSING = [
    ("item", "a", 0),
    ("ap", "p", 2),
    ("item", "d", 10),
    ("item", "x", 11),
    ("ap", "q", 12),
    ("item", "late", 30),
    ("ap", "z", 40),
]


def remove_each(window: Any) -> None:
    for one in [one for one in window if one[0] == "item"]:
        window.remove(one)


def remove_by_index(window: Any) -> None:
    for at in reversed(range(len(window))):
        if window[at][0] == "item":
            del window[at]


@pytest.mark.parametrize("delete", [remove_each, remove_by_index])
def test_what_a_class_deletes_from_its_window_never_expires(delete: Any) -> None:
    """Example 18 of seed 003, as the library has it."""

    @tr.aggregate(returns="STRING")
    class alarm:  # noqa: N801
        def initialize(self, code: str, name: str) -> None: ...

        def iterate(self, code: str, name: str) -> None:
            if code == "ap":
                delete(self.inwindow)  # type: ignore[attr-defined]
            elif any(one[0] == "ap" for one in self.inwindow):  # type: ignore[attr-defined]
                self.inwindow.pop()  # type: ignore[attr-defined]

        def expire(self) -> Any:
            code, name = self.oldest()  # type: ignore[attr-defined]
            return name if code == "item" else None

    for name in ("exit_alarm", "alarm"):
        over = "OVER (RANGE 5 PRECEDING ACTIVE EXPIRATION)"
        check(
            tr.sql(f"{DOOR} SELECT {name}(code, id) {over} AS y, id, event_ts AS at FROM door;"), [("late", "late", 35)], PASSING
        )


def falling(frame: str, *, delete: Any) -> Relation:
    """The largest price of the window: those before a larger one are deleted."""

    class largest:  # noqa: N801
        def initialize(self, x: float) -> float:
            return x

        def iterate(self, x: float) -> Any:
            delete(self.inwindow, x)  # type: ignore[attr-defined]
            return self.oldest()  # type: ignore[attr-defined]

        def expire(self) -> None: ...

    tr.aggregate(returns="DOUBLE")(largest)
    return tr.sql(f"{STREAM} SELECT largest(price) OVER ({frame}) AS y FROM bid;")


@pytest.mark.parametrize(
    ("frame", "expected"),
    [("ROWS 2 PRECEDING", [5.0, 5.0, 5.0, 3.0, 9.0, 9.0]), ("RANGE 2 PRECEDING", [5.0, 5.0, 5.0, 3.0, 9.0, 9.0])],
)
def test_a_window_with_deletes_keeps_its_length(frame: str, expected: list[float]) -> None:
    def smaller(window: Any, x: float) -> None:
        for one in [one for one in window if one < x]:
            window.remove(one)

    prices = [5.0, 1.0, 3.0, 2.0, 9.0, 1.0]
    check(falling(frame, delete=smaller), [(y,) for y in expected], [(1, price, t) for t, price in enumerate(prices)])


@pytest.mark.parametrize("drive", [Drive("rows"), Drive("range")])
def test_a_window_with_deletes_is_kept(drive: Drive) -> None:
    falling("ROWS 2 PRECEDING", delete=lambda window, x: window.remove(2.0) if x == 9.0 else None)
    program = PythonProgram(REGISTERED["largest"], is_window=True)  # type: ignore[arg-type]
    prices, found = [2.0, 5.0, 9.0, 1.0, 3.0, 4.0], []
    state = program.fresh()
    for t, price in enumerate(prices):
        state = program.restored(from_bytes(to_bytes(state.dump())))
        found += program.step(state, drive, [[price]], places=[t], reach=2)[0]
    assert found == program.step(program.fresh(), drive, [prices], places=range(6), reach=2)[0] == [2.0, 2.0, 5.0, 5.0, 9.0, 1.0]


def test_expire_may_delete_the_tuple_that_leaves() -> None:
    @tr.aggregate(returns="DOUBLE")
    class leaving:  # noqa: N801
        def initialize(self, x: float) -> None: ...

        def iterate(self, x: float) -> Any:
            return self.inwindow.popleft() if x == 9.0 else None  # type: ignore[attr-defined]

        def expire(self) -> Any:
            return self.inwindow.popleft()  # type: ignore[attr-defined]

    query = tr.sql(f"{STREAM} SELECT leaving(price) OVER (RANGE 3 PRECEDING ACTIVE EXPIRATION) AS y, event_ts AS at FROM bid;")
    check(query, [(1.0, 2), (2.0, 4), (9.0, 5)], [(1, 1.0, 0), (1, 2.0, 1), (1, 9.0, 2)])


WRITES = {
    "append": lambda self: self.inwindow.append(1.0),
    "extend": lambda self: self.inwindow.extend([1.0]),
    "insert": lambda self: self.inwindow.insert(0, 1.0),
    "item": lambda self: self.inwindow.__setitem__(0, 1.0),
    "in place": lambda self: self.inwindow.__iadd__([1.0]),
    "rotate": lambda self: self.inwindow.rotate(1),
    "attribute": lambda self: setattr(self, "inwindow", [one for one in self.inwindow if one > 2.0]),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_class_does_not_write_to_its_window(write: Any) -> None:
    made = type("writer", (), {name: lambda self, *x: write(self) for name in ("initialize", "iterate", "expire")})
    tr.aggregate(returns="DOUBLE")(made)
    query = tr.sql(f"{STREAM} SELECT writer(price) OVER (ROWS 1 PRECEDING) AS y FROM bid;")
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(ReadOnlyTable, match="writer does not write to inwindow"):
            run()


def test_deleting_from_an_empty_window_has_a_name() -> None:
    query = falling("ROWS 1 PRECEDING", delete=lambda window, x: (window.clear(), window.popleft()))
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(AggregateFailed, match="IndexError"):
            run()


def test_a_copy_of_the_window_is_the_classs_own() -> None:
    query = falling("ROWS 1 PRECEDING", delete=lambda window, x: (window.copy().append(1.0), window + window, window * 2))
    check(query, [(4.0,), (4.0,), (8.0,)], BIDS[:3])


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


def product() -> None:
    @tr.aggregate(returns="DOUBLE")
    class product:  # noqa: N801
        identity = (1.0,)

        def lift(self, x: Any) -> Any:
            return x

        def combine(self, a: Any, b: Any) -> Any:
            return (a[0] * b[0],)

        def lower(self, partial: Any) -> Any:
            return partial[0]


def test_on_arrays() -> None:
    """NULLs do not count, and of nothing there is no value."""
    product()
    query = tr.sql(f"{STREAM} SELECT item, product(price) AS p, window_end AS e FROM bid [TUMBLE 4] GROUP BY item;")
    check(query, [(1, 8.0, 4), (2, 8.0, 4), (1, None, 8), (2, 1.0, 8), (1, 16.0, 12)])
    over = tr.sql(f"{STREAM} SELECT product(price) OVER (ROWS 1 PRECEDING) AS p FROM bid;")
    check(over, [(4.0,), (32.0,), (16.0,), (2.0,), (1.0,), (16.0,)])


def test_on_arrays_peers_count_as_with_the_built_in_ones() -> None:
    product()
    bids = [(1, 2.0, 0), (1, 3.0, 0), (2, 5.0, 4), (1, 7.0, 4), (1, 1.0, 9)]
    query = tr.sql(
        f"{STREAM} SELECT product(price) OVER (RANGE 4 PRECEDING) AS p, sum(price) OVER (RANGE 4 PRECEDING) AS s FROM bid;"
    )
    check(query, [(6.0, 5.0), (6.0, 5.0), (210.0, 17.0), (210.0, 17.0), (1.0, 1.0)], bids)
    having = "GROUP BY item HAVING product(price) > 5"
    slid = tr.sql(f"{STREAM} SELECT item, product(price) AS p, window_end AS e FROM bid [RANGE 8 SLIDE 4] {having};")
    check(slid, [(1, 6.0, 4), (1, 42.0, 8), (1, 7.0, 12)], bids)


def on_arrays(returns: Any, lower: Any, lift: Any = lambda x: (x, x * 0 + 1), identity: Any = (0.0, 0.0)) -> Relation:
    """A sum and a count."""
    methods = {
        "identity": identity,
        "lift": lambda self, x: lift(x),
        "combine": lambda self, a, b: tuple(x + y for x, y in zip(a, b, strict=True)),
        "lower": lambda self, partial: lower(partial),
    }
    tr.aggregate(returns=returns, name="odd")(type("odd", (), methods))
    return tr.sql(f"{STREAM} SELECT odd(price) AS y FROM bid [TUMBLE 4];")


@pytest.mark.parametrize(
    "lower",
    [
        lambda partial: partial,
        lambda partial: {"n": partial[1].astype(int), "total": partial[0]},
        lambda partial: np.column_stack(partial),
        lambda partial: list(zip(*partial, strict=True)),
    ],
)
def test_on_arrays_of_several_columns(lower: Any) -> None:
    rows = [({"total": 14.0, "n": 3},), ({"total": 1.0, "n": 1},), ({"total": 16.0, "n": 1},)]
    check(on_arrays({"total": "DOUBLE", "n": "BIGINT"}, lower), rows)


def texts(x: Any) -> Any:
    return np.array([f"{one:.0f}," for one in x], object)


def test_on_arrays_a_partial_may_be_the_value() -> None:
    check(on_arrays("DOUBLE", lambda partial: partial, lambda x: x, (0.0,)), [(14.0,), (1.0,), (16.0,)])


def test_on_arrays_texts_have_any_length() -> None:
    query = on_arrays("STRING", lambda partial: partial[0], texts, ("",))
    check(query, [("4,8,2,",), ("1,",), ("16,",)])


@pytest.mark.parametrize(
    ("query", "error", "says"),
    [
        (lambda: on_arrays("DOUBLE", lambda partial: 1.0), WrongReturn, "one value for each partial"),
        (lambda: on_arrays("DOUBLE", lambda partial: np.float64(1.0)), WrongReturn, "one value for each partial"),
        (lambda: on_arrays("DOUBLE", lambda partial: np.zeros(7)), WrongReturn, "7 values for 1 partials"),
        (lambda: on_arrays("DOUBLE", lambda partial: "a"), WrongReturn, "one value for each partial"),
        (lambda: on_arrays("DOUBLE", np.column_stack), WrongReturn, "odd returned something else"),
        (lambda: on_arrays("BIGINT", lambda partial: partial[0] + 0.5), WrongReturn, "14.5, a float"),
        (lambda: on_arrays("STRING", lambda partial: partial[0]), WrongReturn, "odd returned something else"),
        (lambda: on_arrays({"a": "DOUBLE", "b": "DOUBLE"}, lambda partial: partial[0]), WrongReturn, "row of its columns"),
        (lambda: on_arrays("DOUBLE", None, lambda x: x), WrongReturn, "lift of odd returns as many arrays"),
        (lambda: on_arrays("DOUBLE", None, lambda x: (1.0, 1.0)), WrongReturn, "lift of odd returns as many arrays"),
        (lambda: on_arrays("DOUBLE", None, lambda x: (x[:, None],) * 2), WrongReturn, "lift of odd returns as many arrays"),
        (lambda: on_arrays("DOUBLE", None, identity=(0, 0)), WrongReturn, "arrays of the types of identity"),
        (lambda: on_arrays("DOUBLE", None, texts, (0.0,)), WrongReturn, "arrays of the types of identity"),
        (lambda: on_arrays("DOUBLE", None, identity=[0.0, 0.0]), BadAggregate, "tuple of values"),
        (lambda: on_arrays("DOUBLE", None, identity=lambda self: (0.0, 0.0)), BadAggregate, "tuple of values"),
    ],
)
def test_what_goes_wrong_on_arrays_has_a_name(query: Any, error: type[TransomError], says: str) -> None:
    asked = query()
    for run in (lambda: answer(asked, BIDS, end=True), lambda: rows_on_kernels(asked, BIDS[:4], 100)):
        with pytest.raises(error, match=says):
            run()


def test_algebra_laws() -> None:
    from transom.kernels.aggregates.user_algebra import ArrayAlgebra
    from transom.uda.ready import Ready

    product()
    algebra = ArrayAlgebra(Ready(REGISTERED["product"]))
    a, b, c = (algebra.lift([__import__("pyarrow").array([x, None])]) for x in (2.0, 3.0, 5.0))
    nothing = algebra.identity(2)
    for left, right in (
        (algebra.combine(algebra.combine(a, b), c), algebra.combine(a, algebra.combine(b, c))),
        (algebra.combine(a, nothing), a),
        (algebra.combine(nothing, a), a),
    ):
        assert all(np.array_equal(x, y) for x, y in zip(left, right, strict=True))


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


def failing(iterate: Any, initialize: Any = lambda self, x: None, returns: Any = "DOUBLE") -> Relation:
    tr.aggregate(returns=returns, name="odd")(type("odd", (), {"initialize": initialize, "iterate": iterate}))
    return tr.sql(f"{STREAM} SELECT odd(price) AS y FROM bid;")


def returning(value: Any, returns: Any) -> Relation:
    return failing(lambda self, x: value, returns=returns)


PAIR = {"a": "DOUBLE", "b": "BIGINT"}


@pytest.mark.parametrize("row", [(1.0, 2), [1, 2.0], {"b": 2, "a": 1.0}, (np.float64(1.0), np.int64(2))])
def test_a_row_of_several_columns(row: Any) -> None:
    check(returning(row, PAIR), [({"a": 1.0, "b": 2},)] * 2, BIDS[:3])


@pytest.mark.parametrize(
    ("value", "returns", "says"),
    [
        ((1.0,), PAIR, "row of its columns"),
        ((1.0, 2, 3), PAIR, "row of its columns"),
        (1.0, PAIR, "row of its columns"),
        ("ab", {"a": "STRING", "b": "STRING"}, "row of its columns"),
        ({"a": 1.0}, PAIR, "row of its columns"),
        ({"a": 1.0, "b": 2, "c": 3}, PAIR, "row of its columns"),
        ((1.0, 2.5), PAIR, "odd, column b, returned something else"),
        ((1.0, True), PAIR, "True, a bool"),
        (True, "BIGINT", "True, a bool"),
        (np.True_, "BIGINT", "returned something else"),
        (True, "DOUBLE", "True, a bool"),
        (1.5, "BIGINT", "1.5, a float"),
        (float("nan"), "INT", "nan, a float"),
        (1, "BOOLEAN", "1, a int"),
        (1.5, "DECIMAL(10, 2)", "1.5, a float"),
        (1.5, "TIMESTAMP", "1.5, a float"),
        (b"a", "STRING", "a bytes"),
        ({"a": 1}, "BIGINT", "a dict"),
    ],
)
def test_a_wrong_return_has_a_name(value: Any, returns: Any, says: str) -> None:
    query = returning(value, returns)
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(WrongReturn, match=says):
            run()


@pytest.mark.parametrize(("value", "returns"), [(2**70, "BIGINT"), (300, "TINYINT"), (1e30, "INT"), (float("inf"), "BIGINT")])
def test_a_number_that_does_not_fit_is_an_overflow(value: Any, returns: str) -> None:
    query = returning(value, returns)
    for run in (lambda: answer(query, BIDS), lambda: rows_on_kernels(query, BIDS, 2)):
        with pytest.raises(ArithmeticOverflow, match="does not fit"):
            run()


@pytest.mark.parametrize(
    ("value", "returns", "expected"),
    [
        (2, "DOUBLE", 2.0),
        (2.0, "BIGINT", 2),
        (Decimal("1.5"), "DECIMAL(10, 2)", Decimal("1.50")),
        (datetime(2026, 1, 1, tzinfo=UTC), "TIMESTAMP", datetime(2026, 1, 1, tzinfo=UTC)),
        (date(2026, 1, 1), "DATE", date(2026, 1, 1)),
        ("a", "STRING", "a"),
        (True, "BOOLEAN", True),
    ],
)
def test_a_value_of_each_type(value: Any, returns: str, expected: Any) -> None:
    check(returning(value, returns), [(expected,)], BIDS[:2])


@pytest.mark.parametrize(
    ("query", "error", "says"),
    [
        (lambda: failing(lambda self, x: "much"), WrongReturn, "odd returned something else"),
        (lambda: failing(lambda self, x: x / 0), AggregateFailed, "odd failed in iterate"),
        (
            lambda: failing(lambda self, x: None, lambda self, x: setattr(self, "file", object())),
            NotPicklable,
            "self.file is a object",
        ),
        (
            lambda: failing(lambda self, x: None, lambda self, x: setattr(self, "all", self.inwindow)),
            NotPicklable,
            "self.all is a InWindow",
        ),
    ],
)
def test_what_goes_wrong_has_a_name(query: Any, error: type[TransomError], says: str) -> None:
    with pytest.raises(error, match=says):
        rows_on_kernels(query(), BIDS, 1)
