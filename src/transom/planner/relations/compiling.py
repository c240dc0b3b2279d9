"""From a plan over relations to relational operators, from the streams up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sqlglot import exp

from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, LateOf, Project, Scan, Sort, TableJoin
from transom.plan.nodes.windowed import Aggregate, Cut, Frames
from transom.plan.quoted import quoted
from transom.plan.reading import disorder_of, order_of
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.distances import bounds_of
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.naming import Naming
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked
from transom.planner.aggregate_calls import aggregates_of
from transom.planner.relations.inputs import (
    OWN_TS,
    AnyInput,
    Carried,
    ChangedInput,
    StreamInput,
    StreamStage,
    substituted,
)
from transom.planner.relations.relational_stages import (
    EVENT_TS,
    AsOfStage,
    GroupStage,
    JoinStage,
    MultiplicityStage,
    RelationalStage,
)
from transom.semantics.classes.measured import base_of
from transom.semantics.length import measure, rows
from transom.semantics.tuples import Position
from transom.semantics.windows.every_instant import EveryInstant
from transom.semantics.windows.filtered import Filtered
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow
from transom.semantics.windows.session import Session
from transom.semantics.windows.slide_by_tuple import SlideByTuple
from transom.semantics.windows.sliding import Sliding
from transom.semantics.windows.window import Window

RELATIONAL = (Changes, WindowJoin, AsOfJoin, SetOperation, Limit, Ranked)
GIVES = {"ISTREAM": "appeared", "DSTREAM": "disappeared", "RSTREAM": "states"}
INSTANT = {"window_end": EVENT_TS, "event_ts": EVENT_TS}
"""What says when a row of a relation was seen: both are the instant."""

Parts = Mapping[str, str]
"""What columns stand for, by their names in lower case."""

Chained = Callable[[Node], tuple[list[Any], list[Node], bool]]
"""The stages of a plan without relations."""


def is_relational(plan: Node) -> bool:
    """Whether a plan needs the operators on relations."""
    return any(isinstance(node, RELATIONAL) or (isinstance(node, Distinct) and node.keep_first) for node in plan.walk())


def relational_stage(plan: Node, chained: Chained) -> RelationalStage:
    """The topmost operator of a plan; those below are among its inputs."""
    if any(isinstance(node, LateOf) for node in plan.walk()):
        raise NotSupported(
            "late tuples of joins, set operations and streams of changes are counted, but not given as a stream yet",
            given="LATE OF",
            remedy="ask for LATE OF each input: a stream of its own",
        )
    return _Compiling(chained).top(plan)


@dataclass(frozen=True)
class _Compiling:
    chained: Chained

    def top(self, plan: Node) -> RelationalStage:
        above: list[Node] = []
        node = plan
        while isinstance(node, Project | Filter | Extend | TableJoin | Sort) or _is_plain_derived(node):
            above.append(node)
            assert node.child is not None
            node = node.child
        above.reverse()
        stage = self._core(node)
        _check_names(stage, above)
        return replace(stage, above=tuple(above) or (_everything(node),))

    def _core(self, node: Node) -> RelationalStage:
        if isinstance(node, Changes):
            return self._changes(node)
        if isinstance(node, WindowJoin):
            return self._join(node, changes=False)
        if isinstance(node, AsOfJoin):
            return self._as_of(node)
        if isinstance(node, SetOperation):
            return self._set_operation(node, "states")
        if isinstance(node, Distinct):
            return self._distinct(node, "states")
        if isinstance(node, Aggregate):
            return self._states(node)
        raise _not_yet(node)

    # -- operators -------------------------------------------------------------------------------------------

    def relation(self, node: Node) -> RelationalStage:
        """The operator that says how the relation of a node changes."""
        if isinstance(node, WindowJoin):
            return self._join(node, changes=True)
        if isinstance(node, SetOperation):
            return self._set_operation(node, "changes")
        if isinstance(node, Distinct):
            return self._distinct(node, "changes")
        if isinstance(node, Aggregate):
            return self._group(node)
        raise _not_yet(node)

    def _changes(self, node: Changes) -> RelationalStage:
        stamped = node.stamped
        names = [name for name in node.schema.names if name.lower() not in stamped]
        unknown = [name for name in node.schema.names if stamped.get(name.lower()) not in (None, *INSTANT)]
        if unknown:
            raise NotSupported(
                f"{node.kind} stamps its rows with the instant, event_ts or window_end, alone",
                given=", ".join(unknown),
                remedy="select window_end, and compute the rest of it",
            )
        taken = self._of_one_window(node, names) or self._source(node.input, lambda parts: _rows(names, parts))
        items = [(name, EVENT_TS if name.lower() in stamped else quoted(name)) for name in node.schema.names]
        return MultiplicityStage(node, (taken,), gives=GIVES[node.kind], items=tuple(_with_instant(items)))

    def _of_one_window(self, node: Changes, names: list[str]) -> AnyInput | None:
        """What changes in a single window that is measured on an attribute: its own operator reports it, and says what is late.

        Other windows leave late tuples out, as joins do.
        """
        cuts = [one for one in node.walk() if isinstance(one, Cut)]
        if len(cuts) != 1 or any(isinstance(one, RELATIONAL) for one in node.input.walk()):
            return None
        base = base_of(cuts[0].window)
        if isinstance(base, EveryInstant | Now | SlideByTuple | RowWindow):
            return None
        if not isinstance(base, Sliding | Session) or cuts[0].timestamp != "instant" or isinstance(node.input, Cut):
            raise NotSupported(
                f"{node.kind} over this window is defined, but not executed yet",
                given=cuts[0].label(),
                remedy="use a sliding or tumbling window, one at every instant, or one of rows",
            )
        made, pending, _ = self.chained(node.input)
        parts = {name.lower(): quoted(name) for name in node.input.schema.names} | INSTANT
        lasts: Window = Now(wattr=EVENT_TS) if isinstance(base, Session) else EveryInstant(range=base.slide, wattr=EVENT_TS)
        return ChangedInput(tuple(made), tuple(pending), _rows(names, parts), lasts)

    def _states(self, node: Aggregate) -> RelationalStage:
        """The relation of groups at each instant."""
        stamped = {name for name, item in node.items if item.text.lower() in INSTANT}
        names = [name for name in node.schema.names if name not in stamped]
        stage = self._group(node)
        parts = {name.lower(): quoted(name) for name in node.schema.names}
        below = ChangedInput((stage,), (), _rows(names, parts))
        items = [(name, EVENT_TS if name in stamped else quoted(name)) for name in node.schema.names]
        return MultiplicityStage(node, (below,), gives="states", items=tuple(_with_instant(items)))

    def _set_operation(self, node: SetOperation, gives: str) -> RelationalStage:
        names = node.schema.names
        inputs = []
        for side in node.inputs:
            own = dict(zip(names, side.schema.names, strict=True))
            types = {name: (side.schema.find(own[name]).type, node.schema.find(name).type) for name in names}
            inputs.append(self._source(side, lambda parts, own=own, types=types: _typed(own, types, parts)))  # type: ignore[misc]
        operation = f"{node.operation.lower()}{' all' if node.every else ''}"
        items = tuple(_with_instant([(name, quoted(name)) for name in names]))
        return MultiplicityStage(node, tuple(inputs), operation=operation, gives=gives, items=items)

    def _distinct(self, node: Distinct, gives: str) -> RelationalStage:
        if node.keep_first:
            raise NotSupported(
                "DISTINCT KEEP FIRST is defined, but not executed yet",
                given=node.label(),
                remedy="use DISTINCT, or ISTREAM over it",
            )
        names = node.schema.names
        taken = self._source(node.input, lambda parts: _rows(names, parts))
        items = tuple(_with_instant([(name, quoted(name)) for name in names]))
        return MultiplicityStage(node, (taken,), operation="distinct", gives=gives, items=items)

    def _group(self, node: Aggregate) -> RelationalStage:
        spelled = [item for _, item in node.items] + ([node.having] if node.having is not None else [])
        calls = {call.text: call for item in spelled for call in aggregates_of(item)}
        if any(call.call.user is not None for call in calls.values()):
            raise NotSupported(
                "aggregates of users over joins and set operations are not executed yet",
                given=", ".join(calls),
                remedy="use built-in aggregates, or materialise the join first",
            )
        arguments = list(dict.fromkeys(text for call in calls.values() for text in call.args))

        def carried(parts: Parts) -> Carried:
            keys = tuple((name, parts[name.lower()]) for name in node.group_by)
            given = tuple((f"x{n}", substituted(Expression(text), parts)) for n, text in enumerate(arguments))
            return Carried(keys=keys, arguments=given)

        below = self._source(node.input, carried)
        named = [(call.text, f"__y{n}") for n, call in enumerate(calls.values())]
        items = tuple((name, _instant_of(item.replacing(dict(named)))) for name, item in node.items)
        having = None if node.having is None else _instant_of(node.having.replacing(dict(named)))
        places = {text: f"x{n}" for n, text in enumerate(arguments)}
        renamed = tuple(
            replace(call, text=Expression(call.text).replacing(places).text, args=tuple(places[text] for text in call.args))
            for call in calls.values()
        )
        return GroupStage(node, (below,), calls=renamed, items=items, having=having)

    # -- joins -----------------------------------------------------------------------------------------------

    def _join(self, node: WindowJoin, *, changes: bool) -> RelationalStage:
        owners = node.naming.owners
        made: RelationalStage | None = None
        shown = [0]
        for n, step in enumerate(node.steps, start=1):
            last = n == len(node.steps)
            keys, least, most, residual = _conditions(node, n)
            if residual and step.kind != "INNER":
                raise NotSupported(
                    f"the condition of a {step.kind} join is of equalities, and of bounds on the distance of timestamps",
                    given=" AND ".join(residual),
                    remedy="filter the inputs before they are joined, or use an inner join",
                )
            if made is None:
                left = self._side(node, 0, [one for one, _ in keys])
            else:
                names = [name for side in shown for name in _names_of(node, side)]
                columns = tuple((name, quoted(name)) for name in [*names, *(f"{OWN_TS}{side}" for side in shown)])
                left = ChangedInput(
                    (made,), (), Carried(tuple((str(i), quoted(one)) for i, (one, _) in enumerate(keys)), columns)
                )
            right = self._side(node, n, [other for _, other in keys])
            if step.shows_right:
                shown.append(n)
            items = [(owners[side, name], quoted(owners[side, name])) for side in shown for name in _own(node, side)]
            items += [(f"{OWN_TS}{side}", quoted(f"{OWN_TS}{side}")) for side in shown]
            if last:
                stamps = ", ".join(quoted(f"{OWN_TS}{side}") for side in shown)
                stamp = {"min": f"least({stamps})", "max": f"greatest({stamps})", "now": EVENT_TS}[node.timestamp]
                stamp = stamps if node.timestamp != "now" and len(shown) == 1 else stamp
                items += [(owners[side, EVENT_TS], quoted(f"{OWN_TS}{side}")) for side in shown if (side, EVENT_TS) in owners]
                items += [("window_end", EVENT_TS), *([] if changes else [(EVENT_TS, stamp)])]
            made = JoinStage(
                node,
                (left, right),
                kind=step.kind.lower(),
                changes=changes or not last,
                items=tuple(dict(items).items()),
                residual=" AND ".join(f"({text})" for text in residual) or None,
                least=least,
                most=most,
            )
        assert made is not None
        return made

    def _side(self, node: WindowJoin, side: int, keys: list[str]) -> AnyInput:
        """An input of a join, with its columns under the names they have in it."""
        owners = node.naming.owners
        there = {owners[side, name]: name for name in _own(node, side)}

        def carried(parts: Parts) -> Carried:
            columns = [(here, parts[name]) for here, name in there.items()]
            columns.append((f"{OWN_TS}{side}", parts[EVENT_TS]))
            return Carried(tuple((str(i), parts[there[key]]) for i, key in enumerate(keys)), tuple(columns))

        return self._source(node.sides[side], carried, lasting=True)

    def _as_of(self, node: AsOfJoin) -> RelationalStage:
        owners = node.naming.owners
        inputs = []
        for side, below in enumerate(node.inputs):
            time = str(below.time_attribute)
            now = Cut(below, Now(wattr=time))

            def carried(parts: Parts, side: int = side, below: Node = below) -> Carried:
                keys = tuple((str(i), parts[pair[side].lower()]) for i, pair in enumerate(node.on))
                return Carried(keys, tuple((owners[side, name.lower()], parts[name.lower()]) for name in below.schema.names))

            inputs.append(self._source(now, carried))
        items = [(owners[side, name.lower()],) * 2 for side, below in enumerate(node.inputs) for name in below.schema.names]
        selected = [(name, quoted(name)) for name, _ in items]
        if node.using:
            selected += [(name, quoted(owners[0, name.lower()])) for name in node.using]
        within = None if node.within is None else measure(node.within)
        if within is not None and Fraction(within).denominator != 1:
            raise NotSupported("WITHIN is a whole number of units", given=str(node.within), remedy="round it")
        return AsOfStage(
            node,
            (inputs[0], inputs[1]),
            strictly=node.strict,
            within=None if within is None else int(within),
            outer=node.kind == "LEFT",
            items=tuple(dict(_with_instant(selected)).items()),
        )

    # -- inputs ----------------------------------------------------------------------------------------------

    def _source(self, node: Node, carried: Callable[[Parts], Carried], *, lasting: bool = False) -> AnyInput:
        """An input of an operator: a stream with a window that it reads itself, or an operator below.

        Of `lasting` rows one that is the same at two instants is one row, and not two that follow one another.
        """
        above: list[Node] = []
        below = node
        while isinstance(below, Project | Filter | Extend) or _is_plain_derived(below):
            above.append(below)
            assert below.child is not None
            below = below.child
        above.reverse()
        if isinstance(below, Cut):
            return self._stream(below, above, carried)
        reported = self._reported(node, below)
        if reported is not None:
            stages, between, window = reported
            parts = {name.lower(): quoted(name) for name in node.schema.names} | INSTANT
            if not lasting:
                return ChangedInput(stages, between, carried(parts), window)
            reports = ChangedInput(stages, between, _rows(node.schema.names, parts), window)
            items = tuple((name, quoted(name)) for name in node.schema.names)
            stages, between = (MultiplicityStage(node, (reports,), gives="changes", items=items),), ()
            return ChangedInput(stages, between, carried(parts))
        stage = self.relation(below)
        _check_names(stage, above)
        parts = {name.lower(): quoted(name) for name in node.schema.names} | {EVENT_TS: EVENT_TS}
        return ChangedInput((stage,), tuple(above), carried({"window_end": EVENT_TS, **parts}))

    def _reported(self, node: Node, below: Node) -> tuple[tuple[Any, ...], tuple[Node, ...], Window] | None:
        """The relation of an aggregate over a sliding window, as its own operator reports it at each slide."""
        if not isinstance(below, Aggregate) or any(isinstance(one, RELATIONAL) for one in below.walk()):
            return None
        cut = next((one for one in below.chain() if isinstance(one, Cut)), None)
        base = None if cut is None else base_of(cut.window)
        if cut is None or cut.timestamp != "instant" or not isinstance(base, Sliding | Session):
            return None
        made, pending, _ = self.chained(node)
        window: Window = Now(wattr=EVENT_TS) if isinstance(base, Session) else EveryInstant(range=base.slide, wattr=EVENT_TS)
        return tuple(made), tuple(pending), window

    def _stream(self, cut: Cut, above: list[Node], carried: Callable[[Parts], Carried]) -> AnyInput:
        base = base_of(cut.window)
        _check_window(base)
        *below, scan = cut.input.chain()
        if not isinstance(scan, Scan) or any(isinstance(one, Cut | Frames) for one in below):
            raise NotSupported(
                "the inputs of joins, set operations and streams of changes are windows on streams",
                given=cut.input.label(),
                remedy="materialise the query below, and window that",
            )
        stage = StreamStage(
            scan, tuple(reversed(below)), Project(cut, ()), disorder_of(scan, cut), order_of(scan),
            scan.stream.order_by is not None, cut=cut,
        )  # fmt: skip
        names = [*cut.schema.names, *(column.name for column in cut.input.schema.hidden)]
        parts = {name.lower(): quoted(name) for name in names} | {EVENT_TS: quoted(str(stage.attribute))}
        picked = [cut.window.where.text] if isinstance(cut.window, Filtered) else []
        for node in above:
            if isinstance(node, Filter):
                picked.append(substituted(node.condition, _known(node.condition, parts)))
            elif isinstance(node, Project):
                own = {name.lower(): substituted(item, _known(item, parts)) for name, item in node.items}
                parts = {EVENT_TS: parts[EVENT_TS], **own}
            elif isinstance(node, Extend):
                parts = parts | {name.lower(): substituted(item, _known(item, parts)) for name, item in node.items}
        wanted = " AND ".join(f"({text})" for text in picked) or None
        return StreamInput(replace(stage, carried=carried(_Known(parts)), picked=wanted))


class _Known(dict[str, str]):
    """Columns of a window; what its window would stamp on is refused."""

    def __missing__(self, name: str) -> str:
        raise NotSupported(
            "a join or a set operation has one instant for all of its inputs, and none of their own",
            given=name,
            remedy="select window_end or event_ts of the result",
        )


def _known(item: Expression, parts: Parts) -> Parts:
    """What the columns of an expression stand for: all of them stand for something."""
    for column in item.columns:
        if column.lower() not in parts:
            _Known()[column]
    return parts


def _check_window(base: Window) -> None:
    slow = isinstance(base, SlideByTuple) and base.slide != rows(1)
    counted = isinstance(base, RowWindow) and isinstance(base.wattr, Position)
    if isinstance(base, Session) or slow or counted:
        raise NotSupported(
            "this window has no states yet that a join, a set operation or a stream of changes could look at",
            given=type(base).__name__,
            remedy="aggregate it in a subquery" if isinstance(base, Session) else "use a window of rows, or on time",
        )


def _conditions(node: WindowJoin, side: int) -> tuple[list[tuple[str, str]], int | None, int | None, list[str]]:
    """The condition of a step: equal columns, bounds on the distance of two timestamps, and the rest."""
    equal = set(node.equalities[side - 1])
    streams = Naming(tuple(map(_stream_below, node.sides)), node.names, node.using)
    least: int | None = None
    most: int | None = None
    rest: list[str] = []
    for term in (term.unnest() for term in terms_of(node.steps[side - 1].condition.tree)):
        columns = [column.name for column in term.find_all(exp.Column)]
        if isinstance(term, exp.EQ) and len(columns) == 2 and equal & {tuple(columns), tuple(reversed(columns))}:
            continue
        bounds = list(bounds_of(term, streams))
        wanted = 2 if isinstance(term, exp.Between | exp.EQ) else 1
        if side == 1 and len(bounds) == wanted and all(Fraction(c).denominator == 1 for _, _, c, _ in bounds):
            for i, _, c, strictly in bounds:
                limit = int(c) - strictly
                if i == 1:  # right less left is at most c
                    most = limit if most is None else min(most, limit)
                else:
                    least = -limit if least is None else max(least, -limit)
        elif not (isinstance(term, exp.Boolean) and term.this):
            rest.append(term.sql(dialect="spark"))
    pairs = [(one, other) for one, other in node.equalities[side - 1]]
    return pairs, least, most, rest


def _stream_below(node: Node) -> Node:
    """The stream that a window is on, where it is measured by the stream's own timestamps."""
    measured = isinstance(node, Cut) and base_of(node.window).attribute == node.input.time_attribute
    return node.input if isinstance(node, Cut) and measured else node


