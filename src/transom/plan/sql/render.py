"""A plan as SQL again: text that parses to the same plan."""

from __future__ import annotations

from functools import singledispatch

from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, Project, Scan, Sort, TableJoin, TableScan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.concrete_view import VIEW
from transom.plan.relations.flat_naming import as_of_below, flat_naming
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked
from transom.plan.sql.quoted_names import name_of, names_of
from transom.plan.sql.stream_sql import render_disorder, render_endpoint
from transom.plan.sql.window_sql import render_frame, render_length, render_window
from transom.semantics.windows.now import Now


def render(node: Node) -> str:
    """A query as SQL."""
    if isinstance(node, Insert) and node.target.kind.upper() == VIEW:
        return f"CREATE VIEW {name_of(node.target.name or '')} AS {render(node.input)}"
    if isinstance(node, Insert):
        return f"INSERT INTO {render_endpoint(node.target)} {render(node.input)}"
    if isinstance(node, Union):
        return (" UNION ALL " if node.every else " UNION ").join(_in_union(one) for one in node.streams)
    distinct, order, node = _around(node)
    return _select(node, distinct) + order


@singledispatch
def _select(node: Node, distinct: str) -> str:
    """A select list, or a set operation, without what stands before and behind it."""
    return f"SELECT {distinct}* FROM {_from(node)}"


@_select.register
def _set_operation(node: SetOperation, distinct: str) -> str:
    return f" {node.operation}{' ALL' if node.every else ''} ".join(_in_set(one) for one in node.inputs)


@_select.register
def _aggregate(node: Aggregate, distinct: str) -> str:
    computed = {name: item.text for name, item in node.input.items} if isinstance(node.input, Extend) else {}
    having = "" if node.having is None else f" HAVING {node.having.restoring(computed).text}"
    computed = {**spelled(node), **computed}
    keys = ", ".join(computed.get(column) or name_of(column) for column in node.group_by)
    groups = f" GROUP BY {keys}" if keys else ""
    items = tuple((name, item.restoring(computed)) for name, item in node.items)
    return f"SELECT {distinct}{_items(items)} FROM {_from(node.input)}{groups}{having}"


@_select.register
def _project(node: Project, distinct: str) -> str:
    """The node below may have computed what the list shows: ranks, and frames."""
    below = node.input
    if isinstance(below, Ranked):
        shown = {**spelled(node), **{ranking.text: ranking.text for ranking in below.rankings}}
    elif isinstance(below, Frames):
        shown = {name: render_frame(item) for name, item in below.items if isinstance(item, Frame)}
    else:
        return f"SELECT {distinct}{_items(_qualified(node))} FROM {_from(below)}"
    items = tuple((name, item.restoring(shown)) for name, item in node.items)
    return f"SELECT {distinct}{_items(items)} FROM {_from(below.input)}"


@_select.register
def _frames(node: Frames, distinct: str) -> str:
    return f"SELECT {distinct}{_items(_qualified(node))} FROM {_from(node.input)}"


def _around(node: Node) -> tuple[str, str, Node]:
    """What stands before and behind a select list, and the node that has the list."""
    before, behind = "", ""
    if isinstance(node, Changes):
        before, node = f"{node.kind} ", node.input
    if isinstance(node, Limit):
        behind, node = f" LIMIT {node.count}", node.input
    if isinstance(node, Sort):
        behind = " ORDER BY " + ", ".join(item.text for item in node.by) + behind
        node = node.input
    if isinstance(node, Distinct):
        before += "DISTINCT KEEP FIRST " if node.keep_first else "DISTINCT "
        node = node.input
    return before, behind, node


def _in_set(node: Node) -> str:
    return f"({render(node)})" if isinstance(node, SetOperation | Sort | Limit) else render(node)


def _in_union(node: Node) -> str:
    return f"({render(node)})" if isinstance(node, Union) else render(node)


@singledispatch
def _from(node: Node) -> str:
    """What stands behind FROM, and WHERE."""
    return f"({render(node)})"


@_from.register
def _applied(node: Applied) -> str:
    """An operator as a table function, by the name of its class."""
    ports = [f"{port} => " if len(node.windows) > 1 else "" for port, _ in node.windows]
    read = [_read(feed) for feed in node.feeds]
    shard = " PER SHARD" * node.per_shard
    tables = [
        f"{port}TABLE {stream} [{str(window)[1:-1]}{shard if window.limit is not None else ''}]"
        for port, stream, (_, window) in zip(ports, read, node.windows, strict=True)
    ]
    output = [f"OUTPUT => {name_of(node.output)}"] if len(node.outputs) > 1 else []
    return f"{name_of(node.name)}({', '.join([*tables, *output])})"


def _read(node: Node) -> str:
    """What an operator reads: a stream by name, another operator, or a query in parentheses."""
    return (
        _from(node) if isinstance(node, Scan | Applied) or (isinstance(node, Derived) and node.defined) else f"({render(node)})"
    )


@_from.register
def _extend(node: Extend) -> str:
    return _from(node.input)


@_from.register
def _filter(node: Filter) -> str:
    conditions, below = [node.condition.restoring(spelled(node)).text], node.input
    while isinstance(below, Filter):
        conditions.insert(0, below.condition.restoring(spelled(below)).text)
        below = below.input
    joined = conditions[0] if len(conditions) == 1 else " AND ".join(f"({one})" for one in conditions)
    return f"{_from(below)} WHERE {joined}"


@_from.register
def _table_join(node: TableJoin) -> str:
    side = {"INNER": "", "LEFT": "LEFT "}.get(node.kind, f"LEFT {node.kind} ")
    on = f"USING ({names_of(node.using)})" if node.using else f"ON {node.condition.restoring(spelled(node)).text}"
    return f"{_whole(node.input)} {side}JOIN {name_of(node.table)} {on}"


