"""Taking an aggregate into the catalog: base and window version under one name, checked before anything runs."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from transom.errors import BadAggregate
from transom.language.catalog import Catalog
from transom.uda.compile.program import compiled
from transom.uda.definition import UserAggregate, Version


def define_aggregate(version: Version, catalog: Catalog) -> None:
    """Add a version to the aggregates of a catalog."""
    key = version.name.lower()
    known = catalog.aggregates.get(key)
    slot = "window" if version.is_window else "base"
    if known is not None and not isinstance(known, UserAggregate):
        raise BadAggregate(
            f"{version.name!r} is written in Python", given=version.name, remedy="choose another name", span=version.span
        )
    if known is not None:
        _check_alike(version, known, slot)
    names = [name.lower() for name, _ in version.arguments]
    if len({*names}) < len(names):
        raise BadAggregate(
            "arguments have names of their own", given=", ".join(names), remedy="rename one of them", span=version.span
        )
    made = replace(known or UserAggregate(version.name), **{slot: version})  # type: ignore[arg-type]
    uses, reads = _mentioned(made, catalog)
    made = replace(made, uses=uses, reads=reads)
    compiled(made)
    catalog.aggregates[key] = made


def _check_alike(version: Version, known: UserAggregate, slot: str) -> None:
    if getattr(known, slot) is not None:
        what = "WINDOW AGGREGATE" if version.is_window else "AGGREGATE"
        raise BadAggregate(
            f"there is a {what} {version.name!r} already", given=version.name, remedy="choose another name", span=version.span
        )
    other = known.either
    mine, theirs = [[kind for _, kind in each.arguments] for each in (version, other)]
    if mine != theirs or [kind for _, kind in version.returns] != [kind for _, kind in other.returns]:
        raise BadAggregate(
            "both versions of an aggregate take and return the same types",
            given=f"({', '.join(mine)}) RETURNS {version.returns_type}",
            exists=[f"({', '.join(theirs)}) RETURNS {other.returns_type}"],
            remedy="declare them alike",
            span=version.span,
        )


def _mentioned(
    aggregate: UserAggregate, catalog: Catalog
) -> tuple[tuple[UserAggregate, ...], tuple[tuple[str, tuple[tuple[str, str], ...]], ...]]:
    """The other aggregates and the ordinary tables that bodies name."""
    uses: dict[str, UserAggregate] = {}
    reads: dict[str, tuple[tuple[str, str], ...]] = {}
    for version in (aggregate.base, aggregate.window):
        own = {table.name.lower() for table in version.tables} if version is not None else set()
        for _, statement in version.statements() if version is not None else ():
            for call in statement.tree.find_all(exp.Anonymous):
                name = str(call.this).lower()
                other = catalog.aggregates.get(name)
                if isinstance(other, UserAggregate) and name != aggregate.name.lower():
                    uses[name] = other
            for table in statement.tree.find_all(exp.Table):
                found = catalog.table(table.name) if table.name.lower() not in own else None
                if found is not None:
                    reads[found.name] = tuple((column.name, column.type) for column in found.columns)
    return tuple(uses.values()), tuple(reads.items())
