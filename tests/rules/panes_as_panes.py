"""Pane aggregates, executed as such: tuples are reduced to partials per pane, windows combine partials.

For testing the rule: what a late tuple may still count in is kept apart, by the frontier at its arrival, since a pane
that it had been merged into would no longer tell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from sqlglot import exp

from transom.plan.panes import PaneAggregate
from transom.reference.evaluate import Run, evaluate
from transom.reference.history import Item, Step
from transom.reference.of_plan import lower
from transom.reference.outcome import Outcome, Result
from transom.reference.rows import columns_of_tuple, window_columns
from transom.scalar.evaluation import Scope, holds, parse
from transom.scalar.evaluation import evaluate as value_of
from transom.semantics.length import Number, measure
from transom.semantics.tuples import Tuple
from transom.semantics.windows.partitioned import Partition, partition_of
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Wid, Window

PREFIX = "aggregate_"


@dataclass(frozen=True)
class Partial:
    """The partial result of every algebraic aggregate of one argument: enough to lower any of them."""

    count: int = 0
    total: Any = 0
    squares: Any = 0
    least: Any = None
    most: Any = None

    def combine(self, other: Partial) -> Partial:
        least = [value for value in (self.least, other.least) if value is not None]
        most = [value for value in (self.most, other.most) if value is not None]
        return Partial(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(least, default=None),
            max(most, default=None),
        )

    def lower(self, node: exp.Expr) -> Any:
        if isinstance(node, exp.Count):
            return self.count
        if self.count == 0:
            return None
        if isinstance(node, exp.Sum):
            return self.total
        if isinstance(node, exp.Avg):
            return self.total / self.count
        if isinstance(node, exp.Min):
            return self.least
        if isinstance(node, exp.Max):
            return self.most
        return self._spread(node)

    def _spread(self, node: exp.Expr) -> float | None:
        population = isinstance(node, exp.VariancePop | exp.StddevPop)
        over = self.count if population else self.count - 1
        if over == 0:
            return None
        variance = float((Fraction(self.squares) - Fraction(self.total) ** 2 / self.count) / over)
        return variance if isinstance(node, exp.Variance | exp.VariancePop) else math.sqrt(max(variance, 0.0))


def lift(value: Any) -> Partial:
    """The partial result of one value."""
    if value is None:
        return Partial()
    number = value if isinstance(value, int | float) else 0
    return Partial(1, number, number * number, value, value)


def evaluate_panes(plan: PaneAggregate, items: Sequence[Item]) -> Outcome:
    """The answer of a pane aggregate, made of partials alone."""
    query, stream = lower(plan)
    return evaluate(query, stream, items, partial(PaneRun, width=measure(plan.width)))


@dataclass
class PaneRun(Run):
    """A run that keeps partials: for each group, by pane and by the frontier at which tuples arrived."""

    width: Number = 1
    panes: dict[tuple[Partition, int, Number], dict[str, Partial]] = field(default_factory=dict)

    @property
    def _base(self) -> Number:
        """Where panes begin: at the upper bound of a window, and so at those of all, but for the cut end of a band."""
        if isinstance(self.window, RowWindow):
            return 0
        endless: Window = getattr(self.window, "_open", self.window)
        return endless.bounds(-1 if isinstance(endless, Sliding) else 0).upper

    def _pane(self, position: Number) -> int:
        return math.floor((position - self._base) / self.width)

    def _judge(self, t: Tuple, step: Step) -> None:
        super()._judge(t, step)
        if not self.verdicts[t].taken or not self._picks(t):
            return
        position = self.window.positions(self.taken)[t]
        key = (partition_of(t, self.query.group_by), self._pane(position), self.frontiers[t])
        known = self.panes.get(key, {})
        lifted = {text: lift(self._argument(node, t)) for text, node in self._aggregates().items()}
        self.panes[key] = {text: known.get(text, Partial()).combine(one) for text, one in lifted.items()}

    def _aggregates(self) -> dict[str, exp.Expr]:
        texts = [*self.query.expressions.values(), *([self.query.having] if self.query.having else [])]
        return {node.sql("spark"): node for text in texts for node in parse(text).find_all(exp.AggFunc)}

    def _argument(self, node: exp.Expr, t: Tuple) -> Any:
        return 1 if isinstance(node.this, exp.Star) else value_of(node.this.sql("spark"), Scope(columns_of_tuple(t)))

    def _emit(self, w: Wid, group: Partition, members: list[Tuple], item: int) -> None:
        fixed = self._key(group) | window_columns(self.query, self.stream, self.window, w, self._in_time(w), members)
        values = {f"{PREFIX}{n}": whole.lower(node) for n, (node, whole) in enumerate(self._combined(w, group))}
        scope = Scope({**fixed, **values})
        row = {name: value_of(self._lowered(text), scope) for name, text in self.query.expressions.items()}
        having = self.query.having
        if having is None or holds(self._lowered(having), Scope({**scope.columns, **row})):
            self.outcome.results.append(Result(row, item))

    def _combined(self, w: Wid, group: Partition) -> list[tuple[exp.Expr, Partial]]:
        """Each aggregate with the partials of the panes in `w`, less those that came when it was complete."""
        bounds = self.window.bounds(w)
        first = -math.inf if bounds.lower is None else self._pane(bounds.lower)
        last = self._pane(bounds.upper) + 1 if bounds.upper_closed else math.ceil((bounds.upper - self._base) / self.width)
        arrival = self.window.attribute is None
        inside = [
            partials
            for (key, pane, frontier), partials in self.panes.items()
            if key == group and first <= pane < last and (arrival or not self.window.promised(w, (), frontier))
        ]
        empty = Partial()
        return [
            (node, reduce(Partial.combine, (one[text] for one in inside), empty)) for text, node in self._aggregates().items()
        ]

    def _lowered(self, text: str) -> str:
        """The expression with each aggregate replaced by the column that holds its value."""
        names = {aggregate: f"{PREFIX}{n}" for n, aggregate in enumerate(self._aggregates())}

        def column(node: exp.Expr) -> exp.Expr:
            return exp.column(names[node.sql("spark")]) if isinstance(node, exp.AggFunc) else node

        return parse(text).copy().transform(column).sql("spark")
