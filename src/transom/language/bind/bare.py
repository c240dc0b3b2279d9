"""A user's aggregate on a stream without a window: it runs on and on, and so must not wait for an end (seed 003, section 3)."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, BlockingAggregate, NotSupported
from transom.language.bind.resolve import Resolver
from transom.plan.nodes.node import Node
from transom.plan.types.user_calls import refuse_filter


def on_a_bare_stream(tree: exp.Select, source: Node, names: Resolver) -> exp.Select:
    """The query with such aggregates over all tuples of their group so far: what it means, written out."""
    if source.is_windowed or source.is_bounded or tree.find(exp.AggFunc) is not None:
        return tree
    calls = _calls(tree, names)
    if not calls or any(isinstance(node.parent, exp.Window) for node in calls):
        return tree
    for call in calls:
        names.located(call, partial(refuse_filter, call, names.aggregates[str(call.this).lower()]))
        _check_non_blocking(call, names)
    group, having = tree.args.get("group"), tree.args.get("having")
    if having is not None:
        raise NotSupported("HAVING needs a window", given="HAVING", remedy="filter a query on this one", span=names.span(having))
    columns = [] if group is None else group.expressions
    _check_grouped(tree, columns, names)
    spec = exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW")
    made = tree.copy()
    made.set("group", None)
    for call in _calls(made, names):
        partition = [column.copy() for column in columns]
        call.replace(exp.Window(this=call.copy(), partition_by=partition, spec=spec.copy()))
    return made


def _calls(tree: exp.Select, names: Resolver) -> list[exp.Anonymous]:
    nodes = [node for item in tree.expressions for node in item.find_all(exp.Anonymous)]
    return [node for node in nodes if str(node.this).lower() in names.aggregates]


def _check_non_blocking(call: exp.Expr, names: Resolver) -> None:
    user = names.aggregates[str(call.this).lower()]
    if not user.is_blocking:
        return
    why = "has no base version" if user.base is None else "has a TERMINATE, which waits for the end of a stream that has none"
    raise BlockingAggregate(
        f"{user.name} {why}",
        given=call.sql("spark"),
        remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES], or write "
        f"{user.name}(...) OVER (ROWS UNBOUNDED PRECEDING)",
        span=names.span(call),
    )


def _check_grouped(tree: exp.Select, columns: list[exp.Expr], names: Resolver) -> None:
    known = {column.name.lower() for column in columns}
    for item in tree.expressions:
        for column in item.find_all(exp.Column):
            inside = any(names.user_call_in(above) is above for above in _above(column))
            if not inside and column.name.lower() not in known:
                raise BadQuery(
                    f"column {column.name!r} is neither grouped nor aggregated",
                    given=item.sql("spark"),
                    exists=sorted(known),
                    remedy=f"add {column.name!r} to GROUP BY, or write ... OVER (ROWS UNBOUNDED PRECEDING)",
                    span=names.span(column),
                )


def _above(node: exp.Expr) -> list[exp.Expr]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found
