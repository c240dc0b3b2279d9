"""What a name with dots means, as in Spark: a column of a relation, or a field of a struct."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlglot import exp
from sqlglot.errors import SqlglotError

from transom.errors import UnknownColumn, nearest
from transom.plan.types.schema import Schema
from transom.semantics.sql_type import SqlType

NESTED = ("STRUCT", "ARRAY", "MAP", "VARIANT", "UNKNOWN")
"""Types that have fields, or may have."""


def holder_of(column: exp.Column, schema: Schema, relations: Iterable[str]) -> tuple[exp.Column, list[str]] | None:
    """The column that holds a struct, and the fields that are named of it; None where the name is that of a column.

    >>> from transom.plan.expression import parse
    >>> from transom.plan.types.schema import Column
    >>> schema = Schema((Column("at", "STRUCT<city: STRING>"), Column("speed", "DOUBLE")))
    >>> for name in ("traffic.speed", "at.city", "traffic.at.city"):
    ...     found = holder_of(parse(name), schema, ["traffic"])
    ...     print(found and (found[0].sql("spark"), found[1]))
    None
    ('at', ['city'])
    ('traffic.at', ['city'])
    """
    if not column.table:
        return None
    parts = [part.name for part in column.parts]
    columns = {one.name.lower(): one.type for one in (*schema.columns, *schema.hidden)}
    nested = _outer(columns.get(parts[0].lower(), "")) in NESTED
    is_relation = len(parts) > 1 and parts[0].lower() in {name.lower() for name in relations}
    qualified = is_relation and (parts[1].lower() in columns or not nested)
    if not qualified and parts[0].lower() not in columns:
        return None
    last = 1 + qualified
    if len(parts) <= last:
        return None
    table = column.parts[0].copy() if qualified else None
    holder = exp.Column(this=column.parts[last - 1].copy(), table=table)
    holder.this.meta.update(column.meta)
    return holder, parts[last:]


def field(holder: exp.Expr, kind: str, fields: list[str]) -> exp.Expr:
    """A field of a struct of this type, and a field of that; of which it is refused to have none."""
    for name in fields:
        kind = _type_of_field(kind, name)
        holder = exp.Bracket(this=holder, expressions=[exp.Literal.string(name)])
    return holder


def plain(tree: exp.Expr, schema: Schema, relations: Iterable[str] = ()) -> exp.Expr:
    """An expression over the columns of one relation, whose names may qualify them: fields of structs are spelled out.

    A qualifier that is neither a relation nor a struct is refused; left standing, it would be dropped.
    """
    names = list(relations)
    resolve: Callable[[exp.Expr], exp.Expr] = lambda node: _plain(node, schema, names)  # noqa: E731
    return tree.copy().transform(resolve)


def _plain(node: exp.Expr, schema: Schema, relations: list[str]) -> exp.Expr:
    if not isinstance(node, exp.Column) or not node.table:
        return node
    found = holder_of(node, schema, relations)
    if found is not None:
        column = schema.find(found[0].name)
        return field(exp.column(column.name, quoted=True), column.type, found[1])
    if node.table.lower() not in {name.lower() for name in relations}:
        raise no_relation(node, schema, relations)
    return exp.column(schema.find(node.name).name, quoted=True)


def no_relation(column: exp.Column, schema: Schema, relations: Iterable[str]) -> UnknownColumn:
    """A name with a qualifier that is nothing."""
    first, given = column.parts[0].name, ".".join(part.name for part in column.parts)
    if first.lower() in (one.name.lower() for one in schema.columns):
        remedy = f"select it under a name first: {given} AS {column.name}"
        return UnknownColumn(
            "a column is named here, and this is a field of one", given=given, exists=schema.names, remedy=remedy
        )
    known = [*relations, *(one.name for one in schema.columns if one.type.upper().startswith("STRUCT"))]
    return UnknownColumn(f"there is no relation {first!r} here", given=given, exists=known, remedy=nearest(first, known))


def _outer(kind: str) -> str:
    return SqlType.of(kind).name


def _type_of_field(kind: str, name: str) -> str:
    """The type of a field; UNKNOWN where only Spark knows it."""
    if _outer(kind) in NESTED[1:]:
        return "UNKNOWN"
    if _outer(kind) != "STRUCT":
        raise UnknownColumn(f"a {kind} has no fields", given=f".{name}", remedy="name a column, or a field of a STRUCT")
    fields = {one.name.lower(): one for one in exp.DataType.build(kind, dialect="spark").expressions}
    if name.lower() not in fields:
        exists = [one.name for one in fields.values()]
        raise UnknownColumn(f"the struct has no field {name!r}", given=name, exists=exists, remedy=nearest(name, exists))
    found = fields[name.lower()].args.get("kind")
    return "UNKNOWN" if found is None else str(found.sql("spark"))


def spelled(kind: str) -> str:
    """A type as Spark SQL writes it. Fields of structs keep their names.

    >>> spelled("struct<zipCode:int>"), spelled("decimal(10,2)")
    ('STRUCT<zipCode: INT>', 'DECIMAL(10,2)')
    """
    if "<" not in kind:
        return kind.upper()
    try:
        return exp.DataType.build(kind, dialect="spark").sql("spark")
    except SqlglotError:
        return kind.upper()