def _own(node: WindowJoin, side: int) -> list[str]:
    """The columns of an input, by their names in lower case."""
    return [name.lower() for name in node.sides[side].schema.names]


def _names_of(node: WindowJoin, side: int) -> list[str]:
    return [node.naming.owners[side, name] for name in _own(node, side)]


def _rows(names: list[str], parts: Parts) -> Carried:
    """Rows that are equal if all of their columns are."""
    columns = tuple((name, parts[name.lower()]) for name in names)
    return Carried(keys=columns, columns=columns)


def _typed(own: Mapping[str, str], types: Mapping[str, tuple[str, str]], parts: Parts) -> Carried:
    """Columns by their place, in the type that both sides have in common."""
    columns = []
    for name, there in own.items():
        text, (given, wanted) = parts[there.lower()], types[name]
        columns.append((name, text if given == wanted or "UNKNOWN" in (given, wanted) else f"CAST({text} AS {wanted})"))
    return Carried(keys=tuple(columns), columns=tuple(columns))


def _with_instant(items: list[tuple[str, str]]) -> list[tuple[str, str]]:
    named = {name.lower() for name, _ in items}
    return [*items, *((name, EVENT_TS) for name in ("window_end", EVENT_TS) if name not in named)]


def _instant_of(item: Expression) -> str:
    return substituted(item, {"window_end": EVENT_TS})


