"""Every public name has an example that runs, and every keyword of every function and method is documented."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import transom as tr
from transom.fluent.relation import Aliased, Relation, Windowed

CLASSES = [one for name in tr.__all__ if inspect.isclass(one := getattr(tr, name)) and not issubclass(one, BaseException)]
ALIASES = {"mean", "stddev", "variance", "percentile_approx", "array_agg", "listagg"}
"""Second names: the example is that of the first."""
NOT_SHOWN = {"__version__", "RunningQuery", "LateTuplesWarning", "TransomError"}
"""What nobody makes: examples are where it is returned, warned of or raised."""


NEED_SPARK = {"console", "doctor", "live", "postgres", "rescale", "state", "tune"}
"""What needs a session or a checkpoint: the example is a block of code, and tests of each run the same calls."""


def examples_of(documented: Any) -> int:
    text = inspect.getdoc(documented) or ""
    if getattr(documented, "__name__", "") in NEED_SPARK:
        return len(re.findall(r"\btr\.\w+\(", text))
    return len(doctest.DocTestParser().get_examples(text))


def functions() -> Iterator[tuple[str, Any]]:
    """The functions of the package, and the methods of its classes, by the names that users call them by."""
    for name in tr.__all__:
        one = getattr(tr, name)
        if inspect.isfunction(one):
            yield name, one
    for kind in {Relation, Windowed, Aliased, *CLASSES}:
        for name, one in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_") and (one.__module__ or "").startswith("transom"):
                yield f"{kind.__name__}.{name}", one


FUNCTIONS = sorted(dict(functions()).items())


def test_these_are_all_of_them() -> None:
    names = {name for name, _ in FUNCTIONS}
    assert {"stream", "sliding", "write", "Relation.window", "Relation.to_df", "Windowed.tolerate", "Grouped.agg"} <= names


@pytest.mark.parametrize("name", sorted(set(tr.__all__) - NOT_SHOWN))
def test_every_public_name_has_an_example(name: str) -> None:
    assert examples_of(getattr(tr, name)) > 0


METHODS = [name for name, _ in FUNCTIONS if "." in name]


@pytest.mark.parametrize("name", METHODS)
def test_every_method_has_an_example(name: str) -> None:
    """One that is run; or, where it takes a session or a query that runs, a block of code."""
    text = inspect.getdoc(dict(FUNCTIONS)[name]) or ""
    assert doctest.DocTestParser().get_examples(text) or "```" in text


@pytest.mark.parametrize(("name", "function"), FUNCTIONS, ids=[name for name, _ in FUNCTIONS])
def test_every_keyword_is_documented(name: str, function: Any) -> None:
    """By the name of the keyword, in the docstring or in an example of it; clauses of windows where `window` has them."""
    text = inspect.getdoc(function) or ""
    assert text, name
    if name in CONSTRUCTORS:
        text += inspect.getdoc(Relation.window) or ""
    if name.endswith(".start"):
        text += inspect.getdoc(tr.write) or ""
    parameters = inspect.signature(function).parameters.values()
    keywords = [one.name for one in parameters if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)]
    keywords = [one for one in keywords if one not in PLAIN]
    assert [one for one in keywords if not re.search(rf"\b{one}\b", text)] == []


PLAIN = {"self", "column", "one", "other", "source"}
"""What a function is of: the column of an aggregate, the DataFrame of a stream."""
CONSTRUCTORS = {"sliding", "tumbling", "session", "every_instant", "by_tuple", "landmark", "band", "now", "varying"}
