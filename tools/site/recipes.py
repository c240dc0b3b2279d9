"""Pages of the cookbook, made of its scripts: the text is the docstring, the code is what the tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cookbook.notebook import cells

COOKBOOK = Path(__file__).parents[2] / "cookbook"
SIDE_BY_SIDE = ("tumbling", "sliding", "sessions", "watermark", "deduplicate", "join", "rolling", "latest", "top", "late")
"""Recipes that show a query of Spark's beside ours, in their order."""
OTHERS = ("kafka", "to_delta", "to_postgres", "over_connect")
TABS = {"with_spark": "Spark", "with_transom": "Transom in Python", "SQL": "Transom in SQL"}

INDEX = """\
# Cookbook

Your query in Spark, and the same in Transom. Every recipe is a script in the folder `cookbook`; a test runs it and compares
the rows of both. `python -m cookbook tumbling` in the repository runs one and shows what each way gives.

| what | recipe |
|---|---|
"""


@dataclass(frozen=True)
class Recipe:
    """A script: its title, its text, and its source."""

    name: str
    title: str
    text: str
    source: str
    tree: ast.Module


def recipe(name: str) -> Recipe:
    """Reads a script without running it."""
    source = (COOKBOOK / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, text = (ast.get_docstring(tree) or name).partition("\n")
    return Recipe(name, title, text.strip(), source, tree)


def existing(names: tuple[str, ...]) -> list[str]:
    return [name for name in names if (COOKBOOK / f"{name}.py").exists()]


def recipe_page(one: Recipe) -> str:
    """Ways side by side as tabs; a script that has no ways, as it stands."""
    parts = [f"# {one.title}\n\n{one.text}\n"]
    tabs = list(_tabs(one))
    if not tabs:
        body = one.source.split('"""', 2)[2].strip()
        parts.append(f"```python\n{body}\n```\n")
    for title, language, code in tabs:
        indented = "\n".join(f"    {line}".rstrip() for line in f"```{language}\n{code}\n```".splitlines())
        parts.append(f'=== "{title}"\n\n{indented}\n')
    parts.append(f"The script is `cookbook/{one.name}.py`.\n")
    return "\n".join(parts)


def _tabs(one: Recipe) -> Iterator[tuple[str, str, str]]:
    """Title, language and code of each way. What a way needs beside it comes before it, as in the script."""
    ours = {node.name: node for node in one.tree.body if isinstance(node, ast.FunctionDef)}
    if "with_spark" not in ours:
        return
    lines = one.source.splitlines()
    helpers = [node for name, node in ours.items() if name not in TABS]
    for name in ("with_spark", "with_transom"):
        chosen = [*helpers, ours[name]] if name == "with_spark" else [ours[name]]
        yield TABS[name], "python", "\n\n\n".join("\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in chosen)
    for node in one.tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "SQL":
            yield TABS["SQL"], "sql", str(ast.literal_eval(node.value)).strip()


def notebook_page(path: Path) -> str:
    """The cells of a notebook, text and code."""
    parts = [cell["text"] if cell["kind"] == "markdown" else f"```python\n{cell['text']}\n```" for cell in cells(path)]
    return "\n\n".join([*parts, f"The notebook is `cookbook/{path.name}`."]) + "\n"


def cookbook_pages() -> dict[str, str]:
    """All pages by their place on the site."""
    names = existing(SIDE_BY_SIDE + OTHERS)
    pages = {f"cookbook/{name}.md": recipe_page(recipe(name)) for name in names}
    pages["cookbook/live_picture.md"] = notebook_page(COOKBOOK / "live_picture.ipynb")
    rows = [f"| {recipe(name).title} | [{name}]({name}.md) |" for name in names]
    rows.append("| A notebook: from a DataFrame to a live picture | [live_picture](live_picture.md) |")
    return {"cookbook/index.md": INDEX + "\n".join(rows) + "\n", **pages}
