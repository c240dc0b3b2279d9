"""What says when a row was seen: the columns of a window that are stamped on its rows, and the axis of instants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from transom.column_names import EVENT_TS, WINDOW_COLUMNS, WINDOW_END
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Extend, Project, Scan
from transom.plan.nodes.windowed import Aggregate, Cut
from transom.plan.types.schema import Column
from transom.semantics.classes.measured import base_of
from transom.semantics.windows.of_rows import OfRows

STAMPS = tuple(name for name in WINDOW_COLUMNS)


def stamps_of(node: Node) -> dict[str, str]:
    """The columns of a node that are stamped on, by their names in lower case, and which stamp each is."""
    return {name: stamp for name in (column.name.lower() for column in node.schema.columns) if (stamp := _stamp(node, name))}


def _stamp(node: Node, name: str) -> str | None:
    """Which stamp a column is, down to where stamps come from; one that is computed with is a column like any other."""
    if isinstance(node, Project | Aggregate | Extend):
        item = next((item for given, item in node.items if given.lower() == name), None)
        if item is not None:
            return _stamp(node.input, item.tree.name.lower()) if isinstance(item.tree, exp.Column) else None
        if not isinstance(node, Extend):
            return name if name in STAMPS else None
    if node.child is None or node.gives_instants:
        return name if name in STAMPS and name not in {column.name.lower() for column in node.schema.columns} else None
    return _stamp(node.child, name)


def sources_of(node: Node) -> Iterator[Node]:
    """The windows and derived streams that the relation of a node is made of, from left to right."""
    if isinstance(node, Cut):
        yield node
    elif node.inputs:
        for below in node.inputs:
            yield from sources_of(below)
    elif node.child is not None:
        yield from sources_of(node.child)


def axis_column(node: Node) -> Column:
    """The instants of a relation, as a column: places on the attribute that its windows are measured on."""
    first = next(sources_of(node))
    assert isinstance(first, Cut)
    return Column(EVENT_TS, axis_type_of(first))


def axis_type_of(cut: Cut) -> str:
    """The type of the instants of a window. Rows end at the timestamp of the last, which is no position."""
    schema = cut.schema
    return schema.find(EVENT_TS if isinstance(base_of(cut.window), OfRows) else WINDOW_END).type


def name_of(node: Node) -> str:
    """What an input is called where the query does not say: as the stream it reads."""
    return next(one.stream.name if isinstance(one, Scan) else one.name for one in node.chain() if isinstance(one, Scan | Derived))


def named_inputs(named: Iterable[tuple[str | None, Node]]) -> dict[str, Node]:
    """The streams below the inputs of a node, by name. The name of an input that has several stands before theirs: `q.a`."""
    found: dict[str, Node] = {}
    for name, node in named:
        for own, below in (node.late_inputs or {"": node}).items():
            called = ".".join(part for part in (name, own) if part) or name_of(node)
            found[called if called not in found else f"{called} {len(found) + 1}"] = below
    return found