@_from.register
def _cut(node: Cut) -> str:
    stamp = "" if node.timestamp == "instant" else f" TIMESTAMP {node.timestamp.upper()}"
    clauses = f"{render_window(node.window)}{render_disorder(node.disorder)}{' UNBOUNDED STATE' * node.unbounded_state}"
    return f"{_whole(node.input)} [{clauses}]{stamp}"


def _whole(node: Node) -> str:
    """What stands before a bracket or a JOIN: a condition there is that of a subquery."""
    if not isinstance(node, Filter) or node.is_windowed:
        return _from(node)
    name = next((below.stream.name if isinstance(below, Scan) else below.name for below in node.chain()
                 if isinstance(below, Scan | Derived)), None)  # fmt: skip
    return f"(SELECT * FROM {_from(node)}){'' if name is None else f' AS {name_of(name)}'}"


@_from.register
def _derived(node: Derived) -> str:
    return name_of(node.name) if node.defined else f"({render(node.input)}) AS {name_of(node.name)}"


@_from.register
def _scan(node: Scan) -> str:
    return name_of(node.stream.name)


@_from.register
def _table_scan(node: TableScan) -> str:
    return name_of(node.name)


@_from.register
def _late_of(node: LateOf) -> str:
    if node.called is not None:
        return name_of(node.called)
    raise NotSupported("LATE OF has no place within a query", given=node.label(), remedy="CREATE STREAM ... AS LATE OF ...")


@_from.register
def _joined(node: Join) -> str:
    sides = [_side(one, name) for one, name in zip(node.inputs, node.names, strict=True)]
    left, right = map(name_of, node.names)
    compared = " AND ".join(f"{left}.{name_of(one)} = {right}.{name_of(other)}" for one, other in node.condition)
    on = f"USING ({names_of(node.using)})" if node.using else f"ON {compared}"
    return f"{sides[0]} {'' if node.kind == 'INNER' else 'LEFT '}JOIN {sides[1]} {on}"


@_from.register
def _window_join(node: WindowJoin) -> str:
    written = spelled(node)
    within = list(map(as_of_below, node.sides))
    derived = any(
        isinstance(side, Cut) and one and not isinstance(side.window, Now) for side, one in zip(node.sides, within, strict=True)
    )
    text = ""
    for n, (side, name, join) in enumerate(zip(node.sides, node.names, within, strict=True)):
        step = node.steps[n - 1] if n else None
        below = join.sides[0] if join else side.input if derived and isinstance(side, Cut) else side
        text += "" if step is None else " JOIN " if step.kind == "INNER" else f" {step.kind} JOIN "
        text += _side(below, name)
        if step is not None:
            text += f" USING ({names_of(node.using)})" if node.using else f" ON {step.condition.restoring(written).text}"
        text += _looked_up(join) if join else ""
    return text + ("" if node.timestamp == "min" else f" TIMESTAMP {node.timestamp.upper()}")


@_from.register
def _as_of_join(node: AsOfJoin) -> str:
    return _side(node.sides[0], node.names[0]) + _looked_up(node)


def _looked_up(node: AsOfJoin) -> str:
    """The streams that are looked up for the first."""
    times = [f"{name_of(name)}.{name_of(str(one.time_attribute))}" for one, name in zip(node.sides, node.names, strict=True)]
    called, text = [name_of(name) for name in node.names], ""
    for n, step in enumerate(node.steps, start=1):
        compared = " AND ".join(f"{called[side]}.{name_of(one)} = {called[n]}.{name_of(other)}" for side, one, other in step.on)
        on = f" USING ({names_of(node.using)})" if node.using else f" ON {compared}" if compared else ""
        within = "" if step.within is None else f" WITHIN {render_length(step.within)}"
        kind, matches = "" if step.kind == "INNER" else "LEFT ", ">" if step.strict else ">="
        right = _side(node.sides[n], node.names[n])
        text += f" {kind}ASOF JOIN {right} MATCH_CONDITION ({times[0]} {matches} {times[n]}){on}{within}"
    return text


def _side(node: Node, name: str) -> str:
    own = isinstance(node, Derived) and node.name == name
    return _from(node) if own else f"{_from(node)} AS {name_of(name)}"


def spelled(node: Node) -> dict[str, str]:
    """How the columns of a join are written that have the name of an input before them."""
    join = next((below for below in node.chain() if isinstance(below, Join | WindowJoin | AsOfJoin | Derived)), None)
    if isinstance(join, WindowJoin | AsOfJoin):
        each = flat_naming(join)
        return {
            here: f"{name_of(each.names[side])}.{name_of(there)}" for (side, there), here in each.owners.items() if "." in here
        }
    if not isinstance(join, Join):
        return {}
    own = ((join.names[side], there, here) for side in (0, 1) for here, there in join.columns_of(side).items())
    return {here: f"{name_of(name)}.{name_of(there)}" for name, there, here in own if here != there}


def _qualified(node: Project | Frames) -> tuple[tuple[str, Expression | Frame], ...]:
    written = spelled(node)
    return tuple((name, item.restoring(written) if isinstance(item, Expression) else item) for name, item in node.items)


def _items(items: tuple[tuple[str, Expression | Frame], ...]) -> str:
    return ", ".join(_item(name, item) for name, item in items)


def _item(name: str, item: Expression | Frame) -> str:
    text = render_frame(item) if isinstance(item, Frame) else item.text
    return text if text == name else f"{text} AS {name_of(name)}"