def _everything(node: Node) -> Project:
    return Project(node, tuple((name, Expression.of(exp.column(name, quoted=True))) for name in node.schema.names))


def _is_plain_derived(node: Node) -> bool:
    return isinstance(node, Derived)


def _check_names(stage: RelationalStage, above: list[Node]) -> None:
    """What stands above an operator names what it gives."""
    known = {name.lower() for name, _ in stage.finish()[0]} | {EVENT_TS}
    for node in above:
        if isinstance(node, Filter | Project | Sort):
            items = (
                [node.condition]
                if isinstance(node, Filter)
                else node.by
                if isinstance(node, Sort)
                else [i for _, i in node.items]
            )
            unknown = [column for item in items for column in item.columns if column.lower() not in known]
            if unknown:
                raise NotSupported(
                    "this column of an input is not carried through joins and set operations",
                    given=unknown[0],
                    remedy="select window_end or event_ts of the result",
                )
        if isinstance(node, Project | Extend):
            own = {name.lower() for name, _ in node.items}
            known = own | {EVENT_TS} if isinstance(node, Project) else known | own
        elif isinstance(node, TableJoin):
            return


def _not_yet(node: Node) -> NotSupported:
    if isinstance(node, Limit | Ranked):
        return NotSupported(
            "LIMIT and ranks within an instant are defined, but not executed yet",
            given=node.label(),
            remedy="rank the rows of each window in foreachBatch: all rows of an instant leave in one micro-batch",
        )
    return NotSupported(
        f"{type(node).__name__} cannot stand here yet, among joins, set operations and streams of changes",
        given=node.label(),
        remedy="materialise the query below it",
    )
