"""Statements that are answered from what is known: SHOW STREAMS, DESCRIBE STREAM."""

from __future__ import annotations

from transom.cli.printer import Printer
from transom.language.catalog import Catalog
from transom.language.parse.syntax import Command
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Derived, Scan
from transom.plan.sql.render import render
from transom.plan.sql.stream_sql import render_disorder


def answer(command: Command, catalog: Catalog, printer: Printer) -> None:
    """Print the rows of a command."""
    if command.kind == "show":
        names = ("name", "kind", "order", "source")
        rows = [(name, *_stream(node)) for name, node in catalog.streams.items()]
        tables = [(name, "table", "", "") for name in catalog.tables]
        views = [(name, "concrete view", "", "") for name in catalog.views]
        printer.answer(command, names, [*rows, *tables, *views])
    elif command.kind == "describe" and command.name is not None:
        node = catalog.stream(command.name)
        columns = [
            (column.name, column.type, "time" if column.name == node.time_attribute else "") for column in node.schema.columns
        ]
        hidden = [(column.name, column.type, "hidden") for column in node.schema.hidden]
        printer.answer(command, ("column", "type", "about"), [*columns, *hidden])


def _stream(node: Node) -> tuple[str, str, str]:
    if isinstance(node, LateOf):
        return "late", node.time_attribute or "", f"LATE OF {node.name}"
    if isinstance(node, Derived):
        return "derived", node.time_attribute or "", " ".join(render(node.input).split())
    assert isinstance(node, Scan)
    source = node.stream.source
    named = "" if source is None else " ".join(filter(None, [source.kind, source.name and f"'{source.name}'", source.format]))
    order = f"{node.stream.order} {render_disorder(node.stream.disorder)}"
    return node.stream.timestamp_kind, " ".join(order.split()), named
