"""An aggregate as SQL again: text that defines the same one."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.spark import Spark

from transom.uda.definition import Columns, UserAggregate, Version


def render_aggregate(aggregate: UserAggregate) -> str:
    """All versions of an aggregate."""
    return "\n".join(render_version(version) for version in (aggregate.base, aggregate.window) if version is not None)


def render_version(version: Version) -> str:
    """CREATE [WINDOW] AGGREGATE."""
    kind = "WINDOW AGGREGATE" if version.is_window else "AGGREGATE"
    single = len(version.returns) == 1 and not version.returns[0][0]
    returns = version.returns[0][1] if single else f"({_columns(version.returns)})"
    algebraic = " ALGEBRAIC" if version.algebraic else ""
    lines = [f"CREATE {kind} {_name(version.name)}({_columns(version.arguments)}) RETURNS {returns}{algebraic} {{"]
    lines += [f"  TABLE {_name(table.name)}({_columns(table.columns)});" for table in version.tables]
    for clause, statements in version.clauses:
        lines.append(f"  {clause}: {{ " + " ".join(f"{statement.text};" for statement in statements) + " }")
    return "\n".join([*lines, "};"])


def _columns(columns: Columns) -> str:
    return ", ".join(f"{_name(name)} {kind}" for name, kind in columns)


def _name(name: str) -> str:
    plain = name.isidentifier() and name.isascii() and name.upper() not in Spark.Tokenizer.KEYWORDS
    return name if plain else str(exp.to_identifier(name, quoted=True).sql("spark"))
