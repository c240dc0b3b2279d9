"""Static tables beside a stream, below a window and above it."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from sqlglot import exp

from transom.column_names import KEEP, MATCHED, TABLE_KEY, TABLE_ROW
from transom.plan.nodes.relational import Scan, TableJoin
from transom.plan.relations.equalities import terms_of


def joined_below(frame: DataFrame, node: TableJoin) -> DataFrame:
    """A table joined before the window: tuples that are left out still bring progress."""
    table = table_of(frame.sparkSession, node)
    if node.only_filters:
        return _filtered_below(frame, table, node)
    joined = join(frame, F.broadcast(table.withColumn(MATCHED, F.lit(True))), node, "left")
    if node.kind == "INNER":
        joined = joined.withColumn(KEEP, F.col(KEEP) & F.coalesce(F.col(MATCHED), F.lit(False)))
    return joined.drop(MATCHED)


def table_of(spark: SparkSession, node: TableJoin) -> DataFrame:
    """The static side of a join: the DataFrame that was handed over, or the table of that name."""
    frame: DataFrame = spark.table(node.table) if node.frame is None else node.frame
    return frame


def join(frame: DataFrame, table: DataFrame, node: TableJoin, how: str) -> DataFrame:
    """The stream with the table."""
    if node.using:
        return frame.join(table, list(node.using), how)
    return _named(frame, node).join(table.alias(node.table), F.expr(node.condition.text), how)


def _named(frame: DataFrame, node: TableJoin) -> DataFrame:
    """The stream by the name that a condition has for it."""
    streams = [each.stream.name for each in node.chain() if isinstance(each, Scan)]
    named = any(isinstance(each, TableJoin) for each in node.input.chain())  # by the join before
    return frame.alias(streams[0]) if streams and not named else frame


def _filtered_below(frame: DataFrame, table: DataFrame, node: TableJoin) -> DataFrame:
    """SEMI and ANTI: each tuple once, with a flag. The rows of the table are grouped by what is equal, and so at most one group
    meets a tuple; what else is compared is asked of the rows of that group."""
    equal, rest = _terms(node)
    read = sorted({column.name for term in rest for column in term.find_all(exp.Column) if _is_of_table(column, node)})
    held = F.struct(*(F.col(f"`{name}`") for name in read)) if read else F.lit(True)
    keys = {f"{TABLE_KEY}{n}": there.sql("spark") for n, (_, there) in enumerate(equal)}
    chosen = [F.expr(text).alias(name) for name, text in keys.items()]
    rows = table.alias(node.table).select(*chosen, held.alias(TABLE_ROW))
    grouped = rows.groupBy(*keys).agg((F.collect_list(TABLE_ROW) if read else F.first(TABLE_ROW)).alias(MATCHED))
    met = [f"({here.sql('spark')}) = {TABLE_KEY}{n}" for n, (here, _) in enumerate(equal)]
    joined = _named(frame, node).join(F.broadcast(grouped), F.expr(" AND ".join(met) or "TRUE"), "left")
    matched = f"EXISTS({MATCHED}, {TABLE_ROW} -> {_asked(rest, node)})" if read else " AND ".join([MATCHED, *_texts(rest)])
    found = F.coalesce(F.expr(matched), F.lit(False))
    keep = F.col(KEEP) & (found if node.kind == "SEMI" else ~found)
    return joined.withColumn(KEEP, keep).drop(MATCHED, *keys)


def _terms(node: TableJoin) -> tuple[list[tuple[exp.Expr, exp.Expr]], list[exp.Expr]]:
    """What a condition has equal, of the stream and of the table, and what else it asks."""
    if node.using:
        return [(exp.column(name, quoted=True), exp.column(name, quoted=True)) for name in node.using], []
    equal, rest = [], []
    for term in (term.unnest() for term in terms_of(node.condition.tree)):
        sides = [term.this, term.expression] if isinstance(term, exp.EQ) else []
        of = [{_is_of_table(column, node) for column in side.find_all(exp.Column)} for side in sides]
        if of == [{False}, {True}]:
            equal.append((sides[0], sides[1]))
        elif of == [{True}, {False}]:
            equal.append((sides[1], sides[0]))
        else:
            rest.append(term)
    return equal, rest


def _is_of_table(column: exp.Column, node: TableJoin) -> bool:
    """Qualified is what both have."""
    if column.table:
        return bool(column.table.lower() == node.table.lower())
    return column.name.lower() not in {known.name.lower() for known in (*node.input.schema.columns, *node.input.schema.hidden)}


def _texts(terms: list[exp.Expr]) -> list[str]:
    return [f"({term.sql('spark')})" for term in terms]


def _asked(terms: list[exp.Expr], node: TableJoin) -> str:
    """The terms, with columns of the table as fields of one of its rows."""

    def of_row(part: exp.Expr) -> exp.Expr:
        own = isinstance(part, exp.Column) and _is_of_table(part, node)
        return exp.column(part.name, table=TABLE_ROW, quoted=True) if own else part

    return " AND ".join(_texts([term.copy().transform(of_row) for term in terms]))
