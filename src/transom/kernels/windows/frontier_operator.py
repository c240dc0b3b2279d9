"""The frontier operator: folds the sequence of a controller once, and hands the steps of the frontier to all shards.

Without it every shard folds the whole sequence by itself. It takes slices whose rows went to their shards, with the columns of
those rows, which a shard needs that gets none; and it keeps nothing but progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from transom.kernels.aggregates.algebras.algebra import Algebra
from transom.kernels.columns.arrays import Array, plain
from transom.kernels.columns.frontier_steps import FrontierStep, FrontierSteps
from transom.kernels.progress.advance import Advance
from transom.kernels.progress.folding import Progress
from transom.kernels.slices import Slice
from transom.kernels.spec import Spec
from transom.kernels.state.head import about_operator
from transom.kernels.state.migration import Migrated
from transom.kernels.state.store import Blocks, pack, unpack
from transom.kernels.windows.registry import operator_for

BEFORE_ALL = ("", -1, 0)
"""The place of the steps, before all slices."""


class FrontierOperator:
    """The frontier of all shards, for one micro-batch: load, step, save. If it `inspects`, it reports each substream."""

    def __init__(self, spec: Spec, parts: Sequence[Algebra] = (), *, inspects: bool = False) -> None:
        generating = replace(spec.generating, stepped=False)
        self.spec, self.inspects = replace(spec, generating=generating), inspects
        self.progress = Progress(generating, spec.axis, spec.fixed)
        self.kind = operator_for(self.spec, list(parts))
        self.resumed = False

    def load(self, blocks: Blocks) -> None:
        head = Migrated(blocks).read("head")
        if head is not None:
            self.resumed = True
            self.progress.from_json(unpack(head, self.spec.fingerprint)[1]["progress"])

    def save(self, blocks: Blocks) -> None:
        note = {"progress": self.progress.to_json(), "operator": about_operator(self, self.spec, (), controlled=True)}
        blocks.write("head", pack(pa.table({}), self.spec.fingerprint, note))

    def open_windows(self) -> int | None:
        """It has none."""
        return None

    def step(self, slices: list[Slice]) -> Slice:
        """One micro-batch: what all shards get."""
        slices = sorted(slices, key=lambda piece: piece.order)
        progress, axis = self.progress, self.spec.axis
        before = progress.snapshot()
        progress.fold([replace(piece, kept=None) for piece in slices])
        steps: dict[Any, FrontierStep] = {}
        counted: list[tuple[Array, Array]] = []
        for piece, path in zip(slices, progress.substreams.paths, strict=True):
            late = path.late()
            frontiers = path.before(late)
            if len(piece.sequenced) or piece.order not in steps:  # the end of an input has the place of a slice
                steps[piece.order] = FrontierStep(plain(path.first), late, frontiers)
            if piece.kept is not None:
                own = piece.kept[late]
                counted.append((path.places(late[own]), frontiers[own]))
        found = FrontierSteps(progress.frontier, steps, progress.idle, progress.about(detailed=self.inspects))
        if counted:
            places, reached = zip(*counted, strict=True)
            found = replace(found, counted=(np.concatenate(places), np.concatenate(reached)))
        ended, newest = progress.ended, progress.newest
        known = newest > axis.nothing_yet
        if ended:
            self.kind.advance = Advance(before.of_keys, progress.of_keys, progress.promised, progress.of_all, newest, ended, True)
            progress.after_end(self.kind.reached() if known else axis.nothing_yet)
            found = replace(found, after_end=progress.about())
        columns = next((piece.rows for piece in slices if piece.rows.num_columns), pa.table({}))
        return Slice(BEFORE_ALL, columns, ended=ended, newest=newest if known else None, steps=found)


def handed_to(piece: Slice, *, counts: bool) -> Slice:
    """What a shard gets; one of them counts the late tuples."""
    return piece if counts or piece.steps is None else replace(piece, steps=replace(piece.steps, counted=None))
