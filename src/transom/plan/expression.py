"""Scalar expressions of a plan: Spark SQL, as canonical text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import sqlglot
from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.parsers.spark import SparkParser

from transom.errors import BadExpression, BadQuery, NotSupported
from transom.semantics.function import Function
from transom.uda.definition import UserAggregate
from transom.uda.run.python_aggregate import PythonAggregate

if TYPE_CHECKING:
    from transom.plan.types.schema import Schema

AnyAggregate = UserAggregate | PythonAggregate
Aggregates = Mapping[str, AnyAggregate]
"""Aggregates that users wrote, by their names in lower case."""


@dataclass(frozen=True)
class Expression:
    """An expression. Two that are written differently but parse alike are equal.

    >>> Expression.of("MAX( speed )") == Expression.of("max(speed)")
    True
    """

    text: str
    aggregates: tuple[AnyAggregate, ...] = ()
    """The aggregates that users wrote and that it calls."""

    @staticmethod
    def of(source: str | exp.Expr, *, qualified: bool = False, aggregates: Aggregates | None = None) -> Expression:
        """From text, or from a syntax tree. Where only one relation can be meant, columns lose their qualifier."""
        tree = parse(source) if isinstance(source, str) else source
        plain = tree.copy()
        for column in plain.find_all(exp.Column):
            column.set("table", column.args.get("table") if qualified else None)
            if isinstance(column.this, exp.Identifier):
                column.this.set("quoted", not is_plain(column.name))
        for joined in plain.find_all(exp.GroupConcat):
            if joined.args.get("separator") is None:  # which sqlglot would write as a comma, and Spark takes as nothing
                joined.set("separator", exp.Literal.string(""))
        called = {str(node.this).lower() for node in plain.find_all(exp.Anonymous)} & set(aggregates or ())
        used = tuple((aggregates or {})[name] for name in sorted(called))
        return Expression(plain.sql(dialect="spark", comments=False), used)

    def replacing(self, parts: Mapping[str, str]) -> Expression:
        """The expression with parts of it, given by their text, replaced by columns of these names."""
        if not parts:
            return self
        tree = self.tree.copy()
        sizes = _sizes(tree)
        shapes = {(type(part), _sizes(part)[id(part)]) for part in map(parse, parts)}

        def named(node: exp.Expr) -> exp.Expr:
            if (type(node), sizes[id(node)]) not in shapes:  # text is made only of what can be a part: it takes as long as it is
                return node
            column = parts.get(node.sql("spark", comments=False, copy=False))
            return node if column is None else exp.column(column, quoted=True)

        return Expression(tree.transform(named, copy=False).sql(dialect="spark"), self.aggregates)

    def restoring(self, parts: Mapping[str, str]) -> Expression:
        """The inverse: columns of these names replaced by the text that they stand for."""

        def spelled(node: exp.Expr) -> exp.Expr:
            return exp.Var(this=parts[node.name]) if isinstance(node, exp.Column) and node.name in parts else node

        return Expression(self.tree.copy().transform(spelled).sql(dialect="spark"), self.aggregates)

    def as_function(self) -> Function:
        """What a window holds of it: the text and the columns it reads. An engine evaluates it, tuple by tuple."""
        if self.is_aggregate:
            raise BadQuery("a window is cut tuple by tuple", given=self.text, remedy="put aggregates into HAVING")
        return Function(self.text, _unevaluated, self.columns)

    @property
    def tree(self) -> exp.Expr:
        return parse(self.text)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns it names, each once."""
        return tuple(dict.fromkeys(column.name for column in self.tree.find_all(exp.Column)))

    @property
    def columns_outside_aggregates(self) -> tuple[str, ...]:
        """The columns it names that no aggregate takes in."""
        outside = self.tree.walk(prune=self._takes_in)  # what an aggregate takes in is not walked
        return tuple(dict.fromkeys(node.name for node in outside if isinstance(node, exp.Column)))

    def _takes_in(self, node: exp.Expr) -> bool:
        return isinstance(node, exp.AggFunc | exp.Filter) or self.user_aggregate(node) is not None

    @property
    def is_aggregate(self) -> bool:
        return self.tree.find(exp.AggFunc) is not None or bool(self.user_calls)

    def user_aggregate(self, node: exp.Expr) -> AnyAggregate | None:
        """The user's aggregate that a node of the tree calls."""
        if not isinstance(node, exp.Anonymous):
            return None
        return next((one for one in self.aggregates if one.name.lower() == str(node.this).lower()), None)

    @property
    def user_calls(self) -> list[tuple[exp.Anonymous, AnyAggregate]]:
        """The calls of aggregates that users wrote."""
        calls = self.tree.find_all(exp.Anonymous)
        return [(node, found) for node in calls if (found := self.user_aggregate(node)) is not None]

    def type_in(self, schema: Schema) -> str:
        """Its Spark type, as far as it is known without Spark."""
        types = {column.name.lower(): column.type for column in (*schema.columns, *schema.hidden)}

        def typed(node: exp.Expr) -> exp.Expr:
            called = self.user_aggregate(node)
            if called is not None:
                return exp.cast(exp.Null(), called.returns_type, dialect="spark")
            known = types.get(node.name.lower()) if isinstance(node, exp.Column) else None
            return node if known is None else exp.cast(exp.Null(), known, dialect="spark")

        kind = annotate_types(_with_fields(self.tree.copy(), types).transform(typed), dialect="spark").type
        return "UNKNOWN" if kind is None else kind.sql("spark")


