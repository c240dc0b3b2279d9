"""Built-in aggregates and functions: which there are, and refusing by name those there are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp

from transom.errors import NotSupported, Span, UnknownFunction, nearest
from transom.plan.expression import Expression
from transom.plan.types.spark_functions import AGGREGATES, FUNCTIONS, OVER_WINDOWS

NAMES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.CountIf: "count_if",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.VariancePop: "var_pop",
    exp.Variance: "var_samp",
    exp.StddevPop: "stddev_pop",
    exp.Stddev: "stddev_samp",
    exp.StddevSamp: "stddev_samp",
    exp.Skewness: "skewness",
    exp.Kurtosis: "kurtosis",
    exp.First: "first",
    exp.FirstValue: "first",
    exp.AnyValue: "first",
    exp.Last: "last",
    exp.LastValue: "last",
    exp.Median: "median",
    exp.Quantile: "percentile",
    exp.ApproxQuantile: "approx_percentile",
    exp.ApproxDistinct: "approx_count_distinct",
    exp.ApproxTopK: "top_k",
    exp.Mode: "mode",
    exp.ArrayAgg: "collect_list",
    exp.ArrayUniqueAgg: "collect_set",
    exp.GroupConcat: "string_agg",
    exp.ArgMin: "min_by",
    exp.ArgMax: "max_by",
    exp.Corr: "corr",
    exp.CovarPop: "covar_pop",
    exp.CovarSamp: "covar_samp",
    exp.LogicalAnd: "bool_and",
    exp.LogicalOr: "bool_or",
}
"""What sqlglot calls an aggregate, and what a kernel does."""

IN_ORDER = frozenset({"first", "last", "collect_list", "collect_set", "string_agg", "mode", "top_k", "min_by", "max_by"})
"""Those whose value depends on the order of rows, if only where several would do."""

BUILT_IN = (
    *("any", "any_value", "approx_count_distinct", "approx_percentile", "approx_top_k", "array_agg", "avg", "bool_and"),
    *("bool_or", "collect_list", "collect_set", "corr", "count", "count_if", "covar_pop", "covar_samp", "every", "first"),
    *("first_value", "kurtosis", "last", "last_value", "listagg", "max", "max_by", "mean", "median", "min", "min_by", "mode"),
    *("percentile", "percentile_approx", "percentile_cont", "skewness", "some", "std", "stddev", "stddev_pop", "stddev_samp"),
    *("string_agg", "sum", "var_pop", "var_samp", "variance"),
)
"""The aggregates by the names that Spark SQL has for them."""


def check_aggregates(expression: Expression) -> None:
    """Refuse an aggregate of Spark's that there is not here."""
    own = {user.name.lower() for user in expression.aggregates}
    for node in expression.tree.find_all(exp.AggFunc, exp.Anonymous):
        name = called(node)
        if name in own or type(node) in NAMES:
            continue
        if name in OVER_WINDOWS:
            raise NotSupported(
                f"{name} ranks or looks at other rows, which is not supported over a stream",
                given=node.sql("spark"),
                exists=BUILT_IN,
                remedy="use an aggregate over a frame, such as first(...) OVER (ROWS 1 PRECEDING) for lag",
            )
        if name in AGGREGATES or isinstance(node, exp.AggFunc):
            raise NotSupported(
                f"the aggregate {name} is not supported",
                given=node.sql("spark"),
                exists=BUILT_IN,
                remedy="use one of those that exist, or write it: CREATE AGGREGATE",
            )


def check_functions(tree: exp.Expr, own: Iterable[str], place: Callable[[exp.Expr], Span | None]) -> None:
    """Refuse a function that neither Spark has nor the user. One of a schema is known to its session alone."""
    known = {*FUNCTIONS, *own}
    for node in tree.find_all(exp.Anonymous):
        if called(node) not in known and not isinstance(node.parent, exp.Dot | exp.Table):
            error = unknown(node, "function", known)
            error.span = place(node)
            raise error


def unknown_aggregate(column: exp.Expr, own: Iterable[str]) -> UnknownFunction | None:
    """What is wrong if a column stands in the call of a function that nobody knows, as in that of an aggregate."""
    above = column.parent
    while above is not None:
        if isinstance(above, exp.Anonymous) and called(above) not in FUNCTIONS:
            return unknown(above, "aggregate", [*BUILT_IN, *own])
        above = above.parent
    return None


def unknown(node: exp.Anonymous, what: str, known: Iterable[str]) -> UnknownFunction:
    name = called(node)
    remedy = nearest(name, known)
    return UnknownFunction(
        f"there is no {what} {name!r}",
        given=node.sql("spark"),
        remedy=remedy if remedy.startswith("did") else "name one of Spark SQL's, or write an aggregate: CREATE AGGREGATE",
    )


def called(node: exp.Expr) -> str:
    """The name of a function that is called."""
    return str(node.this).lower() if isinstance(node, exp.Anonymous) else node.sql("spark").partition("(")[0].lower()


def depends_on_order(item: Expression) -> bool:
    """Whether an expression has an aggregate whose value depends on the order of rows; one that a user wrote may."""
    return bool(item.user_calls) or any(NAMES.get(type(node)) in IN_ORDER for node in item.tree.find_all(exp.AggFunc))
