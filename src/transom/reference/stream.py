"""A stream as the reference sees it: its columns, its order, and where punctuation comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from transom.column_names import ARRIVAL_TS, IMPLICIT, ROW_NUM
from transom.disorder.buffer_size import Buffered
from transom.disorder.dratio.normal import missing_arrival
from transom.disorder.generator import Generator, TupleController
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import (
    BadPunctuation,
    BadQuery,
    BadTuple,
    ConflictingClauses,
    NotOrdered,
    UnknownColumn,
    WrongUnit,
    nearest,
)
from transom.scalar.value_types import UNITS, known_type, value_of_type
from transom.semantics.length import Unit, names_of, rows, unit_of
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.time import Duration
from transom.semantics.tuples import Tuple, axis_value, check_columns

DIGITS = 12
"""Of decimals, behind the point, where a stream does not say."""


@dataclass(frozen=True, kw_only=True)
class ReferenceStream:
    """Columns by name and type, of decimals the `digits` behind the point, and how progress is known.

    `order_by` is the timestamp column (external), `arrival_ts` (internal), or None (latent). `punctuation` names
    the columns of the source's own punctuation, the attribute last; `substreams` are the declared values of its
    group columns. Without punctuation a `generator` makes it; without either, nothing may come late at all. `arrival_by`
    names the column with the arrival times, else a clock gives them. `per_source` are the columns that tell substreams apart,
    which are passed over when silent for longer than `idle_after`. Tuples more than `ahead` of their arrival are set aside.
    """

    columns: Mapping[str, str]
    digits: Mapping[str, int] = field(default_factory=dict)
    order_by: str | None = None
    punctuation: tuple[str, ...] = ()
    substreams: tuple[tuple[Any, ...], ...] = ()
    generator: Generator | None = None
    arrival_by: str | None = None
    per_source: tuple[str, ...] = ()
    idle_after: Duration | None = None
    ahead: Duration | None = None
    name: str = field(default="stream")

    def __post_init__(self) -> None:
        object.__setattr__(self, "punctuation", names_of("PUNCTUATION", self.punctuation))
        object.__setattr__(self, "per_source", names_of("PER SOURCE", self.per_source))
        if not isinstance(self.columns, Mapping) or not self.columns:
            raise BadQuery("a stream has columns", given=repr(self.columns), remedy="give a mapping of names to types")
        if self.generator is not None and not isinstance(self.generator, Generator):
            raise BadQuery("this generates no punctuation", given=repr(self.generator), remedy="give Ordered(...) or Slack(...)")
        check_columns(self.columns)
        for column, kind in self.columns.items():
            known_type(kind, column)
        if self.order_by is not None:
            self.unit(self.order_by)
        if self.generator is not None:
            self._check_generator(self.generator)
        for column in (*self.per_source, *([] if self.arrival_by is None else [self.arrival_by])):
            self.type(column)
        if self.ahead is not None and self.unit(self.order) is not Unit.TIME:
            raise WrongUnit(
                f"column {self.order!r} cannot be compared with a clock",
                given=f"AHEAD {self.ahead}",
                remedy="order the stream by a timestamp",
            )
        if self.punctuation and self.generator is not None:
            raise ConflictingClauses(
                "punctuation comes from the source or from a generator, not from both",
                given=f"PUNCTUATION ({', '.join(self.punctuation)}) and {self.generator}",
                remedy="keep one of them",
            )
        if self.punctuation:
            self.unit(self.punctuation[-1])
            for column in self.punctuation[:-1]:
                self.type(column)
        if any(len(values) != len(self.punctuation) - 1 or not values for values in self.substreams):
            raise BadPunctuation(
                "the declared substreams are values of the punctuation's group columns",
                given=f"PUNCTUATION ({', '.join(self.punctuation)}) FROM {self.substreams}",
                remedy="give one value for each column before the last",
            )
        typed = [tuple(self._typed_group(values)) for values in self.substreams]
        object.__setattr__(self, "substreams", tuple(typed))

    def _typed_group(self, values: tuple[Any, ...]) -> list[Any]:
        return [value_of_type(value, self.type(column), column) for column, value in zip(self.punctuation, values, strict=False)]

    def _check_generator(self, generator: Generator) -> None:
        if isinstance(generator, Buffered):
            self._check_generator(generator.generator)
        if isinstance(generator, Ordered):
            for column in generator.per:
                self.type(column)
        if isinstance(generator, Slack) and unit_of(generator.slack) not in (Unit.ROWS, self.unit(self.order)):
            raise WrongUnit(
                f"column {self.order!r} is measured in {self.unit(self.order).value}",
                given=f"SLACK {generator.slack}",
                remedy="give SLACK in that unit, or in rows",
            )

    @property
    def order(self) -> str:
        """The order column; latent streams have their arrival."""
        return self.order_by or ARRIVAL_TS

    @property
    def effective_generator(self) -> Generator | None:
        """The generator in force: with no clause at all, SLACK 0."""
        return None if self.punctuation else self.generator or Slack(rows(0))

    def start(self) -> TupleController | None:
        """A run of the generator: in the unit of the order column, with arrival times if they can be compared with it."""
        generator = self.effective_generator
        if generator is None:
            return None
        kind = self.type(self.order)
        unit = {"double": None, "decimal": Fraction(1, 10 ** self.digits.get(self.order, DIGITS))}.get(kind, 1)
        timed = self.unit(self.order) is Unit.TIME
        return generator.start(self.order, unit, ARRIVAL_TS if timed or self.arrival_by is not None else None, timed=timed)

    def declared_groups(self) -> tuple[Mapping[str, Any], ...]:
        """The declared substreams, as groups."""
        return tuple(dict(zip(self.punctuation[:-1], values, strict=True)) for values in self.substreams)

    def type(self, column: str) -> str:
        """The type of a column, implicit ones included."""
        if column in self.columns:
            return self.columns[column]
        if column == ROW_NUM:
            return "bigint"
        if column == ARRIVAL_TS:
            return "timestamp"
        names = [*self.columns, *IMPLICIT]
        raise UnknownColumn(f"stream {self.name!r} has no such column", given=column, exists=names, remedy=nearest(column, names))

    def unit(self, column: str) -> Unit:
        """What an ordered column is measured in."""
        kind = self.type(column)
        if kind not in UNITS:
            raise NotOrdered(
                f"column {column!r} is a {kind}, which has no order to window on",
                given=column,
                exists=[name for name in self.columns if self.columns[name] in UNITS],
                remedy="name a timestamp, a date or a number",
            )
        return UNITS[kind]

    def tuple_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a tuple, checked."""
        if not isinstance(values, Mapping):
            raise BadTuple(
                "a tuple is a mapping of columns to values", given=repr(values), remedy="give, for example, {'speed': 50.0}"
            )
        unknown = [column for column in values if column not in self.columns]
        missing = [column for column in self.columns if column not in values]
        if unknown or missing:
            raise BadTuple(
                f"a tuple of stream {self.name!r} has exactly the stream's columns",
                given=", ".join(values) or "no columns",
                exists=self.columns,
                remedy="; ".join([*(f"leave {c!r} out" for c in unknown), *(f"add {c!r}, NULL if unknown" for c in missing)]),
            )
        return {column: value_of_type(values[column], kind, column) for column, kind in self.columns.items()}

    def arrival_of(self, values: Mapping[str, Any], clock: Any) -> Any:
        """When a tuple arrived."""
        if self.arrival_by is None:
            return clock
        if values[self.arrival_by] is None:
            raise missing_arrival(self.arrival_by)
        return values[self.arrival_by]

    def is_ahead(self, t: Tuple) -> bool:
        """Whether a tuple claims to be too far ahead of its arrival."""
        a, arrived = axis_value(t[self.order], self.order), axis_value(t[ARRIVAL_TS], ARRIVAL_TS)
        return self.ahead is not None and a is not None and arrived is not None and a > arrived + self.ahead.micros

    def punctuation_of(self, values: Mapping[str, Any]) -> Punctuation:
        """The promise of a punctuation row. NULL, or a column left out, is `*`."""
        unknown = [column for column in values if column not in self.punctuation]
        if unknown or not self.punctuation:
            raise BadPunctuation(
                "a punctuation speaks of the stream's punctuation columns",
                given=", ".join(values),
                exists=self.punctuation,
                remedy="declare them when the stream is made: its punctuation columns, the attribute last",
            )
        *group, attribute = self.punctuation
        x = axis_value(value_of_type(values.get(attribute), self.type(attribute), attribute), attribute)
        if x is None:
            raise BadPunctuation(
                f"a punctuation must promise something about {attribute!r}",
                given=dict(values),
                remedy=f"give {attribute!r} a value",
            )
        fixed = {column: value_of_type(values.get(column), self.type(column), column) for column in group}
        return Punctuation(attribute, x, {column: value for column, value in fixed.items() if value is not None})
