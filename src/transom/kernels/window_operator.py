"""The window operator of one shard: slices of a micro-batch in, results out, blocks of state in between."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from transom.column_names import AHEAD, AXIS, FRONTIER, HIGH, INDEX, KEEP, KEY, ORDER, OWN, PICK, ROW_COUNT, ROW_NUM
from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, Bools, flags, take
from transom.kernels.columns.batch import Batch, LateRows, OperatorOutput
from transom.kernels.columns.late_rows import all_late
from transom.kernels.columns.number_packing import below
from transom.kernels.columns.numbering import Numbering
from transom.kernels.inspection import inspected
from transom.kernels.panes.lifting import lifted, panes_of, places_of_panes
from transom.kernels.panes.settling import settles
from transom.kernels.progress.advance import Advance
from transom.kernels.progress.ages import Ages
from transom.kernels.progress.folding import Progress
from transom.kernels.results import column, needs_row_num, unfolded
from transom.kernels.slices import FrontierBefore, Slice
from transom.kernels.spec import Spec, WindowedSpec
from transom.kernels.state.head import about_operator
from transom.kernels.state.migration import Migrated
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.registry import operator_for
from transom.kernels.windows.reporting import WindowOperator

JUDGED_BY = (HIGH, INDEX)
"""Columns that nobody needs once tuples are judged. Not every slice has them."""


class ShardOperator:
    """A window operator with its state, for one micro-batch: load, step, save. If it `inspects`, its output says more."""

    def __init__(self, spec: Spec, parts: list[Algebra] | None = None, *, inspects: bool = False) -> None:
        self.spec = spec
        self.inspects = inspects
        self.progress = Progress(spec.generating, spec.axis, spec.fixed)
        self.parts = parts or []
        self.kind = operator_for(spec, self.parts)
        self.arrived = 0
        self.resumed = False
        self.ages = Ages(spec.axis, timed=pa.types.is_temporal(spec.axis_type))
        self.counting = Numbering(tuple(f"{KEY}{name}" for name in spec.partition_by)) if needs_row_num(spec) else None

    # -- state -----------------------------------------------------------------------------------------------

    def load(self, blocks: Blocks) -> None:
        blocks = Migrated(blocks)
        head = blocks.read("head")
        if head is None:
            return
        promises, note = unpack(head, self.spec.fingerprint)
        self.resumed = True
        self.progress.from_json(note["progress"])
        self.progress.promises_from(promises)
        self.arrived = note["arrived"]
        self.ages.from_json(note["ages"])
        self.kind.counts.add(**note["counts"])
        self.kind.from_json(note["kind"])
        self.kind.load(blocks)
        counted = blocks.read("counted")
        if counted is not None and self.counting is not None:
            self.counting.from_table(unpack(counted, self.spec.fingerprint)[0])

    def save(self, blocks: Blocks) -> None:
        note = {
            "progress": self.progress.to_json(),
            "arrived": self.arrived,
            "ages": self.ages.to_json(),
            "counts": vars(self.kind.counts),
            "kind": self.kind.to_json(),
            "operator": self._about(),
        }
        blocks.write("head", pack(self.progress.promises_table(), self.spec.fingerprint, note))
        self.kind.save(blocks)
        if self.counting is not None:
            blocks.write("counted", pack(self.counting.to_table(), self.spec.fingerprint))

    def _about(self) -> dict[str, Any]:
        numbered = isinstance(self.kind, WindowOperator) and self.kind.ids_are_rows
        controlled = self.spec.generating.control is not None
        return about_operator(self.kind, self.spec, self.spec.shard_by, numbered=numbered, controlled=controlled)

    # -- stepping --------------------------------------------------------------------------------------------

    def step(self, slices: list[Slice], blocks: Blocks) -> OperatorOutput:
        """One micro-batch."""
        blocks = Migrated(blocks)
        slices = sorted((piece.with_places(self.spec) for piece in slices), key=lambda piece: piece.order)
        before = self.progress.snapshot()
        judged = self.progress.fold(slices)
        table = self._table(slices)
        if self.spec.lifts and self.spec.generating.control is not None and table.num_columns:  # bucket did not know what is late
            table, judged = self._lift(self.spec.lifts, table, judged, slices)
        if self.spec.generating.derived and table.num_rows:
            table = table.take(pa.array(self._derived_order(table)))
        batch = self._batch(table, judged)
        if self.spec.ages_are_known:  # the ages of partials are not those of tuples
            late_ones = batch.late & _picked(batch.table)
            self.ages.add(batch.of_tuple[late_ones], batch.a[late_ones])
        out = OperatorOutput()
        late = self.kind.step(batch, self._advance(before), blocks, out)
        self._take_back(batch)
        if out.rows is not None:
            out.rows = unfolded(out.rows, self.spec.aggregates)
        if isinstance(self.kind, WindowOperator):
            out.boundaries = self.kind.boundaries()
        out.late = all_late([self._late(batch, late) if self.spec.wants_late else None], [piece.passed for piece in slices])
        self._count_lifted(slices)
        out.counts = self.kind.counts
        if self.inspects:
            out.inspected = inspected(self.kind, batch, late, out, self.spec.axis)
        out.control = self.progress.about(detailed=self.inspects)
        out.ages = self.ages.counts
        out.progress, out.frontier = self._progress(), self.progress.of_all
        out.idle = self.progress.idle
        if self.progress.ended:
            known = self.progress.newest > self.spec.axis.nothing_yet
            self.progress.after_end(self.kind.reached() if known else self.spec.axis.nothing_yet)
        return out

    def _advance(self, before: Progress) -> Advance:
        """What the operator needs of the progress that this micro-batch has made."""
        now = self.progress
        uniform = not self.spec.generating.grouped
        return Advance(before.of_keys, now.of_keys, now.promised, now.of_all, now.newest, now.ended, uniform)

    def _lift(
        self, spec: WindowedSpec, table: pa.Table, judged: FrontierBefore, slices: list[Slice]
    ) -> tuple[pa.Table, FrontierBefore]:
        """Partials of tuples that are judged, in which nothing is left to judge; and of those that were settled, which are judged
        by what was complete before their slice."""
        a = column(table, AXIS).to_numpy()
        behind = a
        if settles(spec):  # late ones are counted elsewhere; windows end where panes do
            behind = places_of_panes(spec, panes_of(spec, a) + 1) - 1
        late = (a > spec.axis.nothing_yet) & (behind < judged.of_tuple)
        if not settles(spec):
            counted = late & _picked(table)
            self._count_late(a[counted], judged.of_tuple[counted])
        made = [lifted(spec, self.parts, table, a, late, judged.of_group)]
        frontiers = [spec.axis.nothing_yet]
        for piece, start in zip(slices, self.progress.starts, strict=False):
            if piece.partials is not None:
                made.append(piece.partials)
                frontiers.append(start)
        before = np.repeat(np.array(frontiers, spec.axis.dtype), [one.num_rows for one in made])
        return pa.concat_tables(made, promote_options="default").combine_chunks(), FrontierBefore(before, before)

    def _take_back(self, batch: Batch) -> None:
        """What WHERE leaves out counts as outside where windows look at it, and does not count at all."""
        out = ~_picked(batch.table)
        if out.any():
            weight = column(batch.table, ROW_COUNT).to_numpy()[out].sum() if self.spec.lifts else out.sum()
            self.kind.counts.add(outside=-weight, late=0 if self.spec.lifts else -(batch.late & out).sum())

    def _count_late(self, a: Array, frontier: Array) -> None:
        self.kind.counts.add(late=len(a))
        self.ages.add(frontier, a)

    def _table(self, slices: list[Slice]) -> pa.Table:
        pieces = [_without(piece.rows, *JUDGED_BY) for piece in slices if piece.rows.num_columns]
        if not pieces:
            return pa.table({})
        return pa.concat_tables(pieces, promote_options="default").unify_dictionaries().combine_chunks()

    def _derived_order(self, table: pa.Table) -> Any:
        """Results of an operator below arrive in the order of their instants, however they were spread and cut."""
        name = ORDER if ORDER in table.column_names else AXIS
        order = column(table, name)
        turned = pa.compute.sort_indices(order).to_numpy()
        nowhere = order.null_count
        if pa.types.is_floating(order.type):
            nowhere += pa.compute.is_nan(order).true_count
        return np.roll(turned, nowhere)

    def _batch(self, table: pa.Table, judged: Any) -> Batch:
        rows = table.num_rows
        if not table.num_columns:
            nothing = np.zeros(0, np.int64)
            return Batch(table, nothing.astype(self.spec.axis.dtype), nothing == 1, nothing, nothing, nothing == 1, nothing)
        a = column(table, AXIS).to_numpy()
        keep = flags(column(table, KEEP)) if KEEP in table.column_names else np.ones(rows, bool)
        ahead = flags(column(table, AHEAD)) if AHEAD in table.column_names else np.zeros(rows, bool)
        self.kind.counts.add(ahead=(keep & ahead).sum())
        valid = np.asarray((a > self.spec.axis.nothing_yet) & ~ahead, bool)
        pick = flags(column(table, PICK)) & ~ahead if PICK in table.column_names else ~ahead
        batch = Batch(table, a, valid, judged.of_tuple, judged.of_group, pick, np.arange(rows))
        if not keep.all():
            batch = Batch(
                take(table, keep), a[keep], valid[keep], judged.of_tuple[keep], judged.of_group[keep], pick[keep], batch.n[keep]
            )
        batch.n = self.arrived + np.arange(batch.rows)
        self.arrived += batch.rows
        if self.counting is not None:
            batch.table = self._with_row_num(batch.table)
        return batch

    def _with_row_num(self, table: pa.Table) -> pa.Table:
        assert self.counting is not None
        numbers = pa.array(self.counting.number(table) + 1)
        table = table.append_column(ROW_NUM, numbers)
        return table.append_column(f"{OWN}{ROW_NUM}", numbers) if ROW_NUM in self.spec.tuples else table

    def _late(self, batch: Batch, late: LateRows) -> pa.Table:
        names = [name for name in batch.table.column_names if name.startswith(OWN)]
        rows = batch.table.select(names).take(pa.array(late.rows))
        by = np.asarray(late.frontier, self.spec.axis.dtype)
        return rows.append_column(FRONTIER, self.spec.axis.values(by, self.spec.frontier_type))

    def _count_lifted(self, slices: list[Slice]) -> None:
        """Where partials do not tell: what came late by its slice alone, and what the carried frontier makes late; or what of a
        sequence was late."""
        for piece, start in zip(slices, self.progress.starts, strict=False):
            if piece.late is not None:
                sure, on_time = piece.late
                self.kind.counts.add(late=sure + below(on_time, start))
        for a, frontier in self.progress.late:
            self._count_late(a, frontier)

    def _progress(self) -> Any:
        """The timestamp below which no result is still to come."""
        x = self.progress.of_all
        return self.kind.passed_on(x) if self.spec.axis.nothing_yet < x < self.spec.axis.everything else x


def _picked(table: pa.Table) -> Bools:
    """Which rows the condition of a filtered window picks."""
    return flags(column(table, PICK)) if PICK in table.column_names else np.ones(table.num_rows, bool)


def _without(table: pa.Table, *names: str) -> pa.Table:
    return table.select([name for name in table.column_names if name not in names])
