"""The select list, groups and order of a SELECT, on the relation that its FROM gives."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, BlockingAggregate, NotSupported
from transom.language.frames import frame_of
from transom.language.resolve import Resolver
from transom.plan import Aggregate, Distinct, Expression, Filter, Frame, Frames, Node, Project, Sort

Items = tuple[tuple[str, Expression | Frame], ...]


def bind_select(tree: exp.Select, source: Node, names: Resolver) -> Node:
    """The plan of a SELECT on its source."""
    where = tree.args.get("where")
    if where is not None:
        source = _filtered(source, where.this, names)
    items = _items(tree, names)
    group = tree.args.get("group")
    if group is not None and not any(group.args.values()):
        raise BadQuery("GROUP BY names columns", given="GROUP BY", remedy="name at least one", span=names.span(tree))
    for part, value in group.args.items() if group is not None else ():
        if value and part != "expressions":
            raise NotSupported(
                f"{part.upper()} is not supported yet", given=part.upper(), remedy="leave it out", span=names.span(tree)
            )
    group_by = tuple(_group_column(item, names) for item in (group.expressions if group else ()))
    having = tree.args.get("having")
    frames = [item for item in tree.expressions if isinstance(item.unalias(), exp.Window)]
    aggregates = bool(group_by or having) or any(isinstance(item, Expression) and item.is_aggregate for _, item in items)
    node: Node
    if frames:
        if aggregates or source.is_windowed:
            raise BadFrame(
                "OVER frames stand on a stream, without a window or groups",
                given="both",
                remedy="query a derived stream",
                span=names.span(frames[0]),
            )
        node = names.located(frames[0], lambda: Frames(source, items))
    elif aggregates:
        node = _aggregated(tree, source, items, group_by, names)
    else:
        node = Project(source, _expressions(items))
    return _ordered(tree, node, source, names)


def _filtered(source: Node, condition: exp.Expr, names: Resolver) -> Filter:
    if condition.find(exp.Window) is not None:
        raise BadFrame(
            "WHERE comes before the frames",
            given=condition.sql("spark"),
            remedy="filter a query on this one",
            span=names.span(condition),
        )
    if condition.find(exp.AggFunc) is not None:
        raise BadQuery(
            "WHERE sees tuples, not groups", given=condition.sql("spark"), remedy="put it into HAVING", span=names.span(condition)
        )
    return Filter(source, names.expression(condition))


def _items(tree: exp.Select, names: Resolver) -> Items:
    items: list[tuple[str, Expression | Frame]] = []
    for item in tree.expressions:
        inner = item.unalias()
        if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
            if any(inner.find(exp.Star).args.values()):  # type: ignore[union-attr]
                raise NotSupported(
                    "* with EXCEPT is not supported yet",
                    given=inner.sql("spark"),
                    remedy="name the columns",
                    span=names.span(tree),
                )
            items += [(name, Expression.of(exp.column(name, quoted=not name.isidentifier()))) for name in names.schema.names]
        elif isinstance(inner, exp.Window):
            items.append((item.alias or inner.this.sql("spark").lower(), names.located(inner, partial(frame_of, inner, names))))
        else:
            name = item.alias or (inner.name if isinstance(inner, exp.Column) else inner.sql("spark").lower())
            items.append((name, names.expression(inner)))
    given = [name.lower() for name, _ in items]
    twice = next((name for name in given if given.count(name) > 1), None)
    if twice is not None:
        raise BadQuery(
            f"two columns are called {twice!r}", given=", ".join(given), remedy="rename one with AS", span=names.span(tree)
        )
    return tuple(items)


def _group_column(item: exp.Expr, names: Resolver) -> str:
    if not isinstance(item, exp.Column):
        raise NotSupported(
            "GROUP BY an expression is not supported yet",
            given=item.sql("spark"),
            remedy="compute it in a derived stream, and group by its name",
            span=names.span(item),
        )
    return names.column(item).name


def _aggregated(tree: exp.Select, source: Node, items: Items, group_by: tuple[str, ...], names: Resolver) -> Node:
    if not source.is_windowed and not source.is_bounded:
        where = tree.find(exp.AggFunc) or tree
        raise BlockingAggregate(
            "an aggregate over a whole stream never ends",
            given=where.sql("spark")[:80],
            remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
            span=names.span(where),
        )
    having = tree.args.get("having")
    condition = None if having is None else names.expression(having.this, extra=[name for name, _ in items])
    return names.located(tree, lambda: Aggregate(source, group_by, _expressions(items), condition))


def _ordered(tree: exp.Select, node: Node, source: Node, names: Resolver) -> Node:
    distinct = tree.args.get("distinct")
    if distinct is not None:
        if distinct.args.get("on"):
            raise NotSupported(
                "DISTINCT ON is not supported yet", given="DISTINCT ON", remedy="use DISTINCT", span=names.span(tree)
            )
        node = Distinct(_finite(node, source, "DISTINCT", tree, names))
    order = tree.args.get("order")
    if order is None:
        return node
    chosen = [column.name for column in node.schema.columns]
    by = tuple(names.expression(item, extra=chosen) for item in order.expressions)
    if not source.is_windowed and _is_own_order(order, source):
        return node
    return Sort(_finite(node, source, "ORDER BY", order, names), by)


def _is_own_order(order: exp.Expr, source: Node) -> bool:
    """Whether a stream is to be in the order it has."""
    by = order.expressions
    own = str(source.time_attribute).lower()
    return len(by) == 1 and not by[0].args.get("desc") and isinstance(by[0].this, exp.Column) and by[0].this.name.lower() == own


def _finite(node: Node, source: Node, what: str, tree: exp.Expr, names: Resolver) -> Node:
    if not source.is_windowed and not source.is_bounded:
        raise BlockingAggregate(
            f"{what} over a whole stream never ends",
            given=what,
            remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
            span=names.span(tree),
        )
    return node


def _expressions(items: Items) -> tuple[tuple[str, Expression], ...]:
    return tuple((name, item) for name, item in items if isinstance(item, Expression))
