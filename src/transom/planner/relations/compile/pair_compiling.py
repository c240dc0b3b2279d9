"""The condition of an outer, semi or anti join beyond equal keys: what is computed of each row, and how pairs are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from transom.errors import NotSupported
from transom.kernels.relations.pair_conditions import Combined, Compared, OfOne, PairCondition

COMPARISONS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.NullSafeEQ: "<=>",
}


@dataclass
class PairCompiler:
    """Takes a condition apart. `owner` is the input of each column, `side` the right one; what rows carry for it is in `left` and
    `right`, by name."""

    owner: Mapping[str, int]
    side: int
    left: dict[str, str] = field(default_factory=dict)
    right: dict[str, str] = field(default_factory=dict)

    def of(self, texts: list[str]) -> PairCondition | None:
        """The condition that all of some texts make."""
        parts = tuple(self._part(exp.maybe_parse(text, dialect="spark")) for text in texts)
        return None if not parts else parts[0] if len(parts) == 1 else Combined("AND", parts)

    def _part(self, tree: exp.Expr) -> PairCondition:
        tree = tree.unnest()
        whose = self._whose(tree)
        if whose is not None:
            return OfOne(whose, self._carried(tree, left=not whose, right=whose))
        if isinstance(tree, exp.And | exp.Or):
            return Combined("AND" if isinstance(tree, exp.And) else "OR", tuple(map(self._part, tree.flatten())))
        if isinstance(tree, exp.Not):
            return Combined("NOT", (self._part(tree.this),))
        if isinstance(tree, exp.Between):
            low, high = (
                exp.GTE(this=tree.this, expression=tree.args["low"]),
                exp.LTE(this=tree.this, expression=tree.args["high"]),
            )
            return Combined("AND", (self._part(low.copy()), self._part(high.copy())))
        operator = COMPARISONS.get(type(tree))
        if operator is None:
            raise self._mixed(tree)
        return self._comparison(operator, tree.this, tree.expression)

    def _comparison(self, operator: str, one: exp.Expr, other: exp.Expr) -> PairCondition:
        sides = self._whose(one), self._whose(other)
        if None in sides:
            raise self._mixed(exp.and_(one, other))
        name = f"x{len(self.left) + len(self.right)}"
        first, second = (other, one) if sides[0] else (one, other)
        self.left[name], self.right[name] = _text(first), _text(second)
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(operator, operator) if sides[0] else operator
        return Compared(turned, name)

    def _whose(self, tree: exp.Expr) -> bool | None:
        """Whether what it names is all of the right input; None if it is of both."""
        sides = {self.owner[column.name] == self.side for column in tree.find_all(exp.Column)}
        return None if len(sides) > 1 else next(iter(sides), False)

    def _carried(self, tree: exp.Expr, *, left: bool, right: bool) -> str:
        name = f"x{len(self.left) + len(self.right)}"
        if left:
            self.left[name] = _text(tree)
        if right:
            self.right[name] = _text(tree)
        return name

    @staticmethod
    def _mixed(tree: exp.Expr) -> NotSupported:
        return NotSupported(
            "a condition of an outer, semi or anti join compares what one row gives with what the other does",
            given=_text(tree),
            remedy="bring the columns of each input to one side: a.x > 3 - b.y, and not a.x + b.y > 3",
        )


def _text(tree: exp.Expr) -> str:
    return tree.sql(dialect="spark", comments=False)
