"""A union of streams on Spark: as a batch, as a stream, restarted, and with an input that is silent."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest

import transom as tr
from tests.engines.merged_reference import evaluate_plan
from tests.kernels.auctions import HISTORY, START, closing, history, opening, random_auctions
from tests.spark.drained import read_as_stream, run, stream_of, write
from tests.spark.on_spark import rows_of
from transom.errors import BadQuery
from transom.reference.history import End
from transom.spark.frames.query_frame import to_df
from transom.testing import assert_same_rows

pytestmark = pytest.mark.spark

OPENED, CLOSED = "item BIGINT, price DOUBLE, ts TIMESTAMP", "item BIGINT, final DOUBLE, buyer STRING, at TIMESTAMP"
WITH_TIME = "SELECT item, price, event_ts FROM ({}) AS u"
PATIENCE = 90


def frame_of(spark, items, columns):
    return spark.createDataFrame([tuple(item.values.values()) for item in items], columns).coalesce(1)


def asked(opened, closed, every=" ALL", query=WITH_TIME):
    of = {"opened": tr.stream(opened, order_by="ts", name="opened"), "closed": tr.stream(closed, order_by="at", name="closed")}
    return tr.sql(query.format(HISTORY.format(every=every)), **of)


def known(opened, closed, every=" ALL"):
    timeline = [("opened", one) for one in [*opened, End()]] + [("closed", one) for one in [*closed, End()]]
    return [one.row for one in evaluate_plan(history(every=every, query=WITH_TIME), timeline)]


@pytest.mark.parametrize("every", ["", pytest.param(" ALL", marks=pytest.mark.long)])
def test_as_a_batch_and_as_a_stream_it_is_what_the_definition_says(spark, tmp_path, every):
    """Two micro-batches, then a restart from the checkpoint with more data, and the end."""
    opened, closed = random_auctions(3)
    batch = asked(frame_of(spark, opened, OPENED), frame_of(spark, closed, CLOSED), every)
    whole = rows_of(to_df(read_as_stream(batch.plan)))
    assert_same_rows(whole, known(opened, closed, every))
    for start in (0, 15):
        write(frame_of(spark, opened[start : start + 15], OPENED), tmp_path / "opened")
        write(frame_of(spark, closed[start : start + 15], CLOSED), tmp_path / "closed")

    def streams():
        return [stream_of(spark, tmp_path / name, maxFilesPerTrigger=1) for name in ("opened", "closed")]

    before, _ = run(to_df(asked(*streams(), every).plan, end=0), tmp_path / "checkpoint")
    write(frame_of(spark, opened[30:], OPENED), tmp_path / "opened")
    write(frame_of(spark, closed[30:], CLOSED), tmp_path / "closed")
    after, _ = run(to_df(asked(*streams(), every).plan, end=1), tmp_path / "checkpoint")
    found = [row for each in (*before, *after) for row in each]
    assert any(before)
    assert_same_rows(found, known(opened, closed, every))
    assert [row["event_ts"] for row in found] == sorted(row["event_ts"] for row in found)


def test_example_6_of_seed_003(spark):
    """The price history of each item: where it starts, and what is paid."""
    opened = [opening(1, 10.0, 0), opening(2, 40.0, 30), opening(3, 5.0, 60)]
    closed = [closing(1, 25.0, 20), closing(3, 7.5, 90), closing(2, 99.0, 100)]
    frames = frame_of(spark, opened, OPENED), frame_of(spark, closed, CLOSED)
    assert [tuple(row) for row in asked(*frames, query="{}").to_df().collect()] == [
        (1, 10.0),
        (1, 25.0),
        (2, 40.0),
        (3, 5.0),
        (3, 7.5),
        (2, 99.0),
    ]


@pytest.mark.long
def test_a_window_over_a_union_and_a_union_of_windows(spark, tmp_path):
    opened, closed = random_auctions(4, disorder=0)
    query = "SELECT item, count(*) AS n, window_end FROM ({}) AS u [TUMBLE 10 SECONDS] GROUP BY item"
    counted = {}
    for row in known(opened, closed):
        end = START + timedelta(seconds=(row["event_ts"] - START).total_seconds() // 10 * 10 + 10)
        counted[row["item"], end] = counted.get((row["item"], end), 0) + 1
    expected = [{"item": item, "n": n, "window_end": end} for (item, end), n in counted.items()]
    write(frame_of(spark, opened, OPENED), tmp_path / "opened")
    write(frame_of(spark, closed, CLOSED), tmp_path / "closed")
    both = {name: stream_of(spark, tmp_path / name) for name in ("opened", "closed")}
    rows, _ = run(to_df(asked(both["opened"], both["closed"], query=query).plan, end=1), tmp_path / "over")
    assert_same_rows([row for each in rows for row in each], expected)
    defined = (
        "CREATE STREAM a AS SELECT item, count(*) AS n, window_end FROM opened [TUMBLE 10 SECONDS] GROUP BY item;"
        "CREATE STREAM b AS SELECT item, count(*) AS n, window_end FROM closed [TUMBLE 10 SECONDS] GROUP BY item;"
        "CREATE STREAM c AS SELECT * FROM a UNION ALL SELECT * FROM b;"
        "SELECT item, sum(n) AS n, window_end FROM c [NOW] GROUP BY item"
    )
    united = asked(both["opened"], both["closed"], query=defined.replace("window_end FROM c", "event_ts AS window_end FROM c"))
    rows, _ = run(to_df(united.plan, end=1), tmp_path / "of")
    assert_same_rows([row for each in rows for row in each], expected)


def test_columns_of_different_widths_meet_in_the_wider(spark):
    query = "SELECT CAST(item AS INT) AS item, CAST(price AS FLOAT) AS price FROM opened UNION ALL SELECT item, final FROM closed"
    frames = frame_of(spark, [opening(1, 0.5, 0)], OPENED), frame_of(spark, [closing(2, 0.1, 1)], CLOSED)
    made = asked(*frames, query=query).to_df()
    assert [field.dataType.simpleString() for field in made.schema.fields] == ["bigint", "double"]
    assert [tuple(row) for row in made.collect()] == [(1, 0.5), (2, 0.1)]


def test_what_only_spark_knows_is_refused_before_anything_runs(spark, tmp_path):
    opened, closed = frame_of(spark, [opening(1, 0.5, 0)], OPENED), frame_of(spark, [closing(2, 0.1, 1)], CLOSED)
    query = "SELECT array(item) AS item FROM opened UNION ALL SELECT map(item, 1) AS item FROM closed"
    with pytest.raises(BadQuery, match="of the same types"):
        asked(opened, closed, query=query).to_df()
    write(opened, tmp_path / "opened")
    with pytest.raises(BadQuery, match="some inputs are streaming"):
        asked(stream_of(spark, tmp_path / "opened"), closed).to_df()


@pytest.mark.classic
def test_an_input_that_is_silent_does_not_hold_the_other_up(spark, tmp_path):
    """The one says nothing more, and nobody says that it has ended: after a while the other goes on without it.

    The first tuple of the one waits for a later one of its own stream; it leaves late, but it leaves.
    """
    write(frame_of(spark, [opening(1, 1.0, 0)], OPENED), tmp_path / "opened")
    write(frame_of(spark, [closing(2, 2.0, 10), closing(3, 3.0, 20), closing(4, 4.0, 30)], CLOSED), tmp_path / "closed")
    opened = tr.stream(stream_of(spark, tmp_path / "opened"), order_by="ts", name="opened", idle_after=tr.seconds(3))
    closed = tr.stream(stream_of(spark, tmp_path / "closed"), order_by="at", name="closed")
    seen, came, start = [], [], time.monotonic()

    def tell(rows, _):
        seen.extend(row.item for row in rows.collect())
        came.append(time.monotonic())

    frame = tr.sql(HISTORY.format(every=" ALL"), opened=opened, closed=closed).to_df()
    query = frame.writeStream.foreachBatch(tell).option("checkpointLocation", str(tmp_path / "checkpoint")).start()

    def wait_for(count):
        until = time.monotonic() + PATIENCE
        while len(seen) < count and query.isActive and time.monotonic() < until:
            time.sleep(0.1)

    try:
        wait_for(2)
        assert seen == [2, 3]
        assert came[-1] - start > 3
        write(frame_of(spark, [opening(5, 5.0, 50)], OPENED), tmp_path / "opened")
        wait_for(3)
        assert seen == [2, 3, 1]
    finally:
        query.stop()


def test_two_dataframes_of_the_same_name_are_two_streams(spark):
    one, other = (spark.createDataFrame([(n, START)], "n INT, ts TIMESTAMP") for n in (1, 2))
    both = tr.stream(one, order_by="ts").union(tr.stream(other, order_by="ts"))
    assert sorted(row.n for row in both.to_df().collect()) == [1, 2]
