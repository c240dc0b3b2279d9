"""Aggregates written in Python on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transom as tr
from tests.uda.on_kernels import BIDS, STREAM, check, rows_on_kernels
from transom.errors import (
    BadAggregate,
    TransomError,
    WrongReturn,
)
from transom.fluent import Relation
from transom.fluent.python_aggregates import REGISTERED
from transom.testing import answer


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
    from transom.kernels.aggregates.algebras.user_algebra import ArrayAlgebra
    from transom.uda.run.ready import Ready

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
