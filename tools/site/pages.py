"""Pages that are made of the code: the Python reference, the errors, the recipes of the cookbook."""

from __future__ import annotations

import inspect

import transom
from transom import errors

SECTIONS = {
    "Streams and scripts": ("transom.fluent.sources",),
    "Queries": ("transom.fluent.relation", "transom.fluent.verbs", "transom.fluent.grouped"),
    "Windows": ("transom.fluent.windows",),
    "Lengths": ("transom.semantics", "transom.fluent.lengths"),
    "Aggregates": ("transom.fluent.functions", "transom.fluent.python_aggregates", "transom.fluent.select_list"),
    "Running and watching": ("transom.fluent.writing", "transom.spark", "transom.quality"),
    "Errors and warnings": ("transom.errors",),
}
"""What the sections of the Python reference hold: names that are defined in these modules."""
MORE = "More"

HEAD = """\
# Python reference

All public names of `import transom as tr`. A DataFrame or a schema becomes a stream, verbs make a query of it, and `to_df()`
or `tr.write(...)` runs it. Strings stand for columns and expressions wherever PySpark takes them.
"""
ERRORS = """\
# Errors

Every error has a name that does not change, says what was given and what exists, and what to do. All of them derive from
`tr.TransomError`, so `except tr.TransomError` catches them. In SQL the message shows the line with the place underlined.

| name | meaning |
|---|---|
"""


FIRST = ("stream", "sql", "script", "Relation", "Windowed", "Grouped", "tumbling", "sliding", "session", "write")
"""What a reader looks for first in a section; the rest follows in the order of the alphabet."""


def section_of(name: str) -> str:
    """Where a public name stands: by the module that defines it, so that new names need no entry."""
    module = inspect.getmodule(getattr(transom, name))
    defined = "" if module is None else module.__name__
    found = (title for title, modules in SECTIONS.items() if any(defined.startswith(one) for one in modules))
    return next(found, MORE)


def entry(name: str) -> str:
    """A directive for mkdocstrings; for a second name of a function, a link to the first.

    >>> print(entry("array_agg"))
    ### `array_agg`
    <BLANKLINE>
    The same as [`collect_list`](#transom.collect_list).
    <BLANKLINE>
    """
    first = getattr(getattr(transom, name), "__name__", name)
    if first != name and getattr(transom, first, None) is getattr(transom, name):
        return f"### `{name}`\n\nThe same as [`{first}`](#transom.{first}).\n"
    return f"::: transom.{name}\n"


def python_page() -> str:
    """Directives for mkdocstrings: every public name once, what a query begins with first."""
    names = [name for name in transom.__all__ if not name.startswith("_")]
    public = sorted(names, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name.lower()))
    parts = [HEAD]
    for title in [*SECTIONS, MORE]:
        names = [name for name in public if section_of(name) == title]
        if names:
            parts.append(f"## {title}\n")
            parts += [entry(name) for name in names]
    return "\n".join(parts)


def errors_page() -> str:
    """A table of all errors and what they mean."""
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TransomError)]
    rows = []
    for kind in sorted(kinds, key=lambda kind: kind.__name__):
        if kind is not errors.TransomError:
            meaning = " ".join((inspect.getdoc(kind) or "").split()).replace("|", "\\|")
            rows.append(f"| `{kind.__name__}` | {meaning} |")
    return ERRORS + "\n".join(rows) + "\n"
