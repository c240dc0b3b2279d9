"""What a relation has joined so far, as SQL's FROM has it: one more join is bound together with those."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.expression import parse
from transom.plan.nodes.node import Node
from transom.plan.nodes.windowed import Cut
from transom.plan.relations.as_of_join import AsOfJoin
from transom.plan.relations.distances import Distances
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.flat_naming import as_of_below, flat_naming
from transom.plan.relations.naming import Naming
from transom.plan.relations.window_join import JoinStep, WindowJoin
from transom.semantics.windows.now import Now

SoFar = tuple[tuple[Node, ...], tuple[str, ...], list[exp.Join]]
"""Relations, what they are called, and the joins between them."""


def joined_so_far(join: WindowJoin | AsOfJoin, *, as_of: bool = False) -> SoFar:
    """The relations of a join one by one. For an as-of join, those of an interval join are streams, as they were written."""
    if isinstance(join, AsOfJoin):
        return join.sides, join.names, _looked_up(join)
    each = flat_naming(join)
    places = ((here, exp.column(there, table=each.names[n], quoted=True)) for (n, there), here in each.owners.items())
    written = {here: column.sql("spark") for here, column in places}
    derived = any(as_of_below(side) and isinstance(side, Cut) and not isinstance(side.window, Now) for side in join.sides)
    derived |= as_of and _is_interval(join)
    nodes: list[Node] = []
    joins: list[exp.Join] = []
    for n, side in enumerate(join.sides):
        within = as_of_below(side)
        if n:
            joins.append(_window_join(join, join.steps[n - 1], written))
        nodes += within.sides if within else [side.input if derived and isinstance(side, Cut) else side]
        joins += _looked_up(within) if within else []
    return tuple(nodes), each.names, joins


def _is_interval(join: WindowJoin) -> bool:
    """Whether the windows are those that follow from the bounds in the conditions."""
    streams = tuple(side.input if isinstance(side, Cut) else side for side in join.sides)
    terms = [term for step in join.steps for term in terms_of(step.condition.tree)]
    found = Distances.of(Naming(streams, join.names, join.using), terms)
    return found.unbounded() is None and all(side == Cut(streams[n], found.window(n)) for n, side in enumerate(join.sides))


def _window_join(join: WindowJoin, step: JoinStep, written: Mapping[str, str]) -> exp.Join:
    side, kind = ("LEFT", step.kind) if step.kind in ("SEMI", "ANTI") else (step.kind, "")
    made = exp.Join(this=exp.to_table("joined"), side=None if side == "INNER" else side, kind=kind or None)
    if join.using:
        made.set("using", [exp.to_identifier(name) for name in join.using])
    else:
        made.set("on", parse(step.condition.restoring(written).text).copy())
    if join.timestamp != "min":
        made.meta[STAMP] = join.timestamp
    return made


def _looked_up(join: AsOfJoin) -> list[exp.Join]:
    made = []
    times = [exp.column(str(one.time_attribute), table=name) for one, name in zip(join.sides, join.names, strict=True)]
    for n, step in enumerate(join.steps, start=1):
        matches = (exp.GT if step.strict else exp.GTE)(this=times[0].copy(), expression=times[n])
        one = exp.Join(
            this=exp.to_table("joined"), method="ASOF", side=None if step.kind == "INNER" else step.kind, match_condition=matches
        )
        if join.using:
            one.set("using", [exp.to_identifier(name) for name in join.using])
        elif step.on:
            equal = (
                exp.EQ(this=exp.column(left, table=join.names[side]), expression=exp.column(right, table=join.names[n]))
                for side, left, right in step.on
            )
            one.set("on", exp.and_(*equal))
        if step.within is not None:
            one.meta[WITHIN] = step.within
        made.append(one)
    return made


def looks_back_from(join: exp.Join, names: Sequence[str], before: Sequence[exp.Join]) -> int:
    """The stream that an as-of join looks back from, by its place: that whose columns it compares, or which these are looked up
    for; the first, where it does not say."""
    on = join.args.get("on")
    named = {column.table.lower() for column in on.find_all(exp.Column)} if on is not None else set()
    place = next((n for n, name in enumerate(names) if name.lower() in named), 0)
    matches = before[place - 1].args.get("match_condition") if place else None
    return place if matches is None else names.index(matches.this.table)
