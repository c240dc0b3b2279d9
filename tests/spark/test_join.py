"""The toll query on Spark: two windowed branches over one stream in one query, as a batch, as a stream, and restarted."""

from __future__ import annotations

import pytest

import transom as tr
from tests.engines.merged_reference import evaluate_plan
from tests.kernels.tolls import ACTIVE, CONGESTED, TOLL, random_traffic, toll
from tests.spark.drained import answer, run, stream_of, write
from tests.spark.on_spark import rows_of
from transom.reference.history import End
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

COLUMNS = "vehicle STRING, seg INT, speed DOUBLE, ts TIMESTAMP"
SPEEDS = {"active": " SLACK 5 SECONDS", "congested": " SLACK 1 MINUTE"}


def query(frame, side="", speeds=SPEEDS):
    defined = ACTIVE.format(active=speeds["active"]) + CONGESTED.format(congested=speeds["congested"]) + TOLL.format(side=side)
    return tr.sql(defined, sensors=tr.stream(frame, order_by="ts", name="sensors"))


def known(items, side=""):
    plan = toll(**SPEEDS, side=side)
    return [one.row for one in evaluate_plan(plan, [("sensors", item) for item in [*items, End()]])]


def frame_of(spark, items):
    return spark.createDataFrame([tuple(item.values.values()) for item in items], COLUMNS)


@pytest.mark.parametrize("side", ["", "LEFT "])
def test_as_a_batch_it_is_what_the_definition_says(spark, side):
    items = random_traffic(1)
    assert_same_rows(rows_of(query(frame_of(spark, items).coalesce(1), side).to_df()), known(items, side), rel_tol=1e-9)


def test_cut_into_micro_batches_and_restarted_it_is_the_same(spark, tmp_path):
    """Two micro-batches, then a restart from the checkpoint with more data, and the end."""
    items = random_traffic(2)
    for start in (0, 20):
        write(frame_of(spark, items[start : start + 20]), tmp_path / "in")
    stream = stream_of(spark, tmp_path / "in", maxFilesPerTrigger=1)
    before, _ = run(to_df(query(stream).plan, end=0), tmp_path / "checkpoint")
    write(frame_of(spark, items[40:]), tmp_path / "in")
    after, _ = run(to_df(query(stream_of(spark, tmp_path / "in")).plan, end=1), tmp_path / "checkpoint")
    assert len(before) == 2
    assert any(before)
    assert_same_rows([row for each in (*before, *after) for row in each], known(items), rel_tol=1e-9)


@pytest.mark.long
def test_a_window_over_a_join_stays_in_step_with_it(spark, tmp_path):
    """Three operators below, two of them branches; batch and stream agree with the definition, counted by hand."""
    items = random_traffic(3)

    def tolls(frame):
        made = "CREATE STREAM toll AS " + TOLL.format(side="") + ";\n"
        defined = ACTIVE.format(active=SPEEDS["active"]) + CONGESTED.format(congested=SPEEDS["congested"]) + made
        query = defined + "SELECT vehicle, count(*) AS n FROM toll [TUMBLE 5 MINUTES] GROUP BY vehicle"
        return tr.sql(query, sensors=tr.stream(frame, order_by="ts", name="sensors"))

    found = answer(frame_of(spark, items).coalesce(1), tolls, tmp_path)
    each = known(items)
    assert sum(row["n"] for row in found) == len(each)
    assert {row["vehicle"] for row in found} == {row["vehicle"] for row in each}
