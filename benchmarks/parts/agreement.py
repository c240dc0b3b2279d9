"""Before anything is measured: everyone gives the same answer."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from benchmarks.bench import Bench
from benchmarks.data import SPAN, START, Dataset
from benchmarks.part import Part
from benchmarks.peers import spark_window
from benchmarks.queries import over, row_window, sliding

ROWS, KEYS, OVERLAP, LENGTH = 20_000, 50, 60, 100


def measure(bench: Bench) -> Part:
    part = Part("agreement", "The same answers")
    path = Dataset(ROWS, KEYS, files=2).path(bench.conditions.folder)
    frame = bench.spark.read.parquet(str(path))
    until = sf.col("end") <= sf.timestamp_micros(sf.lit(START + (SPAN - 100) * 1_000_000))
    names = ("s", "m", "n")
    _same(
        part, "sliding windows", *(_sums(query(frame).where(until), names) for query in (sliding(OVERLAP), spark_window(OVERLAP)))
    )
    spark = frame.createOrReplaceTempView("data") or bench.spark.sql(
        f"""SELECT avg(v) OVER w AS a, max(v) OVER w AS m FROM data
            WINDOW w AS (PARTITION BY k ORDER BY ts ROWS {LENGTH - 1} PRECEDING)"""
    )
    for name, query in (("OVER frames", over(LENGTH)), ("row windows", row_window(LENGTH))):
        _same(part, name, _sums(query(frame), ("a", "m")), _sums(spark, ("a", "m")))
    return part


def _sums(frame: DataFrame, names: tuple[str, ...]) -> list[float]:
    """The number of rows and the sums of their columns and squares: different answers hardly agree in them."""
    sums = [sf.sum(each) for name in names for each in (sf.col(name), sf.col(name) * sf.col(name))]
    return [float(value) for value in frame.agg(sf.count("*"), *sums).first()]


def _same(part: Part, what: str, ours: list[float], theirs: list[float]) -> None:
    alike = all(abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1.0) for one, other in zip(ours, theirs, strict=True))
    if not alike:
        part.failed = f"{what}: Transom gives {ours}, Spark gives {theirs}"
    part.notes.append(f"{what}: {'the same as' if alike else 'DIFFERENT from'} Spark's own, {int(theirs[0]):,} rows")