_WORDS = frozenset(word for keyword in Spark.Tokenizer.KEYWORDS for word in keyword.split())


def of_inputs(tree: exp.Expr, names: Iterable[str]) -> exp.Expr:
    """An expression in which `a.k` is the column that a join calls so, where there is one."""
    known = {name.lower(): name for name in names if "." in name}

    def named(node: exp.Expr) -> exp.Expr:
        own = known.get(f"{node.table}.{node.name}".lower()) if isinstance(node, exp.Column) and node.table else None
        return node if own is None else exp.column(own, quoted=True)

    return tree.copy().transform(named) if known else tree


def _with_fields(tree: exp.Expr, types: Mapping[str, str]) -> exp.Expr:
    """The tree with fields of structs as sqlglot knows their types: `a.b` where it had `a['b']`."""
    for node in list(tree.find_all(exp.Bracket, bfs=False))[::-1]:
        holder = node.this
        while isinstance(holder, exp.Dot):
            holder = holder.this
        kind = types.get(holder.name.lower(), "").upper() if isinstance(holder, exp.Column) else ""
        if node.expressions[0].is_string and kind.startswith("STRUCT") and "MAP" not in kind:
            found = exp.Dot(this=node.this.copy(), expression=exp.to_identifier(node.expressions[0].name))
            tree = found if node is tree else tree
            node.replace(found)
    return tree


def is_plain(name: str) -> bool:
    """Whether a name can stand in SQL without quotes."""
    return name.isidentifier() and name.isascii() and name.upper() not in _WORDS


def _sizes(tree: exp.Expr) -> dict[int, int]:
    """How many nodes there are in each part of a tree, by identity."""
    sizes: dict[int, int] = {}
    for node in reversed(list(tree.walk(bfs=True))):
        sizes[id(node)] = 1 + sum(sizes[id(below)] for below in node.iter_expressions())
    return sizes


def _unevaluated(_: Any) -> Any:
    raise AssertionError("the function of a plan is evaluated by an engine")


FUNCTIONS: dict[str, Any] = {
    **SparkParser.FUNCTIONS,
    "MEAN": exp.Avg.from_arg_list,
    "STD": exp.StddevSamp.from_arg_list,
    "EVERY": exp.LogicalAnd.from_arg_list,
    "SOME": exp.LogicalOr.from_arg_list,
}
"""With other names of aggregates in Spark, which sqlglot does not know."""


class SparkSQL(Spark):
    """Spark SQL. A quote that is doubled within a text is one."""

    class Parser(SparkParser):
        FUNCTIONS = FUNCTIONS

    class Tokenizer(Spark.Tokenizer):
        STRING_ESCAPES: ClassVar[list[str]] = ["\\", "'", '"']


def spelled_out(tree: exp.Expr) -> exp.Expr:
    """The tree with `any(p)` and `percentile_cont(q) WITHIN GROUP (ORDER BY x)` as the aggregates that they are, in place."""
    for node in list(tree.find_all(exp.Any, exp.WithinGroup)):
        made: exp.Expr | None = None
        if isinstance(node, exp.Any):
            if isinstance(node.parent, exp.Binary) and node.arg_key == "expression" and isinstance(node.parent, exp.Predicate):
                continue  # LIKE ANY
            made = exp.LogicalOr(this=node.this.unnest())
        elif isinstance(node.this, exp.PercentileCont):
            by, share = node.expression.expressions[0], node.this.this
            if by.args.get("desc") and share.is_number:
                share = exp.Literal.number(str(1 - Decimal(share.this)))
                by.set("desc", False)
            made = None if by.args.get("desc") else exp.Quantile(this=by.this, quantile=share)
        elif isinstance(node.this, exp.PercentileDisc):
            raise NotSupported(
                "the aggregate percentile_disc is not supported",
                given="percentile_disc(...) WITHIN GROUP (ORDER BY ...)",
                remedy="use percentile_cont, or percentile_approx, which gives one of the values",
            )
        if made is not None:
            tree = made if node is tree else tree
            node.replace(made)
    return tree


@lru_cache(maxsize=4096)
def parse(text: str) -> exp.Expr:
    """Parse one expression."""
    try:
        tree = sqlglot.parse_one(text, read=SparkSQL)
        if isinstance(tree, exp.Block | exp.DDL | exp.Command):
            raise BadExpression("this is a statement, and no expression", given=text, remedy="write a Spark SQL expression")
        return spelled_out(tree)
    except SqlglotError as error:
        reason = str(error).splitlines()[0]
        raise BadExpression(f"this is not an expression: {reason}", given=text, remedy="write a Spark SQL expression") from None
