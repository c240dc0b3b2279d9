"""VIEW: a concrete view, which holds the relation at the last instant (seed 003, section 1).

Each version of it is a folder of Parquet files of its own, and the view in Spark's catalog names the newest. It changes from one
version to the next in one step of the catalog, and whoever reads an older one still finds its files for a while.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pyarrow.fs as fs
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from transom.errors import BadQuery
from transom.plan.nodes.stream import Endpoint
from transom.plan.relations.changes import INSTANT, THERE
from transom.spark.sources.filesystem import open_folder

KEPT = timedelta(minutes=10)
"""How long the files of a version stay after it was made, for queries that still read it. Shorter, a slow query could lose its
files; longer, they cost more room."""
MARK = "transom.versions"
"""The property of a view that says where its versions are."""
WAREHOUSE = "spark.sql.warehouse.dir"


def prepared(df: DataFrame, target: Endpoint) -> DataFrame:
    return df


def start(df: DataFrame, writer: DataStreamWriter, target: Endpoint, checkpoint: str) -> StreamingQuery:
    view = _view(df.sparkSession, target)
    view.make(df)
    return writer.foreachBatch(view).start()


def write(df: DataFrame, target: Endpoint) -> None:
    view = _view(df.sparkSession, target)
    view.make(df)
    view(df, 0)


def put(df: DataFrame, target: Endpoint, run: str, batch: int) -> None:
    write(df, target)


@dataclass(frozen=True)
class View:
    """A view and where its versions are. What it holds is plain data, so it also goes to a Spark Connect server."""

    name: str
    versions: str

    def make(self, rows: DataFrame) -> None:
        """Make the view, without rows, if it is not there."""
        spark = rows.sparkSession
        if not spark.catalog.tableExists(self.name):
            version = self._write(spark.createDataFrame([], rows.drop(THERE, INSTANT).schema))
            spark.sql(f"CREATE VIEW {self.name} TBLPROPERTIES ('{MARK}' = '{self.versions}') AS {_reading(version)}")
        elif self.versions not in _properties(spark, self.name):
            raise BadQuery(
                f"there is a table or view {self.name!r} already, which is no concrete view of ours",
                given=f"CREATE VIEW {self.name}",
                remedy="choose another name, or drop it in Spark",
            )

    def __call__(self, rows: DataFrame, batch: int) -> None:
        """Replace the relation by that of the last instant of a micro-batch, if there was one."""
        rows.persist()
        try:
            if rows.isEmpty():
                return
            last = rows.agg(sf.max(INSTANT).alias(INSTANT))
            held = rows.join(sf.broadcast(last), INSTANT).where(sf.col(THERE)).drop(THERE, INSTANT)
            version = self._write(held)
        finally:
            rows.unpersist()
        rows.sparkSession.sql(f"ALTER VIEW {self.name} AS {_reading(version)}")
        self._forget(version)

    def _write(self, rows: DataFrame) -> str:
        """A new version; its place."""
        place = f"{self.versions}/{uuid4().hex}"
        rows.write.parquet(place)
        return place

    def _forget(self, newest: str) -> None:
        """Remove versions that nobody reads any more."""
        folder, before = open_folder(self.versions), datetime.now(UTC) - KEPT
        for one in folder.system.get_file_info(fs.FileSelector(folder.path)):
            if not newest.endswith(one.base_name) and one.mtime is not None and one.mtime < before:
                folder.system.delete_dir(one.path)


def _view(spark: SparkSession, target: Endpoint) -> View:
    name = target.name or ""
    return View(name, f"{str(spark.conf.get(WAREHOUSE)).rstrip('/')}/{name.replace('`', '')}.versions")


def _reading(version: str) -> str:
    return f"SELECT * FROM parquet.`{version}`"


def _properties(spark: SparkSession, name: str) -> list[str]:
    """The values of the properties of a table or view."""
    return [row.value for row in spark.sql(f"SHOW TBLPROPERTIES {name}").collect()]
