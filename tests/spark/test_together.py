"""Windows asked together give what each gives by itself."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import transom as tr
from transom.errors import TransomError

pytestmark = pytest.mark.spark

WINDOWS = ("TUMBLE 2", "TUMBLE 3", "RANGE 7 SLIDE 1", "RANGE 10 SLIDE 5")


def asked(stream: tr.Relation, tolerance: str = "") -> list[tr.Relation]:
    query = "SELECT k, count(*) AS n, max(a) AS top, window_end FROM s [{} {}] GROUP BY k"
    return [tr.sql(query.format(window, tolerance), s=stream) for window in WINDOWS]


@pytest.mark.parametrize("kind", ["BIGINT", "DECIMAL(9, 2)"])
@pytest.mark.parametrize("tolerance", ["SLACK 4", "DRATIO 30%"])
def test_lengths_that_share_no_pane_but_a_single_place(kind: str, tolerance: str, spark: SparkSession) -> None:
    places = [5, 1, 2, 9, 4, 4, 12, 30, 11, 28]
    rows = spark.createDataFrame([("uv"[n % 2], a) for n, a in enumerate(places)], "k STRING, a BIGINT").coalesce(1)
    stream = tr.stream(rows.selectExpr("k", f"CAST(a AS {kind}) AS a"), order_by="a", name="s")
    queries = asked(stream, tolerance)
    alone = [(n, *row) for n, query in enumerate(queries) for row in query.to_df().collect()]
    shared = [tuple(row) for row in tr.together(*queries).to_df().collect()]
    assert sorted(shared) == sorted(alone)
    assert {number for number, *_ in shared} == {0, 1, 2, 3}


def test_doubles_have_no_panes_to_share(spark: SparkSession) -> None:
    rows = spark.createDataFrame([("u", 1.5)], "k STRING, a DOUBLE")
    with pytest.raises(TransomError, match="panes"):
        tr.together(*asked(tr.stream(rows, order_by="a", name="s"))).to_df()
