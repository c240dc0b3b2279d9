"""Slices, copies of columns and results come out of their binaries as they went in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from transom.kernels.columns.axis import Axis
from transom.kernels.generating import Generating
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.spark.exchange.binaries import joined, parted
from transom.spark.exchange.copies import Copies, copies_of
from transom.spark.exchange.result_packing import ROWS, packed, unpacked
from transom.spark.exchange.wire import PART, decode, encode, slices_of
from transom.spark.workers.operate import Plan

TIME = pa.timestamp("us", "UTC")
SPEC = Spec(axis=Axis(), axis_type=TIME, generating=Generating(slack=0), keys=("k",))


@pytest.mark.parametrize("binaries", [{}, {"a": b""}, {"a": b"x" * 300, "rows of ünïcode": bytes(range(256)), "z": b""}])
def test_binaries_with_names(binaries: dict[str, bytes]) -> None:
    assert parted(joined(binaries)) == binaries


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"highs": {"": 7}, "ended": True, "now": 5},
        {"source": "a", "sequence": b"\x00\x01", "arrival": b""},
        {"promises": pa.table({"__x": pa.array([3])})},
    ],
)
def test_a_slice(told: dict[str, Any]) -> None:
    piece = Slice(("file", 2**40, 3), pa.table({"k:k": pa.array([1, None]), "__axis": pa.array([5, 6])}), **told)
    found = decode(encode(4, 0, piece).to_pylist())
    assert found == piece


@pytest.mark.parametrize("kept", [[True] * 11, [True, False, True] * 3])
def test_a_slice_with_flags_of_what_is_the_query_s(kept: list[bool]) -> None:
    piece = Slice(("", 0, 0), pa.table({"__axis": pa.array([5])}), kept=np.array(kept))
    assert decode(encode(0, 0, piece).to_pylist()).kept.tolist() == kept
    assert decode(encode(0, 0, replace(piece, kept=None)).to_pylist()).kept is None


def test_a_slice_with_the_places_of_tuples_on_time() -> None:
    piece = Slice(("", 0, 0), pa.table({"__axis": pa.array([5])}), late=(2, b"packed"))
    assert decode(encode(0, 0, piece).to_pylist()).late == (2, b"packed")


@pytest.mark.parametrize("size", [0, PART - 1, PART, 3 * PART + 1])
def test_a_large_slice_comes_in_parts_in_whatever_order(size: int) -> None:
    pieces = [Slice((name, 0, 0), pa.table({"__axis": pa.array([5])}), sequence=name.encode() * size) for name in "ab"]
    sent = [row for number, piece in enumerate(pieces) for row in encode(0, number, piece).to_pylist()]
    assert all(len(row["binary"]) <= PART for row in sent)
    assert len(sent) >= 2 * max(1, size // PART)
    found = slices_of([pd.DataFrame(sent[1::2]), pd.DataFrame(sent[::2])[::-1]])
    assert sorted(found, key=lambda one: one.order) == pieces


def test_copies_of_what_the_operator_has_are_made_there() -> None:
    copied = {"g:k": "k:k", "t:k": "k:k", "t:ts": "__value", "t:v": "x0"}
    assert copies_of(copied, SPEC) == Copies((("g:k", "k:k"),), (("t:k", "k:k"), ("t:ts", "__value"), ("t:v", "x0")))


@pytest.mark.parametrize(
    "axis", [{"axis": Axis(1000)}, {"axis_type": pa.int64()}, {"axis": Axis(None), "axis_type": pa.float64()}]
)
def test_an_attribute_that_its_place_does_not_give_exactly_is_copied_before(axis: dict[str, Any]) -> None:
    assert copies_of({"t:ts": "__value"}, replace(SPEC, **axis)) == Copies((("t:ts", "__value"),), ())


def test_copies_have_the_values_of_their_originals() -> None:
    copies = Copies((("g:k", "k:k"),), (("t:k", "k:k"), ("t:ts", "__value")))
    table = copies.for_bucket(pa.table({"k:k": pa.array(["a", None])}))
    assert table["g:k"].to_pylist() == ["a", None]
    places = pa.array([SPEC.axis.nothing_yet, 10**15])
    rows = copies.for_operator(Slice(("", 0, 0), pa.table({"k:k": pa.array(["a", None]), "__axis": places})), SPEC).rows
    assert rows["t:k"].to_pylist() == ["a", None]
    assert rows["t:ts"].cast(pa.int64()).to_pylist() == [None, 10**15]
    assert rows["t:ts"].type == TIME


def _plan(items: tuple[tuple[str, str], ...] | None) -> Plan:
    output = pa.schema([("__kind", pa.int8()), ("k", pa.int64()), ("__y0", pa.list_(pa.float64())), ("__about", pa.string())])
    return Plan(SPEC, (0,), (), output, items=items)


@pytest.mark.parametrize("rows", [0, 1, ROWS, ROWS + 1])
def test_results_leave_with_the_control_row_or_without(rows: int) -> None:
    values = pa.array([[float("nan"), None, 1.0]] * (rows + 1))
    numbers = pa.array([None, *range(rows)], pa.int64())
    table = pa.table(
        [pa.array([2, *[0] * rows], pa.int8()), numbers, values, pa.array(["told", *[None] * rows])], _plan(None).output
    )
    for plan, first in ((_plan(None), 0), (_plan((("n", "k"), ("y", "__y0"))), 1)):
        frame = packed(plan, table)
        assert frame["__about"].tolist() == ["told", *[None] * (len(frame) - 1)]
        found = pa.Table.from_batches(unpacked([pa.RecordBatch.from_pandas(frame)]), plan.leaving)
        assert found.column("k" if first == 0 else "n").to_pylist() == numbers.to_pylist()[first:]
        assert str(found.columns[-1].to_pylist()) == str(values.to_pylist()[first:])
