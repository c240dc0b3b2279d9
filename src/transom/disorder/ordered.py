"""ORDERED: the stream, or each group of it, is sorted."""

from __future__ import annotations

from dataclasses import dataclass

from transom.disorder.generator import Generator, TupleController
from transom.semantics.length import Number, names_of
from transom.semantics.progress.punctuation import Punctuation
from transom.semantics.tuples import Tuple, axis_value


@dataclass(frozen=True)
class Ordered(Generator):
    """`ORDERED` / `ORDERED PER g`: the stream, or each group of it, is sorted."""

    per: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "per", names_of("ORDERED PER", self.per))

    def start(
        self, attribute: str, unit: Number | None = 1, arrival: str | None = None, *, timed: bool = False
    ) -> TupleController:
        return _Ordered(attribute, self.per)


@dataclass
class _Ordered(TupleController):
    attribute: str
    per: tuple[str, ...]

    def promise(self, t: Tuple) -> Punctuation | None:
        a = axis_value(t[self.attribute], self.attribute)
        return None if a is None else Punctuation(self.attribute, a, {column: t[column] for column in self.per})
