"""How relations look where somebody looks at them: their SQL, their columns, and whether they stream."""

from __future__ import annotations

from html import escape

from transom.errors import NotSupported
from transom.plan.nodes.left_out import LateOf
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.panes import Together
from transom.plan.sql.render import render

MOST = 160
"""Characters of SQL in one line."""


def text_of(plan: Node) -> str:
    """A plan as SQL, or in words where SQL has none."""
    if isinstance(plan, LateOf):
        return f"late rows of: {text_of(plan.input)}"
    if isinstance(plan, Together):
        return f"{len(plan.queries)} queries together, the first: {text_of(plan.queries[0])}"
    try:
        return render(plan)
    except NotSupported:
        return plan.label()


def input_of(plan: Node) -> str:
    """Whether a plan streams, as far as that is known without running it."""
    plan = plan.queries[0] if isinstance(plan, Together) else plan
    streams = [node.stream for node in plan.walk() if isinstance(node, Scan)]
    frames = [stream.frame for stream in streams if stream.frame is not None]
    if any(bool(getattr(frame, "isStreaming", False)) for frame in frames):
        return "streaming"
    if frames:
        return "batch"
    sources = [stream.source for stream in streams if stream.source is not None]
    return f"streaming from {sources[0].kind}" if sources else "columns without data"


def in_line(kind: str, plan: Node) -> str:
    """A relation in one line."""
    text = text_of(plan)
    return f"<{kind}, {input_of(plan)}: {text if len(text) <= MOST else text[:MOST] + '...'}>"


def in_lines(plan: Node) -> str:
    """A relation for a person to read."""
    return f"{text_of(plan)}\n  columns: {plan.schema}\n  input:   {input_of(plan)}"


def in_html(kind: str, plan: Node) -> str:
    """A relation in a notebook."""
    rows = "".join(
        f"<tr><td style='text-align:left'>{escape(column.name)}</td><td style='text-align:left'>{escape(column.type)}</td></tr>"
        for column in plan.schema.columns
    )
    return (
        f"<div><b>{kind}</b>, {escape(input_of(plan))}<pre style='white-space:pre-wrap'>{escape(text_of(plan))}</pre>"
        f"<table><thead><tr><th>column</th><th>type</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
