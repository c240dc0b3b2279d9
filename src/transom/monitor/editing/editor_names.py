"""What can be named in the editor: what a script defines, what queries read, and the tables of the session."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from transom.errors import BadOption, TransomError
from transom.language import Catalog, bind_script
from transom.language.parse.syntax import CreateAggregate, CreateStream, CreateTable
from transom.language.script_text import stated
from transom.plan.nodes.node import Node
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.types.schema import TIME_TYPES, Column

if TYPE_CHECKING:
    from transom.spark.frames.query_frame import SparkSession

MOST = 200
"""Tables of a session that are looked up; a metastore may have very many."""


def defined(script: str) -> Catalog:
    """The streams, tables and aggregates that a script defines."""
    catalog = Catalog(spark_alone=True)
    for one in stated(bind_script(script), script):
        if isinstance(one.statement, CreateStream | CreateTable | CreateAggregate):
            bind_script(one.text + ";", catalog)
    return catalog


def of_session(spark: SparkSession, plans: Iterable[Node], given: Mapping[str, Any]) -> Catalog:
    """What is handed over by name, the streams that queries read, and the tables and views of a session, in this order."""
    catalog = Catalog()
    for name, one in given.items():
        _hand_over(catalog, name, one)
    for plan in plans:
        for scan in (node for node in plan.walk() if isinstance(node, Scan)):
            if _is_new(catalog, scan.stream.name):
                catalog.streams[scan.stream.name] = scan
    for name in _tables(spark):
        if _is_new(catalog, name):
            with contextlib.suppress(Exception):  # a view whose files have gone, or columns that Transom reserves
                _hand_over(catalog, name, spark.table(name))
    return catalog


def _tables(spark: SparkSession) -> list[str]:
    """The tables and views of the current database; none where its catalog does not list them."""
    with contextlib.suppress(Exception):
        return [table.name for table in spark.catalog.listTables()[:MOST]]
    return []


def _is_new(catalog: Catalog, name: str) -> bool:
    return name.lower() not in {known.lower() for known in catalog.streams}


def _hand_over(catalog: Catalog, name: str, given: Any) -> None:
    plan = getattr(given, "plan", None)
    if isinstance(plan, Node):
        catalog.streams[name] = plan
        return
    if not hasattr(given, "dtypes"):
        raise BadOption(
            f"{name!r} is nothing that a query can read",
            given=type(given).__name__,
            exists=["a stream of tr.stream(...)", "a query", "a DataFrame"],
            remedy="give streams={'name': stream}",
        )
    columns = tuple(Column(column, kind.upper()) for column, kind in given.dtypes)
    bounded = not given.isStreaming
    catalog.streams[name] = Scan(StreamDefinition(name, columns, _order(columns), frame=given, bounded=bounded))
    if bounded:
        catalog.frames[name] = given


def _order(columns: Iterable[Column]) -> str | None:
    """The only column that is a time, which rows of a table are ordered by; of several, none is chosen."""
    times = [column.name for column in columns if column.type in TIME_TYPES]
    return times[0] if len(times) == 1 else None


def listed(catalog: Catalog) -> list[dict[str, Any]]:
    """Every stream and table with its columns, for a page.

    >>> listed(defined("CREATE STREAM s (x INT, t TIMESTAMP) ORDER BY t;"))
    [{'name': 's', 'columns': ['x INT', 't TIMESTAMP'], 'order': 't'}]
    """
    found = []
    for name in [*catalog.streams, *catalog.tables]:
        try:
            relation = catalog.relation(name)
        except TransomError:
            continue
        order = relation.stream.order_by if isinstance(relation, Scan) else None
        found.append({"name": name, "columns": [f"{one.name} {one.type}" for one in relation.schema.columns], "order": order})
    return found
