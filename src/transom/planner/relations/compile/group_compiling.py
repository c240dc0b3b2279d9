"""Groups of a relation, and their aggregates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from transom.column_names import AGGREGATE, EVENT_TS
from transom.plan.expression import Expression
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.quoted import quoted
from transom.plan.types.builtin import depends_on_order
from transom.planner.aggregate_calls import aggregates_of
from transom.planner.relations.compile.carried_texts import INSTANT, PARTITION, Parts, by_name, instant_of, rows_of, with_instant
from transom.planner.relations.compile.row_order import Order, in_order
from transom.planner.relations.inputs import Carried, ChangedInput, Texts, substituted
from transom.planner.relations.relational_stages import GroupStage, MultiplicityStage, RelationalStage
from transom.semantics.classes.measured import partition_columns

if TYPE_CHECKING:
    from transom.planner.relations.compile.compiler import Compiler


def states(compiler: Compiler, node: Aggregate) -> RelationalStage:
    """The relation of groups at each instant."""
    stamped = {name for name, item in node.items if item.text.lower() in INSTANT}
    names = [name for name in node.schema.names if name not in stamped]
    below = ChangedInput((group(compiler, node),), (), rows_of(names, by_name(node.schema.names)))
    items = [(name, EVENT_TS if name in stamped else quoted(name)) for name in node.schema.names]
    return MultiplicityStage(node, (below,), gives="states", items=tuple(with_instant(items)))


def group(compiler: Compiler, node: Aggregate) -> RelationalStage:
    """What enters and leaves of groups. Those of a partitioned window are groups of each partition."""
    spelled = [item for _, item in node.items] + ([node.having] if node.having is not None else [])
    calls = {call.text: call for item in spelled for call in aggregates_of(item)}
    arguments = list(dict.fromkeys(text for call in calls.values() for text in call.args))

    known: dict[str, str] = {}

    def carried(parts: Parts) -> Carried:
        known.update(parts)
        keys = (*_partitions(node, parts), *((name, parts[name.lower()]) for name in node.group_by))
        given = tuple((f"x{n}", substituted(Expression(text), parts)) for n, text in enumerate(arguments))
        return Carried(keys=keys, arguments=given)

    ordered = any(map(depends_on_order, spelled))
    below = replace(compiler, ordered=ordered).source(node.input, carried)
    order: Order = ()
    if ordered:
        below, order = in_order(below, node.input.schema.names, known)
    named = [(call.text, f"{AGGREGATE}{n}") for n, call in enumerate(calls.values())]
    items = tuple((name, instant_of(item.replacing(dict(named)))) for name, item in node.items)
    having = None if node.having is None else instant_of(node.having.replacing(dict(named)))
    places = {text: f"x{n}" for n, text in enumerate(arguments)}
    renamed = tuple(
        replace(call, text=Expression(call.text).replacing(places).text, args=tuple(places[text] for text in call.args))
        for call in calls.values()
    )
    return GroupStage(node, (below,), calls=renamed, items=items, having=having, order=order)


def _partitions(node: Aggregate, parts: Parts) -> Texts:
    """The columns that partition the window of an input: under their own names, by which a select list may name them."""
    texts = [text for name, text in parts.items() if name.startswith(PARTITION)]
    cut = next((one for one in node.chain() if isinstance(one, Cut)), None)
    columns = () if cut is None or not texts else partition_columns(cut.window)
    grouped = {name.lower() for name in node.group_by}
    known = {name.lower() for name in node.input.schema.names}
    named = [name if name.lower() in known - grouped else f"{PARTITION}{n}" for n, name in enumerate(columns)]
    return tuple(zip(named, texts, strict=True))
