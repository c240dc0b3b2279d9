"""From a plan over relations to relational operators, from the streams up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlglot import exp

from transom.errors import NotSupported
from transom.plan.expression import Expression
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Distinct, Extend, Filter, Project, Sort, TableJoin
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.changes import Changes
from transom.plan.relations.set_operation import SetOperation
from transom.plan.relations.stamps import STAMPS, sources_of
from transom.plan.relations.window_join import WindowJoin
from transom.plan.relations.within_instant import Limit, Ranked
from transom.planner.relations.compile.as_of_compiling import as_of
from transom.planner.relations.compile.carried_texts import everything
from transom.planner.relations.compile.change_compiling import changes
from transom.planner.relations.compile.group_compiling import group, states
from transom.planner.relations.compile.join_compiling import join
from transom.planner.relations.compile.rank_compiling import ranked_changes, within_instants
from transom.planner.relations.compile.set_compiling import distinct, set_operation
from transom.planner.relations.compile.window_sources import Carries, check_names, source
from transom.planner.relations.inputs import AnyInput
from transom.planner.relations.relational_stages import JoinStage, RelationalStage
from transom.semantics.classes.measured import base_of
from transom.semantics.length import rows
from transom.semantics.windows.slide_by_tuple import SlideByTuple

Chained = Callable[[Node], tuple[list[Any], list[Node]]]
"""The stages of a plan, and what stands above the last."""

Compiles = Callable[["Compiler", Any], RelationalStage]

STREAMS: dict[type[Node], Compiles] = {
    Changes: changes,
    WindowJoin: partial(join, changes=False),
    AsOfJoin: as_of,
    SetOperation: partial(set_operation, gives="states"),
    Distinct: partial(distinct, gives="states"),
    Aggregate: states,
    Limit: within_instants,
    Ranked: within_instants,
}
"""What a node gives on top of a query: the rows of a stream."""

RELATIONS: dict[type[Node], Compiles] = {
    WindowJoin: partial(join, changes=True),
    SetOperation: partial(set_operation, gives="changes"),
    Distinct: partial(distinct, gives="changes"),
    Aggregate: group,
    Limit: ranked_changes,
    Ranked: ranked_changes,
}
"""What a node gives below another: how its relation changes."""


def relational_stage(plan: Node, chained: Chained) -> RelationalStage:
    """The topmost operator of a plan; those below are among its inputs."""
    if any(isinstance(node, LateOf) for node in plan.walk()):
        raise NotSupported(
            "late tuples are not joined, compared or aggregated in the query that asks for them",
            given="LATE OF",
            remedy="write them to a table first: INSERT INTO TABLE ... SELECT * FROM the late tuples",
        )
    several = sum(1 for _ in sources_of(plan)) > 1
    return Compiler(chained, frozenset(_names(plan)), several).top(plan)


@dataclass(frozen=True)
class Compiler:
    """A plan on its way to operators. `named` are the columns that its expressions name, in lower case; with `several` windows
    it has more than one. `ordered` says that an aggregate above wants rows in order."""

    chained: Chained
    named: frozenset[str]
    several: bool
    ordered: bool = False

    def top(self, plan: Node) -> RelationalStage:
        """The topmost operator, and what Spark computes above it."""
        above: list[Node] = []
        node = plan
        while isinstance(node, Project | Filter | Extend | TableJoin | Sort | Derived):
            above.append(node)
            node = node.input
        stage = self._made(STREAMS, node)
        above = _keeping_stamps(above, {name.lower() for name, _ in stage.finish()[0]} & set(STAMPS))
        above.reverse()
        check_names(stage, above)
        return replace(stage, above=tuple(above) or (everything(node),), looked_at=looked_at(node, stage))

    def relation(self, node: Node) -> RelationalStage:
        """The operator that says how the relation of a node changes."""
        return self._made(RELATIONS, node)

    def source(self, node: Node, carried: Carries, *, lasting: bool = False) -> AnyInput:
        """An input of an operator."""
        return source(self, node, carried, lasting=lasting)

    def _made(self, known: dict[type[Node], Compiles], node: Node) -> RelationalStage:
        kind = next((kind for kind in type(node).__mro__ if kind in known), None)
        if kind is None:
            raise NotSupported(
                f"{type(node).__name__} cannot stand here, among joins, set operations and streams of changes",
                given=node.label(),
                remedy="make a stream of the query below it, and window that",
            )
        return known[kind](self, node)


def looked_at(node: Node, stage: RelationalStage) -> bool:
    """Whether rows change at instants alone: those of a window at every tuple stay until somebody looks.

    Pairs of an inner join come with a tuple, and tuples are looked at.
    """
    below = [one for taken in stage.inputs for one in taken.stages]
    if isinstance(stage, JoinStage) and stage.kind == "inner" and not any(isinstance(one, JoinStage) for one in below):
        return False
    bases = [base_of(cut.window) for cut in sources_of(node) if isinstance(cut, Cut)]
    return any(isinstance(base, SlideByTuple) and base.slide == rows(1) for base in bases)


def _keeping_stamps(above: list[Node], stamps: set[str]) -> list[Node]:
    """Nodes, from the top, of which select lists also keep the stamps that are named above them."""
    made: list[Node] = []
    wanted: set[str] = set()
    for node in above:
        if isinstance(node, Project):
            own = {name.lower() for name, _ in node.items}
            added = [(name, Expression.of(exp.column(name, quoted=True))) for name in sorted(wanted - own)]
            made.append(replace(node, items=(*node.items, *added)))
            wanted -= own
        else:
            made.append(node)
        wanted |= {
            name.lower() for value in vars(node).values() for item in _expressions(value) for name in item.columns
        } & stamps
    return made


def _names(plan: Node) -> Iterator[str]:
    """The columns that the expressions of a plan name."""
    for node in plan.walk():
        for value in vars(node).values():
            yield from (name.lower() for item in _expressions(value) for name in item.columns)
        if isinstance(node, Ranked):
            yield from (name.lower() for ranking in node.rankings for name in ranking.partition_by)


def _expressions(value: Any) -> Iterator[Expression]:
    """The expressions in the fields of a node."""
    if isinstance(value, Expression):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _expressions(one)
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, Node):
        for name in value.__dataclass_fields__:
            yield from _expressions(getattr(value, name, None))
