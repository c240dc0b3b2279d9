"""The library: aggregates written in the language itself, one file each, which every query may call."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from sqlglot import exp

from transom.language.bind.define import define_aggregate
from transom.language.catalog import Catalog
from transom.language.parse.syntax import CreateAggregate

FOLDER = files("transom") / "library"


@cache
def names() -> frozenset[str]:
    """What there is."""
    return frozenset(path.name.removesuffix(".sql") for path in FOLDER.iterdir() if path.name.endswith(".sql"))


def text_of(name: str) -> str:
    """The definition of an aggregate of the library."""
    return (FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def load_called(tree: exp.Expr, catalog: Catalog) -> None:
    """Take aggregates of the library that a query calls into the catalog, unless something else has the name."""
    from transom.language.parse.parser import parse_script

    for call in tree.find_all(exp.Anonymous):
        name = str(call.this).lower()
        if name in names() and name not in catalog.aggregates:
            for statement in parse_script(text_of(name)):
                assert isinstance(statement, CreateAggregate)
                define_aggregate(statement.version, catalog)
