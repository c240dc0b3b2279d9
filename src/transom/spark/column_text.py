"""PySpark's Columns as SQL text: classic ones are read from the JVM's tree, those of Spark Connect from Python's.

What cannot be said in SQL, or not without knowing more (functions of users, lambdas, PySpark's own windows), is refused by name.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pyspark.sql import Column

from transom.errors import BadExpression
from transom.plan.quoted import quoted

__all__ = ["Column", "read_column"]

OPERATORS = {"==": "=", "and": "AND", "or": "OR", "like": "LIKE", "rlike": "RLIKE"} | {
    name: name for name in ("+", "-", "*", "/", "%", "=", "<=>", "<", ">", "<=", ">=", "&", "|", "^")
}
PREFIXES = {"not": "NOT ", "!": "NOT ", "negative": "-", "~": "~"}
SUFFIXES = {"isnull": " IS NULL", "isnotnull": " IS NOT NULL"}
ORDERED = ("first", "first_value", "last", "last_value", "any_value")
"""Aggregates whose second argument says whether NULLs are left out."""
DEFAULTS = {"percentile": (3, "1"), "percentile_approx": (3, "10000"), "approx_percentile": (3, "10000")}
"""How many arguments a function has at most, and the last one that PySpark writes out and that means nothing."""
NOT_HERE = {
    "window": "cut the stream: window(tumble=minutes(5)), and select window_start and window_end",
    "session_window": "cut the stream: window(gap=minutes(5))",
    "window_time": "select event_ts",
}


def read_column(column: Any) -> tuple[str | None, str]:
    """The name that a Column gives itself, and its SQL."""
    tree = column._jc.node() if hasattr(column, "_jc") else column._expr
    read = _classic if hasattr(column, "_jc") else _connect
    name = None
    while _kind(tree) in ("Alias", "ColumnAlias"):
        names = _items(tree.name()) if _kind(tree) == "Alias" else tree._alias
        if len(names) != 1:
            raise _refused("a column has one name", repr(column), "give one alias")
        name = name or str(names[0])
        tree = tree.child() if _kind(tree) == "Alias" else tree._child
    return name, read(tree)


def _kind(tree: Any) -> str:
    return str(tree.getClass().getSimpleName()) if hasattr(tree, "getClass") else type(tree).__name__


def _classic(node: Any) -> str:
    """A node of the JVM: `org.apache.spark.sql.internal`."""
    kind = _kind(node)
    if kind == "UnresolvedAttribute":
        return _attribute(_items(node.nameParts()))
    if kind == "ExpressionColumnNode" and _kind(node.expression()) == "AttributeReference":  # df["name"]
        return _attribute([str(node.expression().name())])
    if kind == "UnresolvedStar":
        return "*"
    if kind == "Literal":
        return _java_literal(node)
    if kind == "SqlExpression":
        return f"({node.expression()})"
    if kind == "Alias":
        return _classic(node.child())
    if kind == "UnresolvedFunction":
        return _call(str(node.functionName()), [_classic(one) for one in _items(node.arguments())], bool(node.isDistinct()))
    if kind == "Cast":
        return _cast(_classic(node.child()), str(node.dataType().sql()), "TRY" in str(node.evalMode().toString()).upper())
    if kind == "CaseWhenOtherwise":
        branches = [(_classic(one._1()), _classic(one._2())) for one in _items(node.branches())]
        return _case(branches, _classic(node.otherwise().get()) if node.otherwise().isDefined() else None)
    if kind == "UnresolvedExtractValue":
        return f"{_classic(node.child())}[{_classic(node.extraction())}]"
    if kind == "SortOrder":
        return str(node.sql()).replace(str(node.child().sql()), _classic(node.child()), 1)
    raise _unknown(kind, str(node.sql()))


def _connect(tree: Any) -> str:
    """A node of Python: `pyspark.sql.connect.expressions`."""
    kind = _kind(tree)
    if kind == "ColumnReference":
        return _unparsed(tree._unparsed_identifier)
    if kind == "UnresolvedStar":
        return "*"
    if kind == "LiteralExpression":
        return _literal(tree._value, type(tree._dataType).__name__, tree._dataType.simpleString())
    if kind == "SQLExpression":
        return f"({tree._expr})"
    if kind == "ColumnAlias":
        return _connect(tree._child)
    if kind in ("UnresolvedFunction", "CallFunction"):
        return _call(tree._name, [_connect(one) for one in tree._args], bool(getattr(tree, "_is_distinct", False)))
    if kind == "CastExpression":
        wanted = tree._data_type if isinstance(tree._data_type, str) else tree._data_type.simpleString()
        return _cast(_connect(tree._expr), wanted.upper(), tree._eval_mode == "try")
    if kind == "CaseWhen":
        branches = [(_connect(condition), _connect(value)) for condition, value in tree._branches]
        return _case(branches, None if tree._else_value is None else _connect(tree._else_value))
    if kind == "UnresolvedExtractValue":
        return f"{_connect(tree._child)}[{_connect(tree._extraction)}]"
    if kind == "SortOrder":
        direction = "ASC" if tree._ascending else "DESC"
        return f"{_connect(tree._child)} {direction} NULLS {'FIRST' if tree._nullsFirst else 'LAST'}"
    raise _unknown(kind, repr(tree))


def _items(seq: Any) -> list[Any]:
    return [seq.apply(n) for n in range(seq.size())]


def _attribute(parts: Sequence[str]) -> str:
    """A column, behind the name of a relation or before those of fields, if it has such."""
    return ".".join(quoted(part) for part in parts)


def _unparsed(name: str) -> str:
    """A name as PySpark takes it: backquotes keep a dot from being a field."""
    parts, rest = [], name
    while rest:
        if rest.startswith("`"):
            part, _, rest = rest[1:].replace("``", "\0").partition("`")
            parts.append(part.replace("\0", "`"))
            rest = rest.replace("\0", "``").removeprefix(".")
        else:
            part, _, rest = rest.partition(".")
            parts.append(part)
    return _attribute(parts)


def _call(name: str, args: list[str], distinct: bool) -> str:
    low = name.lower()
    if low in NOT_HERE:
        raise _refused(f"{name}() has no place in a query of Transom", f"{name}({', '.join(args)})", NOT_HERE[low])
    if low in OPERATORS and len(args) == 2:
        return f"({args[0]} {OPERATORS[low]} {args[1]})"
    if low in PREFIXES and len(args) == 1:
        return f"({PREFIXES[low]}{args[0]})"
    if low in SUFFIXES and len(args) == 1:
        return f"({args[0]}{SUFFIXES[low]})"
    if low == "in":
        return f"({args[0]} IN ({', '.join(args[1:])}))"
    if low in ORDERED and len(args) == 2:
        return f"{name}({args[0]}){' IGNORE NULLS' if args[1].lower() == 'true' else ''}"
    if low == "when":
        return _case(list(zip(args[::2], args[1::2], strict=False)), args[-1] if len(args) % 2 else None)
    if not name.isidentifier():
        raise _unknown(name, f"{name}({', '.join(args)})")
    if low in DEFAULTS:
        most, default = DEFAULTS[low]
        args = [_bare(arg) for arg in (args[:-1] if len(args) == most and args[-1] == default else args)]
    return f"{name}({'DISTINCT ' if distinct else ''}{', '.join(args)})"


def _bare(arg: str) -> str:
    """A number that stands for itself: how far up a percentile is."""
    return arg.removeprefix("CAST(").removesuffix(" AS DOUBLE)") if arg.startswith("CAST(0") or arg.startswith("CAST(1") else arg


def _cast(text: str, kind: str, gently: bool) -> str:
    return f"{'TRY_CAST' if gently else 'CAST'}({text} AS {kind})"


def _case(branches: Sequence[tuple[str, str]], other: str | None) -> str:
    cases = " ".join(f"WHEN {condition} THEN {value}" for condition, value in branches)
    return f"CASE {cases}{'' if other is None else f' ELSE {other}'} END"


def _java_literal(node: Any) -> str:
    value = node.value()
    kind = str(node.dataType().get().sql()) if node.dataType().isDefined() else ""
    name = str(value.getClass().getName()) if hasattr(value, "getClass") else ""
    if name == "java.sql.Timestamp":
        return _literal(value.getTime() // 1000 * 1_000_000 + value.getNanos() // 1000, "TimestampType", kind)
    if name == "java.time.Instant":
        return _literal(value.getEpochSecond() * 1_000_000 + value.getNano() // 1000, "TimestampType", kind)
    if name in ("java.sql.Date", "java.time.LocalDate"):
        return f"DATE '{value.toString()}'"
    if name == "java.time.LocalDateTime":
        return f"TIMESTAMP_NTZ '{value.toString().replace('T', ' ')}'"
    if name:
        raise _unknown(f"literal {kind or name}", str(node.sql()))
    return _literal(value, "", kind)


def _literal(value: Any, kind: str, written: str) -> str:
    """A value that a Column holds; instants and days as Spark keeps them."""
    if value is None:
        return "NULL"
    if kind == "TimestampType":
        return f"timestamp_micros({value})"
    if kind == "DateType":
        return f"date_from_unix_date({value})"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if kind in ("", "ByteType", "ShortType", "IntegerType", "LongType") and isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        digits = f"{value:f}"
        return f"({digits})" if "." in digits else f"CAST({digits} AS DECIMAL({len(digits.lstrip('-'))}, 0))"
    if isinstance(value, float):
        return f"CAST({value!r} AS DOUBLE)" if math.isfinite(value) else f"CAST('{value}' AS DOUBLE)"
    if isinstance(value, str):
        return _text(value)
    raise _unknown(f"literal {written}", repr(value))


def _text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _unknown(kind: str, given: str) -> BadExpression:
    return _refused(
        f"this part of a Column cannot be said in SQL: {kind}",
        given,
        "write the expression as text, or compute the column first: df.withColumn(...)",
    )


def _refused(problem: str, given: str, remedy: str) -> BadExpression:
    return BadExpression(problem, given=given, remedy=remedy)
