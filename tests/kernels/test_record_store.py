"""The two-level index: where tuples go, that nothing is read to insert them, and that p-nodes go whole."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import transom as tr
from transom.kernels.bucket import Bucket
from transom.kernels.columns.axis import Axis
from transom.kernels.state.record_store import BUFFERS, P_NODES, RecordStore, span_of
from transom.kernels.state.store import Memory
from transom.kernels.window_operator import ShardOperator
from transom.planner import plan as planned
from transom.planner.spec_of import spec_of
from transom.planner.windowed.window_stage import WindowStage
from transom.semantics.time import seconds
from transom.semantics.windows.sliding import Sliding

MEDIAN = "CREATE STREAM t (k INT, v DOUBLE, a BIGINT) ORDER BY a; SELECT median(v) AS m FROM t [RANGE 800 SLIDE 10 SLACK {slack}]"
TYPES = {"__value": pa.int64(), "x0": pa.float64()}


class Watched(Memory):
    """Blocks that tell what was asked of them."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[str] = []
        self.writes: list[str] = []

    def read(self, name: str) -> bytes | None:
        self.reads.append(name)
        return super().read(name)

    def write(self, name: str, block: bytes) -> None:
        self.writes.append(name)
        super().write(name, block)

    def asked(self) -> tuple[set[str], set[str]]:
        """The buffers that were read and written since it was last asked."""
        found = {name for name in self.reads if name[0] == "b"}, {name for name in self.writes if name[0] == "b"}
        self.reads, self.writes = [], []
        return found


class Fed:
    """A holistic aggregate at work."""

    def __init__(self, slack: int) -> None:
        (stage,) = planned(tr.sql(MEDIAN.format(slack=slack)).plan).stages
        assert isinstance(stage, WindowStage)
        self.spec, self.blocks = spec_of(stage, TYPES), Watched()
        self.bucket, self.step = Bucket(self.spec), 0

    def feed(self, *places: int) -> ShardOperator:
        self.step += 1
        table = pa.table({"__value": pa.array(places, pa.int64()), "x0": pa.array([1.0] * len(places))})
        operator = ShardOperator(self.spec, [])
        operator.load(self.blocks)
        operator.step([piece for _, piece in self.bucket.slices(table, (self.step,))], self.blocks)
        operator.save(self.blocks)
        return operator

    @property
    def store(self) -> RecordStore:
        operator = ShardOperator(self.spec, [])
        operator.load(self.blocks)
        found: RecordStore = operator.kind.store  # type: ignore[union-attr]
        return found


@pytest.mark.parametrize(("length", "slide", "span"), [(800, 10, 100), (805, 10, 110), (60, 60, 60), (10, 60, 60), (61, 10, 10)])
def test_a_window_covers_eight_p_nodes_of_whole_slides(length: int, slide: int, span: int) -> None:
    assert span_of(Sliding(range=length, slide=slide, wattr="a"), Axis()) == span
    assert span * P_NODES >= length
    timed = Sliding(range=seconds(length), slide=seconds(slide), wattr="a")
    assert span_of(timed, Axis()) == span * 1_000_000


def test_a_place_is_found_by_division() -> None:
    assert RecordStore(100).p_nodes(np.array([-1, 0, 99, 100, 250])).tolist() == [-1, 0, 0, 1, 2]
    assert RecordStore(0.5).p_nodes(np.array([-0.1, 0.4, 0.5])).tolist() == [-1, 0, 1]
    assert RecordStore().p_nodes(np.array([7, 1_000])).tolist() == [0, 0]


def test_insertion_reads_nothing_and_writes_one_buffer_for_each_p_node() -> None:
    fed = Fed(slack=10_000)
    for place in range(0, 600, 100):
        fed.feed(place, place + 1)
        read, written = fed.blocks.asked()
        assert (len(read), len(written)) == (0, 1)
    fed.feed(5, 305, 599)
    read, written = fed.blocks.asked()
    assert (len(read), len(written)) == (0, 3)
    assert {number: sum(one.rows for one in node.buffers) for number, node in fed.store.inner.items()} == {
        0: 3, 1: 2, 2: 2, 3: 3, 4: 2, 5: 3
    }  # fmt: skip


def test_small_buffers_of_a_p_node_become_one_and_others_are_not_touched() -> None:
    fed = Fed(slack=10_000)
    fed.feed(150)
    for place in range(BUFFERS**2):
        fed.feed(place)
    store = fed.store
    assert [one.rows for one in store.inner[1].buffers] == [1]
    assert sum(one.rows for one in store.inner[0].buffers) == BUFFERS**2
    assert len(store.inner[0].buffers) < 2 * BUFFERS


def test_p_nodes_are_dropped_whole_when_no_open_window_needs_them() -> None:
    fed = Fed(slack=0)
    held = []
    for place in range(0, 5_000, 10):
        fed.feed(place)
        store = fed.store
        held.append(len(store.inner))
        assert min(store.inner) * 100 > place - 800 - 2 * 100
    assert max(held) <= P_NODES + 2
    assert {name for name in fed.blocks.blocks if name[0] == "b"} == {one.name for one in fed.store}
