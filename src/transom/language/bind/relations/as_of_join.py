"""As-of joins, in Spark's syntax: `a ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.k = b.k`, beside one another and others.

An as-of join stands behind the FROM so far, but looks back from one stream of it: that stream and those that are looked up for
it are one input of the joins beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported
from transom.language.bind.joins import not_an_equality, side_of, terms_of_on
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.nodes.node import Node
from transom.plan.relations.as_of_join import AsOfJoin, AsOfStep

LOOKS_BACK = "write MATCH_CONDITION (a.ts >= b.ts), where a stands before ASOF JOIN and both are ordered by ts"


@dataclass
class Gathered:
    """An input of the joins of windows: a relation of FROM, by its place, and the streams that are looked up for it."""

    places: list[int]
    steps: list[AsOfStep] = field(default_factory=list)
    padded: bool = False
    """Whether another join keeps rows that have none of it."""
    hidden: bool = False
    """Whether a semi or an anti join only looks whether there is one of it."""


def gathered(
    nodes: Sequence[Node], names: Sequence[str], joins: Sequence[exp.Join], where: Resolver
) -> tuple[list[Gathered], list[exp.Join]]:
    """What as-of joins make one input of, and the other joins."""
    found = [Gathered([0])]
    others: list[exp.Join] = []
    for n, join in enumerate(joins, start=1):
        if is_as_of(join):
            side, step = _step(nodes[: n + 1], names[: n + 1], found, join, where)
            found[side].places.append(n)
            found[side].steps.append(step)
            continue
        kind = str(join.kind or join.side or "").upper()
        for one in found if kind in ("RIGHT", "FULL") else []:
            one.padded = True
        found.append(Gathered([n], padded=kind in ("LEFT", "FULL"), hidden=kind in ("SEMI", "ANTI")))
        others.append(join)
    return found, others


def is_as_of(join: exp.Join) -> bool:
    return str(join.args.get("method") or "").upper() == "ASOF"


def check_timestamp(joins: Sequence[exp.Join], where: Resolver) -> None:
    """Refuse what says which timestamp the pairs of a join of windows have, where there is none."""
    for tree in joins:
        if STAMP in tree.meta:
            raise NotSupported(
                "a row of an as-of join has the timestamp of its first tuple",
                given=f"TIMESTAMP {str(tree.meta[STAMP]).upper()}",
                remedy="leave it out",
                span=where.span(tree),
            )


def as_of_join(one: Gathered, nodes: Sequence[Node], names: Sequence[str], joins: Sequence[exp.Join], where: Resolver) -> Node:
    """The stream with those that are looked up for it; itself, where there are none."""
    if not one.steps:
        return nodes[one.places[0]]
    last = joins[one.places[-1] - 1]
    using = tuple(str(column.name) for column in last.args.get("using") or ())
    sides, called = tuple(nodes[n] for n in one.places), tuple(names[n] for n in one.places)
    return where.located(last.this, lambda: AsOfJoin(sides, called, tuple(one.steps), using))


def _step(
    nodes: Sequence[Node], names: Sequence[str], found: Sequence[Gathered], tree: exp.Join, where: Resolver
) -> tuple[int, AsOfStep]:
    """Which input it is looked up for, and how."""
    place, strict = _matches(tree, nodes, names, found, where)
    side = next(n for n, one in enumerate(found) if one.places[0] == place)
    kind = str(tree.side or "INNER").upper()
    if found[side].hidden:
        raise NotSupported(
            f"columns of {names[place]} are not there behind a semi or an anti join, its timestamp neither",
            given=tree.sql("spark")[:80],
            remedy=f"begin FROM with {names[place]} and its as-of join, in a stream of its own",
            span=where.span(tree),
        )
    if found[side].padded and kind != "LEFT":
        raise NotSupported(
            f"rows of the joins before it that have none of {names[place]} have no timestamp to look back from",
            given=tree.sql("spark")[:80],
            remedy=f"write ASOF LEFT JOIN, or begin FROM with {names[place]} and its as-of join",
            span=where.span(tree),
        )
    on = tuple(_keys(tree, nodes, names, found[side], where))
    return side, where.located(tree.this, partial(AsOfStep, on, kind, strict, tree.meta.get(WITHIN)))


def _keys(
    tree: exp.Join, nodes: Sequence[Node], names: Sequence[str], of: Gathered, where: Resolver
) -> list[tuple[int, str, str]]:
    """The keys that are equal: a relation of the input and its column, and the column of the stream that is looked up."""
    last = len(names) - 1
    made = [(0, str(column.name), str(column.name)) for column in tree.args.get("using") or ()]
    for term in [] if made else terms_of_on(tree):
        if not isinstance(term, exp.EQ) or not all(isinstance(one, exp.Column) for one in (term.this, term.expression)):
            raise not_an_equality(term, where)
        columns = {side_of(one, names, nodes, where): one for one in (term.this, term.expression)}
        if len(columns) != 2 or last not in columns:
            raise not_an_equality(term, where)
        other = next(side for side in columns if side != last)
        if other not in of.places:
            raise NotSupported(
                f"an as-of join that looks back from {names[of.places[0]]} compares its columns, and none of {names[other]}",
                given=term.sql("spark")[:80],
                remedy="define a stream of the join so far, CREATE STREAM ... AS, and look back from that",
                span=where.span(term),
            )
        first, second = (
            where.located(columns[side], partial(nodes[side].schema.find, columns[side].name, names[side])).name
            for side in (other, last)
        )
        made.append((of.places.index(other), first, second))
    return made


def _matches(
    tree: exp.Join, nodes: Sequence[Node], names: Sequence[str], found: Sequence[Gathered], where: Resolver
) -> tuple[int, bool]:
    """The relation that it looks back from, and whether a match has to be older than the tuple, rather than not younger."""
    condition = tree.args.get("match_condition")
    condition = None if condition is None else condition.unnest()
    if not isinstance(condition, exp.GTE | exp.GT | exp.LTE | exp.LT):
        raise BadQuery(
            "an as-of join says which timestamps match",
            given="nothing" if condition is None else condition.sql("spark"),
            remedy=LOOKS_BACK,
            span=where.span(tree.this if condition is None else condition),
        )
    later, earlier = condition.this.unnest(), condition.expression.unnest()
    if isinstance(condition, exp.LTE | exp.LT):
        later, earlier = earlier, later
    last, places = len(names) - 1, [one.places[0] for one in found]
    sides = [side_of(one, names, nodes, where) if isinstance(one, exp.Column) else None for one in (later, earlier)]
    known = [
        side is not None and column.name.lower() == str(nodes[side].time_attribute).lower()
        for side, column in zip(sides, (later, earlier), strict=True)
    ]
    if not all(known) or sides[0] not in places or sides[1] != last:
        raise BadQuery(
            "an as-of join looks back from the timestamp of one stream to that of another",
            given=condition.sql("spark"),
            exists=[f"{names[n]}.{nodes[n].time_attribute}" for n in (*places, last)],
            remedy=LOOKS_BACK,
            span=where.span(condition),
        )
    assert sides[0] is not None
    return sides[0], isinstance(condition, exp.GT | exp.LT)
