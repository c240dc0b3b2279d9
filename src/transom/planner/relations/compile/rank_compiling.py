"""LIMIT, and ranks over the rows of an instant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sqlglot
from sqlglot import exp

from transom.column_names import AGGREGATE, EVENT_TS
from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, Project, Sort, TableJoin, Unary
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.quoted import quoted
from transom.plan.relations.partitioned_apart import partitioned_apart, parts_of
from transom.plan.relations.stamps import STAMPS, stamps_of
from transom.plan.relations.within_instant import Limit, Ranked
from transom.planner.relations.compile.carried_texts import (
    INSTANT,
    Parts,
    by_name,
    check_stamps,
    everything,
    rows_of,
    with_instant,
)
from transom.planner.relations.compile.relational_nodes import has_relational, is_relational, needs_relations
from transom.planner.relations.inputs import AnyInput, Carried, ChangedInput, substituted
from transom.planner.relations.rank_stage import RankStage
from transom.planner.relations.relational_stages import MultiplicityStage, RelationalStage
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.windows.now import Now
from transom.semantics.windows.row_window import RowWindow

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler

OWN = tuple(name for name in STAMPS if name != EVENT_TS)
Order = tuple[tuple[str, bool, bool], ...]


def within_instants(compiler: Compiler, node: Limit | Ranked) -> RelationalStage:
    """The rows at each instant, ranked or limited."""
    partitions = _partitions(node)
    if partitions:
        return _by_partition(compiler, node, partitions)
    wanted = _wanted(compiler, node.input)
    taken = _reported(compiler, node.input, wanted)
    if taken is None:
        return _states(compiler, node)
    stages, pending = taken
    names = [*node.input.schema.names, *wanted]
    parts = by_name(names) | {name: text for name, text in INSTANT.items() if name not in {one.lower() for one in names}}
    return _stages(node, names, parts, lambda carried: ChangedInput(stages, pending, carried, Now(wattr=EVENT_TS)), "stream")


def ranked_changes(compiler: Compiler, node: Limit | Ranked) -> RelationalStage:
    """What enters and leaves of the relation of ranked rows."""
    stamped = stamps_of(node.input)
    names = [name for name in node.input.schema.names if name.lower() not in stamped]

    def taken(carried: _Carries) -> AnyInput:
        return compiler.source(node.input, carried.of)

    instants = [name for name, stamp in stamped.items() if stamp in INSTANT]
    return _stages(node, names, None, taken, "changes", instants)


def _states(compiler: Compiler, node: Limit | Ranked) -> RelationalStage:
    """The relation at each instant, where operators below say what changes."""
    check_stamps(node, "the rows of an instant")
    stamped = stamps_of(node)
    names = [name for name in node.schema.names if name.lower() not in stamped]
    below = ChangedInput((ranked_changes(compiler, node),), (), rows_of(names, by_name(names)))
    items = [(name, EVENT_TS if name.lower() in stamped else quoted(name)) for name in node.schema.names]
    return MultiplicityStage(node, (below,), gives="states", items=tuple(with_instant(items)))


def _by_partition(compiler: Compiler, node: Limit | Ranked, partitions: tuple[str, ...]) -> RelationalStage:
    """The rows of each partition of a window of rows, ranked whenever a window of it ends."""
    check_stamps(node, "the rows of an instant")
    stamped = stamps_of(node.input)
    names = [name for name in node.input.schema.names if name.lower() not in stamped]
    instants = [name for name in node.input.schema.names if name.lower() in stamped]
    return _stages(
        node, names, None, lambda carried: compiler.source(node.input, carried.of), "stream", instants, partitions=partitions
    )


def _partitions(node: Limit | Ranked) -> tuple[str, ...]:
    """The columns that partition a window of rows. A rank within an extent is within its partition; what the rows of several
    partitions have in common at an instant is not known where each is reported at its own."""
    cut = partitioned_apart(node.input)
    if cut is None or _looks_at_all(node.input):
        return ()
    rankings = () if isinstance(node, Limit) else node.rankings
    known = [parts_of(cut, node.input, one.partition_by) for one in rankings]
    grouped = any(isinstance(one, Aggregate | Distinct) for one in node.input.chain())
    counted = isinstance(base_of(cut.window), RowWindow)
    if not known or None in known or (counted and grouped):
        by = ", ".join(partition_columns(cut.window))
        groups = f"use GROUP BY {by} instead of PATTR {by}; or " if grouped and not counted else ""
        raise NotSupported(
            "each partition is reported at instants of its own, and its rows are not compared with those of others",
            given=f"{node.label()} over PATTR {by}",
            remedy=f"{groups}ask for ISTREAM or RSTREAM, which look at all partitions"
            + ("" if isinstance(node, Limit) or grouped else f"; or rank within each: PARTITION BY {by}, window_end"),
        )
    return known[0] or () if counted and not has_relational(node.input) else ()


def _looks_at_all(node: Node) -> bool:
    """Whether operators below see the relation of all partitions: changes, joins, set operations, and groups of what was
    compared."""
    kinds = (Aggregate, Distinct, Limit, Ranked)
    grouped = [isinstance(one, Aggregate) for one in node.chain() if isinstance(one, kinds)]
    return True in grouped[:-1] or any(needs_relations(one) and not isinstance(one, Limit | Ranked) for one in node.walk())


# -- the stages ----------------------------------------------------------------------------------------------


class _Carries:
    """What a ranking carries of its input: rows, what it is partitioned and ordered by."""

    def __init__(self, names: Sequence[str], partition_by: Sequence[str], order_by: Sequence[Expression]) -> None:
        self.names, self.partition_by = names, partition_by
        self.trees = [_ordered(item) for item in order_by]

    def of(self, parts: Parts) -> Carried:
        columns = tuple((name, parts[name.lower()]) for name in self.names)
        keys = tuple((name, parts[name.lower()]) for name in self.partition_by)
        given = tuple((f"x{n}", substituted(Expression(tree.this.sql("spark")), parts)) for n, tree in enumerate(self.trees))
        return Carried(keys, columns, given)

    @property
    def directions(self) -> tuple[tuple[bool, bool], ...]:
        """Of each item of ORDER BY, whether it descends, and whether NULLs come first."""
        return tuple(map(_direction, self.trees))


def _stages(
    node: Limit | Ranked,
    names: list[str],
    parts: Parts | None,
    below: Any,
    gives: str,
    instants: Sequence[str] = (),
    *,
    partitions: tuple[str, ...] = (),
) -> RelationalStage:
    """One stage for LIMIT, and one for each ranking on top of the other."""
    steps: list[tuple[str, int | None, str | None, _Carries]] = []
    known = list(names)
    if isinstance(node, Limit):
        assert isinstance(node.input, Sort)
        steps.append(("row_number", node.count, None, _Carries(known, (), node.input.by)))
    else:
        for ranking in node.rankings:
            stamped: set[str] = set() if parts is not None else set(STAMPS)
            by = [name for name in ranking.partition_by if name.lower() not in stamped]
            steps.append((ranking.function, None, ranking.text, _Carries(list(known), by, ranking.order_by)))
            known.append(ranking.text)
    made: RelationalStage | None = None
    for function, limit, called, carries in steps:
        if made is not None:
            own = INSTANT | by_name(list(carries.names))
            reports = Now(wattr=EVENT_TS) if gives == "stream" else None
            taken: AnyInput = ChangedInput((made,), (), carries.of(own), reports)
        else:
            taken = below(carries.of(parts)) if parts is not None else below(carries)
        items = [(name, quoted(name)) for name in carries.names] + ([(called, f"{AGGREGATE}0")] if called is not None else [])
        items += [(name, EVENT_TS) for name in instants]
        made = RankStage(
            node,
            (taken,),
            function=function,
            limit=limit,
            order=carries.directions,
            ties=len(set(names) & set(node.input.schema.names)),
            gives=gives,
            partitions=partitions if made is None else (),
            items=tuple(with_instant(items)),
        )
    assert made is not None
    return made


def _ordered(item: Expression) -> exp.Ordered:
    tree = sqlglot.parse_one(item.text, into=exp.Ordered, read="spark")
    assert isinstance(tree, exp.Ordered)
    return tree


def _direction(tree: exp.Ordered) -> tuple[bool, bool]:
    down, first = bool(tree.args.get("desc")), tree.args.get("nulls_first")
    return down, (not down) if first is None else bool(first)


# -- one window ----------------------------------------------------------------------------------------------


def _wanted(compiler: Compiler, node: Node) -> list[str]:
    """The columns of a window that the query names, beside those that are selected already."""
    taken = {name.lower() for name in node.schema.names}
    hidden = {column.name.lower() for column in node.schema.hidden}
    return [name for name in OWN if name in compiler.named and name in hidden and name not in taken]


def _reported(compiler: Compiler, node: Node, wanted: list[str]) -> tuple[tuple[Any, ...], tuple[Node, ...]] | None:
    """The rows that a single window reports at each instant, by its own operator; None of other relations."""
    between: list[Node] = []
    below = node
    while isinstance(below, Project | Filter | Extend | Sort | Derived | TableJoin):
        between.append(below)
        below = below.input
    if isinstance(below, Limit | Ranked) and not has_relational(below.input):
        return (within_instants(compiler, below),), tuple(one for one in reversed(between) if not isinstance(one, Sort))
    if has_relational(below) or not isinstance(below, Aggregate | Cut) or is_relational(below) or _of_rows(below):
        return None
    if isinstance(below, Cut) and not any(isinstance(one, Project) for one in between):
        node = everything(node)
    made, pending = compiler.chained(_with_stamps(node, wanted))
    return tuple(made), tuple(one for one in pending if not isinstance(one, Sort))


def _of_rows(node: Node) -> bool:
    """Whether rows are counted: their windows end with each row, and instants are timestamps."""
    cut = next(one for one in node.chain() if isinstance(one, Cut))
    return isinstance(base_of(cut.window), RowWindow)


def _with_stamps(node: Node, names: list[str]) -> Node:
    """A query that selects what its window stamps on, too."""
    if not names or isinstance(node, Cut):
        return node
    assert isinstance(node, Unary)
    added = tuple((name, Expression.of(exp.column(name, quoted=True))) for name in names)
    if isinstance(node, Aggregate):
        return replace(node, items=(*node.items, *added))
    below = replace(node, input=_with_stamps(node.input, names))
    return replace(below, items=(*below.items, *added)) if isinstance(below, Project) else below
