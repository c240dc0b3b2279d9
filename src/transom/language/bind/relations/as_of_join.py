"""As-of joins, in Spark's syntax: `a ASOF JOIN b MATCH_CONDITION (a.ts >= b.ts) ON a.k = b.k`."""

from __future__ import annotations

from functools import partial

from sqlglot import exp

from transom.errors import BadQuery, NotSupported
from transom.language.bind.joins import compared_columns, side_of
from transom.language.bind.resolve import Resolver
from transom.language.parse.parser import STAMP, WITHIN
from transom.plan.nodes.node import Node
from transom.plan.relations.as_of_join import AsOfJoin

LOOKS_BACK = "write MATCH_CONDITION (a.ts >= b.ts), where a stands before ASOF JOIN and both are ordered by ts"


def as_of_join(nodes: tuple[Node, Node], names: tuple[str, str], tree: exp.Join, where: Resolver) -> AsOfJoin:
    """The as-of join of two streams."""
    if STAMP in tree.meta:
        raise NotSupported(
            "a row of an as-of join has the timestamp of its first tuple",
            given=f"TIMESTAMP {str(tree.meta[STAMP]).upper()}",
            remedy="leave it out",
            span=where.span(tree),
        )
    strict = _matches(tree, nodes, names, where)
    using = tuple(str(column.name) for column in tree.args.get("using") or ())
    pairs = [(name, name) for name in using] or compared_columns(tree, names, nodes, where)
    build = partial(
        AsOfJoin,
        nodes[0],
        nodes[1],
        names,
        tuple(pairs),
        str(tree.side or "INNER").upper(),
        strict,
        tree.meta.get(WITHIN),
        using,
    )
    return where.located(tree.this, build)


def _matches(tree: exp.Join, nodes: tuple[Node, Node], names: tuple[str, str], where: Resolver) -> bool:
    """Whether a match has to be older than the tuple, rather than not younger."""
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
    for side, column in enumerate((later, earlier)):
        time = str(nodes[side].time_attribute)
        of_side = isinstance(column, exp.Column) and side_of(column, names, nodes, where) == side
        if not of_side or column.name.lower() != time.lower():
            raise BadQuery(
                "an as-of join looks back from the timestamp of the one stream to that of the other",
                given=condition.sql("spark"),
                exists=[f"{name}.{node.time_attribute}" for name, node in zip(names, nodes, strict=True)],
                remedy=LOOKS_BACK,
                span=where.span(condition),
            )
    return isinstance(condition, exp.GT | exp.LT)
