"""What looks beyond the row: aggregates, queries in expressions, and what the system keeps of the window."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import BadAggregate, NotSupported, UnknownColumn, nearest
from transom.uda.bind.body_scope import BodyScope
from transom.uda.bind.expression_binder import BaseExpressionBinder
from transom.uda.bind.functions import names
from transom.uda.bind.kinds import NUMBERS, kind_of
from transom.uda.ir import AggregateCall, AggregateValue, Exists, Expr, Newest, Oldest, Scalar

BUILT_IN: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}
"""The aggregates that queries of a body have, besides those that users write."""


class Calls(BaseExpressionBinder):
    """Binds calls of aggregates and queries."""

    def _anonymous(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        name = str(tree.this).lower()
        if name == "oldest":
            return self._oldest(tree, None)
        if name == "is_newest":
            found = [source for _, source in (scope.sources if scope else []) if source.table.where == "inwindow"]
            if not found:
                raise BadAggregate(
                    "is_newest() is asked of the rows of inwindow",
                    given=tree.sql("spark"),
                    remedy="use it in a query or a DELETE on inwindow",
                    span=self.names.span(tree),
                )
            return Newest("boolean", found[0])
        if name in self.names.uses:
            return self._user(tree, name, scope)
        raise UnknownColumn(
            f"there is no function or aggregate {name!r}",
            given=tree.sql("spark"),
            exists=[*names(), *BUILT_IN.values(), *self.names.uses],
            remedy=nearest(name, [*names(), *BUILT_IN.values(), *self.names.uses, "oldest", "is_newest"]),
            span=self.names.span(tree),
        )

    def _dot(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        inner = tree.this
        if isinstance(inner, exp.Anonymous) and str(inner.this).lower() == "oldest":
            return self._oldest(tree, str(tree.expression.name))
        raise NotSupported(
            "only oldest() has columns", given=tree.sql("spark"), remedy="name the column", span=self.names.span(tree)
        )

    def _oldest(self, tree: exp.Expr, column: str | None) -> Expr:
        table = self.names.inwindow
        if not self.names.version.is_window:
            raise BadAggregate(
                "only a WINDOW AGGREGATE has oldest()",
                given=tree.sql("spark"),
                remedy="write CREATE WINDOW AGGREGATE",
                span=self.names.span(tree),
            )
        if column is None and len(table.columns) == 1:
            return Oldest(table.kinds[0], 0)
        for at, known in enumerate(table.columns):
            if column is not None and known.lower() == column.lower():
                return Oldest(table.kinds[at], at)
        raise UnknownColumn(
            "a column of inwindow is to be named" if column is None else f"inwindow has no column {column!r}",
            given=tree.sql("spark"),
            exists=table.columns,
            remedy=f"write oldest().{table.columns[0]}" if column is None else nearest(column, table.columns),
            span=self.names.span(tree),
        )

    def _built_in(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        function = BUILT_IN[type(tree)]
        inner = tree.this
        distinct = isinstance(inner, exp.Distinct)
        given = [] if isinstance(inner, exp.Star) or inner is None else list(inner.expressions) if distinct else [inner]
        args = self._arguments(tree, given, scope)
        if function in ("sum", "avg") and args[0].kind not in (*NUMBERS, "null"):
            raise self._mismatch(given[0], f"{function} takes numbers", args[0], "cast it")
        kind = "int" if function == "count" else args[0].kind
        if function == "avg" and kind != "decimal":
            kind = "double"
        return self._added(AggregateCall(function, tuple(args), distinct), kind, scope)

    def _user(self, tree: exp.Expr, name: str, scope: BodyScope | None) -> Expr:
        version = self.names.uses[name]
        given = list(tree.expressions)
        args = self._arguments(tree, given, scope)
        if len(args) != len(version.arguments):
            raise BadAggregate(
                f"{name} takes {len(version.arguments)} arguments",
                given=tree.sql("spark"),
                exists=[f"{argument} {kind}" for argument, kind in version.arguments],
                remedy="give one value for each",
                span=self.names.span(tree),
            )
        kinds = [kind_of(sql_type) or "null" for _, sql_type in version.arguments]
        fitted = [self.fitted(arg, kind, part, "the argument") for arg, kind, part in zip(args, kinds, given, strict=True)]
        if name not in self.names.used:
            self.names.used.append(name)
        call = AggregateCall(name, tuple(fitted), user=self.names.used.index(name))
        return self._added(call, kind_of(version.returns[0][1]) or "null", scope)

    def _arguments(self, tree: exp.Expr, given: list[exp.Expr], scope: BodyScope | None) -> list[Expr]:
        if scope is None or scope.aggregates is None:
            raise BadAggregate(
                "an aggregate stands in the select list of a query",
                given=tree.sql("spark"),
                remedy="write (SELECT ... FROM ...)",
                span=self.names.span(tree),
            )
        inside = BodyScope(scope.sources, scope.outer)
        return [self.bind(part, inside) for part in given]

    def _added(self, call: AggregateCall, kind: str, scope: BodyScope | None) -> Expr:
        assert scope is not None
        assert scope.aggregates is not None
        if call not in scope.aggregates:
            scope.aggregates.append(call)
        return AggregateValue(kind, scope.aggregates.index(call))

    def _subquery(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        query = self._query(tree.this, scope)
        if len(query.outputs) != 1:
            raise BadAggregate(
                "a query in an expression has one column",
                given=tree.sql("spark"),
                remedy="select one",
                span=self.names.span(tree),
            )
        return Scalar(query.outputs[0].kind, query)

    def _exists(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        inner = tree.this
        return Exists("boolean", self._query(inner.this if isinstance(inner, exp.Subquery) else inner, scope))
