"""Fences around the doctests of a docstring."""

from __future__ import annotations

PROMPT = ">>>"


def fenced(text: str) -> str:
    """A docstring with its doctests between fences."""
    lines: list[str] = []
    inside = False
    for line in text.splitlines():
        if not inside and line.lstrip().startswith(PROMPT):
            lines.append("```pycon")
            inside = True
        elif inside and not line.strip():
            lines.append("```")
            inside = False
        lines.append(line)
    return "\n".join([*lines, "```"] if inside else lines)
