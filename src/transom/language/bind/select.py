"""The select list, groups and order of a SELECT, on the relation that its FROM gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, BlockingAggregate, NotSupported, Span, TransomError, UnknownColumn
from transom.language.bind.bare import on_a_bare_stream
from transom.language.bind.frame_defaults import with_frames
from transom.language.bind.over import frame_of
from transom.language.bind.relations.within_instant import as_stream_of_changes, keeps_first, limited, ranked
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import FRAME
from transom.plan.expression import Expression
from transom.plan.grouping import keys_of
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Distinct, Extend, Filter, Project, Sort
from transom.plan.nodes.windowed import Aggregate, Frame, Frames, with_instant
from transom.plan.order import check_frame_order
from transom.plan.sql.window_sql import render_frame

Items = tuple[tuple[str, Expression | Frame], ...]


def bind_select(tree: exp.Select, source: Node, names: Resolver) -> Node:
    """The plan of a SELECT on its source."""
    where = tree.args.get("where")
    if where is not None:
        source = _filtered(source, where.this, names)
    tree = on_a_bare_stream(tree, source, names)
    if source.is_windowed and any(item.find(exp.Window) is not None for item in tree.expressions):
        tree, below = ranked(tree, source, names)
        chosen = _items(tree, replace(names, schema=below.schema))
        return as_stream_of_changes(tree, _ordered(tree, Project(below, chosen), source, names), names)
    if any(item.find(exp.Window) is not None for item in tree.expressions):
        tree = with_frames(tree, names)
        if names.joined is not None:
            raise NotSupported(
                "OVER on a join of streams is not supported yet",
                given=source.label(),
                remedy="define a stream of the join, and put the frames on that",
                span=names.span(tree),
            )
        node: Node = _framed(tree, source, names)
    elif tree.args.get("group") or tree.args.get("having") or any(map(names.aggregate_in, tree.expressions)):
        node = _aggregated(tree, source, names)
    else:
        node = Project(source, _items(tree, names))
    return as_stream_of_changes(tree, _ordered(tree, node, source, names), names)


def _framed(tree: exp.Select, source: Node, names: Resolver) -> Node:
    """A select list with OVER frames; one that computes with them stands on one that has them under their own text."""
    first = next(item for item in tree.expressions if item.find(exp.Window) is not None)
    if any(window.meta.get(FRAME, {}).get("active_expiration") for window in tree.find_all(exp.Window)):
        names = replace(names, schema=with_instant(source))
    bare = [names.aggregate_in(item) for item in tree.expressions if item.find(exp.Window) is None]
    if source.is_windowed or tree.args.get("group") or tree.args.get("having") or any(bare):
        raise BadFrame(
            "OVER frames stand on a stream, without a window or groups",
            given="both",
            remedy="query a derived stream",
            span=names.span(first),
        )
    if all(isinstance(item.unalias(), exp.Window) or item.find(exp.Window) is None for item in tree.expressions):
        return names.located(first, lambda: _frames(source, _items_and_frames(tree, names)))
    frames: dict[str, Frame] = {}
    computed = tree.copy()
    for window in list(computed.find_all(exp.Window)):
        frame = names.located(window, partial(frame_of, window, names))
        frames[render_frame(frame)] = frame
        window.replace(exp.column(render_frame(frame), quoted=True))
    columns = tuple((name, Expression.of(exp.column(name))) for name in names.schema.names)
    below = names.located(first, lambda: _frames(source, (*columns, *frames.items())))
    return Project(below, _items(computed, replace(names, schema=below.schema)))


def _frames(source: Node, items: Items) -> Frames:
    for frame in (item for _, item in items if isinstance(item, Frame)):
        check_frame_order(frame, source)
    return Frames(source, items)


def _filtered(source: Node, condition: exp.Expr, names: Resolver) -> Filter:
    if condition.find(exp.Window) is not None:
        raise BadFrame(
            "WHERE comes before the frames",
            given=condition.sql("spark"),
            remedy="filter a query on this one",
            span=names.span(condition),
        )
    return names.located(condition, lambda: Filter(source, names.expression(condition)))


def _items(tree: exp.Select, names: Resolver) -> tuple[tuple[str, Expression], ...]:
    """A select list without frames."""
    return tuple((name, item) for name, item in _items_and_frames(tree, names) if isinstance(item, Expression))


def _items_and_frames(tree: exp.Select, names: Resolver) -> Items:
    items: list[tuple[str, Expression | Frame]] = []
    for item in tree.expressions:
        inner = item.unalias()
        if isinstance(inner, exp.Star) or (isinstance(inner, exp.Column) and isinstance(inner.this, exp.Star)):
            items += _starred(inner, names)
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


def _starred(star: exp.Expr, names: Resolver) -> list[tuple[str, Expression | Frame]]:
    if any(part.args for part in star.find_all(exp.Star) if any(part.args.values())):
        raise NotSupported(
            "* with EXCEPT is not supported yet", given=star.sql("spark"), remedy="name the columns", span=names.span(star)
        )
    relation = str(star.table) if isinstance(star, exp.Column) else ""
    qualifier = relation.lower()
    if qualifier and qualifier not in (name.lower() for name in names.relations):
        raise UnknownColumn(
            f"there is no relation {relation!r} here",
            given=star.sql("spark"),
            exists=names.relations,
            remedy="write * alone, or name the fields of a struct one by one",
            span=names.span(star),
        )
    if qualifier in names.beside:
        return [_of_relation(name, relation, names) for name in names.beside[qualifier].columns]
    if names.joined is None:
        own = len(names.schema.names) - sum(table.added for table in names.beside.values())
        if qualifier:
            return [_of_relation(name, relation, names) for name in names.schema.names[:own]]
        return [(name, Expression.of(exp.column(name))) for name in names.schema.names]
    sides = [side for side, name in enumerate(names.joined.names) if qualifier in ("", name.lower())]
    columns = [one for side in sides for one in names.joined.columns_of(side).items()]
    found: list[tuple[str, Expression | Frame]] = [(there, Expression.of(exp.column(here))) for here, there in columns]
    added = sum(table.added for table in names.beside.values())
    return (
        found
        if qualifier or not added
        else [*found, *((name, Expression.of(exp.column(name))) for name in names.schema.names[-added:])]
    )


def _of_relation(name: str, relation: str, names: Resolver) -> tuple[str, Expression]:
    return name, names.expression(exp.column(name, table=relation, quoted=True))


def _aggregated(tree: exp.Select, source: Node, names: Resolver) -> Node:
    """Groups and aggregates. Expressions that are grouped by become columns of their own text."""
    if not source.is_windowed and not source.is_bounded:
        where = names.aggregate_in(tree) or tree
        raise BlockingAggregate(
            "an aggregate over a whole stream never ends",
            given=where.sql("spark")[:80],
            remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
            span=names.span(where),
        )
    keys = _group_keys(tree, names)
    computed = tuple((key.text, key) for key in keys if not isinstance(key.tree, exp.Column))
    parts = {text: text for text, _ in computed}
    below = Extend(source, computed) if computed else source
    group_by = keys_of((key.text if key.text in parts else str(key.tree.name) for key in keys), source.schema)
    items = tuple((name, item.replacing(parts)) for name, item in _items(tree, names))
    having = tree.args.get("having")
    condition = None if having is None else names.expression(having.this, extra=[name for name, _ in items]).replacing(parts)
    try:
        return Aggregate(below, group_by, items, condition)
    except TransomError as error:
        error.span = error.span or _blamed(tree, names, lambda item: Aggregate(below, group_by, (item,)))
        raise


def _blamed(tree: exp.Select, names: Resolver, build: Callable[[tuple[str, Expression]], Node]) -> Span | None:
    """The item of the select list that is wrong by itself; the whole query if none is."""
    for item in tree.expressions:
        inner = item.unalias()
        if inner.find(exp.Star) is None:
            try:
                build(("item", names.expression(inner)))
            except TransomError:
                return names.span(item)
    return names.span(tree)


WITH = ("rollup", "cube")
"""What may stand behind WITH at the end of GROUP BY."""


def _group_keys(tree: exp.Select, names: Resolver) -> list[Expression]:
    """What a query groups by: columns, expressions, or, as in Spark, the aliases of what is selected."""
    group = tree.args.get("group")
    if group is None:
        return []
    for part, value in group.args.items():
        if value and part != "expressions":
            raise NotSupported(
                f"WITH {part.upper()} is not supported within an extent"
                if part in WITH
                else f"{part.upper()} is not supported yet",
                given=part.upper(),
                remedy="group by columns, or use one query for each grouping",
                span=names.span(group.expressions[-1] if group.expressions else tree) or names.span(tree),
            )
    if not group.expressions:
        raise BadQuery("GROUP BY names columns", given="GROUP BY", remedy="name at least one", span=names.span(tree))
    for item in group.expressions:
        if isinstance(item, exp.GroupingSets | exp.Rollup | exp.Cube):
            raise NotSupported(
                f"{type(item).key.upper().replace('SETS', ' SETS')} is not supported within an extent",
                given=item.sql("spark"),
                remedy="group by columns, or use one query for each grouping",
                span=names.span(item) or names.span(tree),
            )
    aliases = {item.alias.lower(): item.unalias() for item in tree.expressions if item.alias}
    known = {column.name.lower() for column in (*names.schema.columns, *names.schema.hidden)}
    keys = []
    for item in group.expressions:
        by_alias = (
            isinstance(item, exp.Column) and not item.table and item.name.lower() not in known and item.name.lower() in aliases
        )
        key = names.expression(aliases[item.name.lower()] if by_alias else item)
        if key.is_aggregate or isinstance(key.tree, exp.Literal):
            raise BadQuery("a group is known tuple by tuple", given=key.text, remedy="group by columns", span=names.span(item))
        keys.append(key)
    return keys


def _ordered(tree: exp.Select, node: Node, source: Node, names: Resolver) -> Node:
    distinct = tree.args.get("distinct")
    if distinct is not None:
        if distinct.args.get("on"):
            raise NotSupported(
                "DISTINCT ON is not supported yet", given="DISTINCT ON", remedy="use DISTINCT", span=names.span(tree)
            )
        node = Distinct(_finite(node, source, "DISTINCT", tree, names), keeps_first(tree))
    order = tree.args.get("order")
    if order is None:
        return limited(tree, node, names)
    chosen = [column.name for column in node.schema.columns]
    by = tuple(_ordering(item, node, chosen, names) for item in order.expressions)
    if not source.is_windowed and _is_own_order(order, source):
        return limited(tree, node, names)
    below = _finite(node, source, "ORDER BY", order, names)
    return limited(tree, names.located(order, lambda: Sort(below, by)), names)


def _ordering(item: exp.Expr, node: Node, chosen: list[str], names: Resolver) -> Expression:
    """What rows are ordered by. An aggregate that is selected is ordered by under its name."""
    items: Items = getattr(node, "items", ())
    selected = {part.text: name for name, part in items if isinstance(part, Expression) and part.is_aggregate}
    if item.this.is_int:  # the place of a column in the select list, as in Spark
        item = item.copy()
        item.set("this", _at(int(item.this.name), chosen, names))
    inner = names.expression(item.this, extra=chosen)
    if inner.text in selected:
        item = item.copy()
        item.set("this", exp.column(selected[inner.text], quoted=True))
    return names.expression(item, extra=chosen)


def _at(place: int, chosen: list[str], names: Resolver) -> exp.Expr:
    if not 0 < place <= len(chosen):
        raise BadQuery(
            "ORDER BY names a column that is selected by its place",
            given=f"ORDER BY {place}",
            exists=[f"{n} ({name})" for n, name in enumerate(chosen, 1)],
            remedy="name the column",
        )
    return exp.column(chosen[place - 1], quoted=True)


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
