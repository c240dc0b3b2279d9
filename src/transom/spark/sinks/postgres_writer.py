"""PostgreSQL: a function for `foreachBatch` that writes each micro-batch in one transaction, and none twice.

The transaction also notes which micro-batch it was. Spark hands the last one over again after a crash; what is noted is left out.
The note goes by the id that Spark gives a checkpoint, so a new checkpoint is a new query, whose rows are added.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.types import DataType, DecimalType

from transom.errors import BadQuery, MissingConnector
from transom.spark.sources.filesystem import open_folder

NOTES = "transom_written"
TYPES = {
    **{"boolean": "boolean", "tinyint": "smallint", "smallint": "smallint", "int": "integer", "bigint": "bigint"},
    **{"float": "real", "double": "double precision", "string": "text", "binary": "bytea", "date": "date"},
    **{"timestamp": "timestamptz", "timestamp_ntz": "timestamp"},
}
"""Spark's types as PostgreSQL's, for the statement that an error suggests."""


@dataclass(frozen=True)
class PostgresWriter:
    """Writes micro-batches into a table that is there. What it holds is plain data, so it also goes to a Spark Connect server."""

    address: str
    table: str
    checkpoint: str

    def __call__(self, rows: DataFrame, batch: int) -> None:
        psycopg = _driver()
        query = _query_id(self.checkpoint)
        with psycopg.connect(self.address) as connection, connection.cursor() as cursor:
            self._check(cursor, rows)
            cursor.execute(
                f"CREATE TABLE IF NOT EXISTS {NOTES} (query text, target text, batch bigint, PRIMARY KEY (query, target))"
            )
            connection.commit()
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (query + self.table,))  # two runs of one checkpoint
            cursor.execute(f"SELECT batch FROM {NOTES} WHERE query = %s AND target = %s", (query, self.table))
            last = cursor.fetchone()
            if last is not None and last[0] >= batch:
                rows.count()  # state is made all the same
                return
            names = ", ".join(f'"{_escaped(name)}"' for name in rows.columns)
            try:
                with cursor.copy(f"COPY {self.table} ({names}) FROM STDIN") as copy:
                    for row in _rows(rows):
                        copy.write_row(row)
            except (psycopg.DataError, psycopg.IntegrityError) as error:
                raise BadQuery(
                    f"the results do not fit into table {self.table!r} of PostgreSQL: {str(error).splitlines()[0]}",
                    given=", ".join(f"{name} {kind}" for name, kind in rows.dtypes),
                    remedy="cast them in the query, or change the table",
                ) from None
            cursor.execute(
                f"INSERT INTO {NOTES} VALUES (%s, %s, %s) ON CONFLICT (query, target) DO UPDATE SET batch = excluded.batch",
                (query, self.table, batch),
            )

    def _check(self, cursor: Any, rows: DataFrame) -> None:
        """Refuse rows that the table has no columns for, before anything is written."""
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", (self.table,))
        if not cursor.fetchone()[0]:
            columns = ", ".join(f'"{_escaped(field.name)}" {_type(field.dataType)}' for field in rows.schema.fields)
            raise BadQuery(
                f"PostgreSQL has no table {self.table!r}",
                given=self.table,
                remedy=f"make it: CREATE TABLE {self.table} ({columns})",
            )
        cursor.execute(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute "
            "WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            (self.table,),
        )
        there = dict(cursor.fetchall())
        missing = [name for name in rows.columns if name not in there]
        if missing:
            raise BadQuery(
                f"table {self.table!r} of PostgreSQL has no such columns",
                given=", ".join(missing),
                exists=[f"{name} {kind}" for name, kind in there.items()],
                remedy="rename them in the query, or add them: ALTER TABLE ... ADD COLUMN ...",
            )


def _driver() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingConnector(
            "PostgreSQL needs the package psycopg", given="no psycopg", remedy="pip install 'transom[postgres]'"
        ) from None
    return psycopg


def _query_id(checkpoint: str) -> str:
    """The id that Spark gave to a checkpoint when the query started."""
    return str(json.loads(open_folder(checkpoint).text("metadata"))["id"])


def _rows(rows: DataFrame) -> Iterator[Sequence[Any]]:
    """The rows as Python's values, timestamps with their zone."""
    for batch in rows.toArrow().to_batches():
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _type(kind: DataType) -> str:
    return (
        f"numeric({kind.precision}, {kind.scale})" if isinstance(kind, DecimalType) else TYPES.get(kind.simpleString(), "jsonb")
    )


def _escaped(name: str) -> str:
    return name.replace('"', '""')
