"""Runs a notebook as Jupyter does: its cells one after the other, in one namespace, each with what its last line shows."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any


def cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook, each with its text."""
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [{"kind": cell["cell_type"], "text": "".join(cell["source"])} for cell in found]


def run(path: Path) -> list[Any]:
    """The value of the last line of each cell of code; None where it is a statement."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_shown(cell["text"], names) for cell in cells(path) if cell["kind"] == "code"]


def _shown(text: str, names: dict[str, Any]) -> Any:
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
