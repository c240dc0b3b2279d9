"""A Python class on arrays: its methods called, and what they give checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transom.errors import AggregateFailed, BadAggregate, TransomError, WrongReturn
from transom.uda.run.python_aggregate import PythonAggregate

Fields = Sequence[Any]
"""The arrays of partials: one for each value of `identity`."""


class OnArrays:
    """`identity`, `lift`, `combine` and `lower` of a class."""

    def __init__(self, aggregate: PythonAggregate) -> None:
        self.name, self.returns = aggregate.name, aggregate.returns
        self.user = aggregate.made_of()
        given = self.user.identity
        self.identity = [_value(one) for one in (given if isinstance(given, tuple) else (given,))]
        if any(one.ndim or callable(one.item()) for one in self.identity):
            raise BadAggregate(
                f"identity of {self.name} is a tuple of values",
                given=repr(given)[:80],
                remedy="write identity = (0.0, 0), the fields of a partial of nothing",
            )

    def lift(self, columns: Fields, rows: int) -> Fields:
        """The partial of each row."""
        return self._fields("lift", self._call("lift", *columns), rows)

    def combine(self, a: Fields, b: Fields, rows: int) -> Fields:
        """The partials of two stretches each, `a` before `b`."""
        return self._fields("combine", self._call("combine", tuple(a), tuple(b)), rows)

    def lower(self, partials: Fields, rows: int) -> list[Any]:
        """The value of each partial; of several columns, a row."""
        made = self._call("lower", tuple(partials))
        columns = [column for column, _ in self.returns]
        if isinstance(made, dict) and made.keys() == set(columns):
            made = tuple(made[column] for column in columns)
        if isinstance(made, tuple) and len(made) == len(columns) and isinstance(made[0], np.ndarray):
            parts = [self._values(part, rows) for part in made]
            return parts[0] if columns == [""] else list(zip(*parts, strict=True))
        return self._values(made, rows)

    def _values(self, made: Any, rows: int) -> list[Any]:
        size = None if isinstance(made, str | dict) or not getattr(made, "ndim", hasattr(made, "__len__")) else len(made)
        if size == rows:
            return list(made.tolist() if hasattr(made, "tolist") else made)
        raise WrongReturn(
            f"lower of {self.name} returns one value for each partial",
            given=f"{made!r}"[:80] if size is None else f"{size} values for {rows} partials",
            remedy="return an array of that length; of several columns, a tuple of such arrays",
        )

    def _call(self, method: str, *args: Any) -> Any:
        try:
            return getattr(self.user, method)(*args)
        except TransomError:
            raise
        except Exception as error:
            raise AggregateFailed(
                f"aggregate {self.name} failed in {method}: {type(error).__name__}: {error}",
                given=f"{method} on arrays",
                remedy="check the method; it takes arrays",
            ) from None

    def _fields(self, method: str, made: Any, rows: int) -> Fields:
        """What a method gave, as arrays of the types of `identity`."""
        fields = [np.asarray(field) for field in (made if isinstance(made, tuple) else (made,))]
        if [field.shape for field in fields] != [(rows,)] * len(self.identity):
            raise WrongReturn(
                f"{method} of {self.name} returns as many arrays as identity has values, with one element for each row",
                given=f"arrays of the shapes {[field.shape for field in fields]} for {rows} rows",
                exists=[f"{len(self.identity)} arrays"],
                remedy="a partial is a tuple of arrays, a[0] its first field: return such a tuple",
            )
        return [self._typed(method, field, one.dtype) for field, one in zip(fields, self.identity, strict=True)]

    def _typed(self, method: str, field: Any, kind: np.dtype[Any]) -> Any:
        if np.can_cast(field.dtype, kind, "same_kind"):
            return field.astype(kind, copy=False)
        raise WrongReturn(
            f"{method} of {self.name} returns arrays of the types of identity",
            given=str(field.dtype),
            exists=[str(kind)],
            remedy="give identity a value of that type: 0.0 for doubles",
        )


def _value(value: Any) -> Any:
    """A field of `identity`; texts are objects, so that they have any length."""
    return np.asarray(value, object) if isinstance(value, str) else np.asarray(value)
