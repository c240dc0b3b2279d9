"""A plan as SQL again: text that parses to the same plan."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlglot import exp

from transom.disorder.dratio.drop_ratio import DropRatio
from transom.disorder.heartbeat import Heartbeat
from transom.disorder.ordered import Ordered
from transom.disorder.slack import Slack
from transom.errors import NotSupported
from transom.plan.expression import Expression, is_plain
from transom.plan.nodes.applied import Applied
from transom.plan.nodes.disorder import Disorder, PunctuationClause, SlackPercent
from transom.plan.nodes.join_in_step import Join
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort, TableJoin, TableScan
from transom.plan.nodes.sink import Insert
from transom.plan.nodes.stream import Endpoint, StreamDefinition
from transom.plan.nodes.union import Union
from transom.plan.nodes.windowed import Aggregate, Cut, Frame, Frames
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.length import Rows
from transom.semantics.time import Duration
from transom.semantics.tuples import Position, Rank, RowNum
from transom.semantics.windows.band import Band
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.landmark import Landmark, LandmarkEvery, LandmarkUntil
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.varying import Varying
from transom.semantics.windows.window import Window
from transom.windowing.policy_window import PolicyWindow


def render(node: Node) -> str:
    """A query as SQL."""
    if isinstance(node, Insert):
        return f"INSERT INTO {render_endpoint(node.target)} {render(node.input)}"
    if isinstance(node, Union):
        return (" UNION ALL " if node.every else " UNION ").join(_in_union(one) for one in node.streams)
    distinct, order, node = _around(node)
    if isinstance(node, SetOperation):
        sides = (_in_set(one) for one in node.inputs)
        return f" {node.operation}{' ALL' if node.every else ''} ".join(sides) + order
    if isinstance(node, Project) and isinstance(node.input, Ranked):
        ranks = {ranking.text: ranking.text for ranking in node.input.rankings}
        items = tuple((name, item.restoring({**spelled(node), **ranks})) for name, item in node.items)
        return f"SELECT {distinct}{_items(items)} FROM {_from(node.input.input)}{order}"
    if isinstance(node, Aggregate):
        computed = {name: item.text for name, item in node.input.items} if isinstance(node.input, Extend) else {}
        having = "" if node.having is None else f" HAVING {node.having.restoring(computed).text}"
        computed = {**spelled(node), **computed}
        keys = ", ".join(computed.get(column) or _name(column) for column in node.group_by)
        groups = f" GROUP BY {keys}" if keys else ""
        items = tuple((name, item.restoring(computed)) for name, item in node.items)
        return f"SELECT {distinct}{_items(items)} FROM {_from(node.input)}{groups}{having}{order}"
    if isinstance(node, Project) and isinstance(node.input, Frames):
        frames = {name: render_frame(item) for name, item in node.input.items if isinstance(item, Frame)}
        items = tuple((name, item.restoring(frames)) for name, item in node.items)
        return f"SELECT {distinct}{_items(items)} FROM {_from(node.input.input)}{order}"
    if isinstance(node, Project | Frames):
        return f"SELECT {distinct}{_items(_qualified(node))} FROM {_from(node.input)}{order}"
    return f"SELECT * FROM {_from(node)}{order}"


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


def _applied(node: Applied) -> str:
    """An operator as a table function, by the name of its class."""
    ports = [f"{port} => " if len(node.windows) > 1 else "" for port, _ in node.windows]
    read = [_read(feed) for feed in node.feeds]
    shard = " PER SHARD" * node.per_shard
    tables = [
        f"{port}TABLE {stream} [{str(window)[1:-1]}{shard if window.limit is not None else ''}]"
        for port, stream, (_, window) in zip(ports, read, node.windows, strict=True)
    ]
    output = [f"OUTPUT => {_name(node.output)}"] if len(node.outputs) > 1 else []
    return f"{_name(node.name)}({', '.join([*tables, *output])})"


def _read(node: Node) -> str:
    """What an operator reads: a stream by name, another operator, or a query in parentheses."""
    return (
        _from(node) if isinstance(node, Scan | Applied) or (isinstance(node, Derived) and node.defined) else f"({render(node)})"
    )


def _from(node: Node) -> str:
    if isinstance(node, Applied):
        return _applied(node)
    if isinstance(node, Extend):
        return _from(node.input)
    if isinstance(node, Filter):
        return f"{_from(node.input)} WHERE {node.condition.restoring(spelled(node)).text}"
    if isinstance(node, Join):
        return _joined(node)
    if isinstance(node, WindowJoin):
        return _window_join(node)
    if isinstance(node, AsOfJoin):
        return _as_of_join(node)
    if isinstance(node, TableJoin):
        side = "" if node.kind == "INNER" else f"{node.kind} "
        on = f"USING ({_names(node.using)})" if node.using else f"ON {node.condition.restoring(spelled(node)).text}"
        return f"{_from(node.input)} {side}JOIN {_name(node.table)} {on}"
    if isinstance(node, Cut):
        stamp = "" if node.timestamp == "instant" else f" TIMESTAMP {node.timestamp.upper()}"
        clauses = f"{render_window(node.window)}{render_disorder(node.disorder)}{' UNBOUNDED STATE' * node.unbounded_state}"
        return f"{_from(node.input)} [{clauses}]{stamp}"
    if isinstance(node, Derived):
        return _name(node.name) if node.defined else f"({render(node.input)}) AS {_name(node.name)}"
    if isinstance(node, LateOf) and node.called is not None:
        return _name(node.called)
    if isinstance(node, Scan):
        return _name(node.stream.name)
    if isinstance(node, TableScan):
        return _name(node.name)
    if isinstance(node, LateOf):
        raise NotSupported("LATE OF has no place within a query", given=node.label(), remedy="CREATE STREAM ... AS LATE OF ...")
    return f"({render(node)})"


def _joined(node: Join) -> str:
    sides = [_side(one, name) for one, name in zip(node.inputs, node.names, strict=True)]
    left, right = map(_name, node.names)
    compared = " AND ".join(f"{left}.{_name(one)} = {right}.{_name(other)}" for one, other in node.condition)
    on = f"USING ({_names(node.using)})" if node.using else f"ON {compared}"
    return f"{sides[0]} {'' if node.kind == 'INNER' else 'LEFT '}JOIN {sides[1]} {on}"


def _window_join(node: WindowJoin) -> str:
    written = spelled(node)
    text = _side(node.sides[0], node.names[0])
    for side, name, step in zip(node.sides[1:], node.names[1:], node.steps, strict=True):
        kind = "" if step.kind == "INNER" else f"{step.kind} "
        on = f"USING ({_names(node.using)})" if node.using else f"ON {step.condition.restoring(written).text}"
        text += f" {kind}JOIN {_side(side, name)} {on}"
    return text + ("" if node.timestamp == "min" else f" TIMESTAMP {node.timestamp.upper()}")


def _as_of_join(node: AsOfJoin) -> str:
    sides = [_side(one, name) for one, name in zip(node.inputs, node.names, strict=True)]
    times = [f"{_name(name)}.{_name(str(one.time_attribute))}" for one, name in zip(node.inputs, node.names, strict=True)]
    left, right = map(_name, node.names)
    compared = " AND ".join(f"{left}.{_name(one)} = {right}.{_name(other)}" for one, other in node.on)
    on = f" USING ({_names(node.using)})" if node.using else f" ON {compared}" if compared else ""
    within = "" if node.within is None else f" WITHIN {render_length(node.within)}"
    kind, matches = "" if node.kind == "INNER" else "LEFT ", ">" if node.strict else ">="
    return f"{sides[0]} {kind}ASOF JOIN {sides[1]} MATCH_CONDITION ({times[0]} {matches} {times[1]}){on}{within}"


def _side(node: Node, name: str) -> str:
    own = isinstance(node, Derived) and node.name == name
    return _from(node) if own else f"{_from(node)} AS {_name(name)}"


def spelled(node: Node) -> dict[str, str]:
    """How the columns of a join are written that have the name of an input before them."""
    join = next((below for below in node.chain() if isinstance(below, Join | WindowJoin | AsOfJoin | Derived)), None)
    if isinstance(join, WindowJoin | AsOfJoin):
        return {here: f"{_name(join.names[side])}.{_name(there)}" for (side, there), here in join.owners.items() if "." in here}
    if not isinstance(join, Join):
        return {}
    own = ((join.names[side], there, here) for side in (0, 1) for here, there in join.columns_of(side).items())
    return {here: f"{_name(name)}.{_name(there)}" for name, there, here in own if here != there}


def _qualified(node: Project | Frames) -> tuple[tuple[str, Expression | Frame], ...]:
    written = spelled(node)
    return tuple((name, item.restoring(written) if isinstance(item, Expression) else item) for name, item in node.items)


def _items(items: tuple[tuple[str, Expression | Frame], ...]) -> str:
    return ", ".join(_item(name, item) for name, item in items)


def _item(name: str, item: Expression | Frame) -> str:
    text = render_frame(item) if isinstance(item, Frame) else item.text
    return text if text == name else f"{text} AS {_name(name)}"


def render_frame(frame: Frame) -> str:
    """An OVER clause."""
    parts = []
    if frame.partition_by:
        parts.append(f"PARTITION BY {_names(frame.partition_by)}")
    if frame.order_by is not None:
        parts.append(f"ORDER BY {_name(frame.order_by)}")
    if frame.preceding is None:
        parts.append(f"{'RANGE' if frame.peers else 'ROWS'} UNBOUNDED PRECEDING")
    elif isinstance(frame.preceding, Rows):
        parts.append(f"ROWS {frame.preceding.count} PRECEDING")
    else:
        parts.append(f"RANGE {render_length(frame.preceding)} PRECEDING")
    if frame.slide is not None:
        parts.append(f"SLIDE {render_length(frame.slide)}")
    if frame.unbounded_state:
        parts.append("UNBOUNDED STATE")
    if frame.active:
        parts.append("ACTIVE EXPIRATION")
    return f"{frame.aggregate.text} OVER ({' '.join(parts)})"


def render_window(window: Window) -> str:
    """The clauses of a window, in one order."""
    if isinstance(base := base_of(window), PolicyWindow):
        return f"{str(base.policies)[1:-1]}{' PER SHARD' * base.per_shard}"
    clauses = _clauses(base_of(window))
    if partition_columns(window):
        clauses.append(("PATTR", _names(partition_columns(window))))
    if isinstance(base, Session) and base.whole:
        clauses.append(("PATTR", "()"))
    if isinstance(window, Filtered):
        clauses.append(("WHERE", window.where.text))
    return " ".join(f"{name} {value}".strip() for name, value in clauses)


def _clauses(window: Window) -> list[tuple[str, str]]:
    given: list[tuple[str, Any]] = []
    if isinstance(window, Sliding):
        given = [("RANGE", window.range), ("SLIDE", window.slide), ("WATTR", window.wattr), ("OFFSET", window.offset)]
        given += [("ORIGIN", window.origin), ("LAG", window.lag), ("PARTIAL", None if window.partial else "OFF")]
    elif isinstance(window, EveryInstant):
        given = [("RANGE", window.range), ("WATTR", window.wattr), ("LAG", window.lag)]
    elif isinstance(window, RowWindow):
        given = [("RANGE", window.range), ("SLIDE", window.slide), ("WATTR", window.wattr)]
        given += [("PARTIAL", None if window.partial else "OFF")]
    elif isinstance(window, SlideByTuple):
        given = [("RANGE", window.range), ("RATTR", window.rattr), ("SLIDE", window.slide), ("SATTR", window.sattr)]
    elif isinstance(window, Landmark):
        given = [
            ("LANDMARK", ""),
            ("FROM", window.since),
            ("SLIDE", window.slide),
            ("WATTR", window.wattr),
            ("OFFSET", window.offset),
        ]
    elif isinstance(window, LandmarkUntil):
        given = [("LANDMARK UNTIL", window.until), ("SLIDE", window.slide), ("WATTR", window.wattr), ("OFFSET", window.offset)]
    elif isinstance(window, LandmarkEvery):
        given = [("LANDMARK EVERY", window.every), ("SLIDE", window.slide), ("WATTR", window.wattr), ("OFFSET", window.offset)]
    elif isinstance(window, Band):
        given = [("BAND", window.lower), ("TO", window.upper), ("SLIDE", window.slide), ("WATTR", window.wattr)]
    elif isinstance(window, Now):
        given = [("NOW", ""), ("WATTR", window.wattr)]
    elif isinstance(window, Varying):
        given = [("RANGE", window.range.text), ("MAX", window.max), ("SLIDE", window.slide), ("WATTR", window.wattr)]
    elif isinstance(window, Session):
        given = [("SESSION GAP", window.gap), ("WATTR", window.wattr)]
    return [
        (name, _attribute(value) if name.endswith("ATTR") else render_length(value)) for name, value in given if value is not None
    ]


def _attribute(attribute: str | RowNum | Rank | Position) -> str:
    if isinstance(attribute, Rank):
        return f"rank({_name(attribute.attribute)})"
    return _name(str(attribute))


def render_length(value: Any) -> str:
    """A length, a point, or a name that is one already."""
    if isinstance(value, Duration):
        return f"INTERVAL {value.micros} MICROSECONDS" if value.micros < 0 else str(value).upper()
    if isinstance(value, Rows):
        return str(value).upper()
    if isinstance(value, datetime):
        return f"TIMESTAMP '{value.isoformat()}'"
    if isinstance(value, date):
        return f"DATE '{value.isoformat()}'"
    return str(value)


def render_disorder(disorder: Disorder) -> str:
    """The disorder clauses, each with a space before it."""
    clauses = [_generator(disorder)]
    if disorder.buffer is not None:
        clauses.append(f"BFSIZE {disorder.buffer}")
    if disorder.per_source is not None:
        clauses.append("PER SOURCE" + (f" ({_names(disorder.per_source)})" if disorder.per_source else ""))
    if disorder.idle_after is not None:
        clauses.append(f"IDLE AFTER {render_length(disorder.idle_after)}")
    if disorder.ahead is not None:
        clauses.append(f"AHEAD {render_length(disorder.ahead)}")
    if disorder.arrival_by is not None:
        clauses.append(f"ARRIVAL BY {_name(disorder.arrival_by)}")
    if disorder.late is not None:
        clauses.append(f"LATE {disorder.late.upper()}")
    return "".join(f" {clause}" for clause in clauses if clause)


def _generator(disorder: Disorder) -> str:
    generator = disorder.generator
    if isinstance(generator, PunctuationClause):
        declared = ", ".join(_substream(values) for values in generator.substreams)
        return f"PUNCTUATION ({_names(generator.columns)}) WHEN {generator.when.text}" + (
            f" FROM ({declared})" if declared else ""
        )
    if isinstance(generator, Ordered):
        return "ORDERED" + (f" PER {_names(generator.per)}" if generator.per else "")
    if isinstance(generator, Slack):
        return f"SLACK {render_length(generator.slack)}"
    if isinstance(generator, SlackPercent):
        return f"SLACK {generator.percent:g}%"
    if isinstance(generator, Heartbeat):
        return "HEARTBEAT" + (" AVERAGE" if generator.average else "")
    if isinstance(generator, DropRatio):
        return f"DRATIO {generator.ratio * 100:.12g}%" + (" NORMAL" if generator.normal else "")
    return ""


def _substream(values: tuple[Any, ...]) -> str:
    shown = [_literal(value) for value in values]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _literal(value: Any) -> str:
    return str(exp.Literal.string(value).sql("spark")) if isinstance(value, str) else render_length(value)


def render_stream(stream: StreamDefinition) -> str:
    """CREATE STREAM."""
    columns = ", ".join(f"{_name(column.name)} {column.type}" for column in stream.columns)
    order = "" if stream.order_by is None else f" ORDER BY {_name(stream.order_by)}"
    source = "" if stream.source is None else f" SOURCE {render_endpoint(stream.source)}"
    return f"CREATE STREAM {_name(stream.name)} ({columns}){order}{render_disorder(stream.disorder)}{source}"


def render_endpoint(endpoint: Endpoint) -> str:
    """A source or a sink."""
    named = ""
    if endpoint.name is not None:
        named = f" {_name(endpoint.name)}" if endpoint.kind == "TABLE" else f" {_literal(endpoint.name)}"
    form = "" if endpoint.format is None else f" FORMAT {endpoint.format}"
    options = ", ".join(f"{key} {_literal(value)}" for key, value in endpoint.options)
    return f"{endpoint.kind}{named}{form}" + (f" OPTIONS ({options})" if options else "")


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(_name, names))


def _name(name: str) -> str:
    """A name, in backquotes unless it is plain."""
    return name if is_plain(name) else str(exp.to_identifier(name, quoted=True).sql("spark"))
