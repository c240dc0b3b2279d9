"""Inner joins are associative: inputs are joined in an order in which each, where it can, has an equality with one before it."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from transom.plan.expression import Expression
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Project
from transom.plan.nodes.windowed import Aggregate
from transom.plan.relations.equalities import terms_of
from transom.plan.relations.window_join import JoinStep, WindowJoin
from transom.rules.relations.everywhere import rewrite_relations
from transom.rules.walk import keeps_order_of_inputs


def join_associates(plan: Node) -> Node:
    """Join by keys before what has none: no cross product of states that a later condition would cut down."""
    return plan if keeps_order_of_inputs(plan) else rewrite_relations(plan, _here)


def _here(node: Node) -> Node | None:
    if not isinstance(node, Project | Aggregate) or not isinstance(node.input, WindowJoin):
        return None
    join = node.input
    if len(join.sides) < 3 or join.using or any(step.kind != "INNER" for step in join.steps) or all(join.equalities):
        return None
    terms = [term for step in join.steps for term in terms_of(step.condition.tree) if term.sql() != "TRUE"]
    order = _order(join, terms)
    changed = _reordered(join, order, terms)
    better = sum(map(bool, changed.equalities)) > sum(map(bool, join.equalities))
    return replace(node, input=changed) if better else None


def _sides_of(term: exp.Expr, join: WindowJoin) -> frozenset[int]:
    owner = {here: side for (side, _), here in join.owners.items()}
    return frozenset(owner[column.name] for column in term.find_all(exp.Column) if column.name in owner)


def _is_equality(term: exp.Expr) -> bool:
    term = term.unnest()
    return isinstance(term, exp.EQ) and isinstance(term.this, exp.Column) and isinstance(term.expression, exp.Column)


def _order(join: WindowJoin, terms: list[exp.Expr]) -> list[int]:
    """From the first input on, always the next that has an equality with those taken; else the next."""
    edges = [_sides_of(term, join) for term in terms if _is_equality(term)]
    taken = [0]
    while len(taken) < len(join.sides):
        rest = [side for side in range(len(join.sides)) if side not in taken]
        near = [side for side in rest if any(side in edge and edge & {*taken} for edge in edges)]
        taken.append((near or rest)[0])
    return taken


def _reordered(join: WindowJoin, order: list[int], terms: list[exp.Expr]) -> WindowJoin:
    steps, left = [], list(terms)
    for n in range(1, len(order)):
        seen = {*order[: n + 1]}
        here = [term for term in left if _sides_of(term, join) <= seen]
        left = [term for term in left if term not in here]
        steps.append(JoinStep("INNER", Expression.of(exp.and_(*here)) if here else Expression.of("TRUE")))
    sides, names = tuple(join.sides[n] for n in order), tuple(join.names[n] for n in order)
    return replace(join, sides=sides, names=names, steps=tuple(steps))
