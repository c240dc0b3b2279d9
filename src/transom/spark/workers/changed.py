"""What differs between a query and the one that a checkpoint belongs to, for the error that refuses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from transom.errors import CheckpointMismatch
from transom.kernels.state.migration import QUERY
from transom.kernels.state.store import Blocks
from transom.semantics.time import MICROS_PER_UNIT

UNITS = "|".join(MICROS_PER_UNIT)
TUNED = re.compile(
    rf"\b(SLACK|DRATIO|BFSIZE|IDLE AFTER)( INTERVAL)?(?: '?\d[\d.]*'?(?: ?(?:%|PERCENT\b|(?:{UNITS})S?\b'?))?)+", re.IGNORECASE
)
"""A clause and its amount: of time, of numbers, of a share; of rows, all but the word."""


def with_changes(error: CheckpointMismatch, blocks: Blocks, now: str) -> CheckpointMismatch:
    """The error, with the lines that differ, if the state says which query it is of."""
    kept = blocks.read(QUERY)
    if kept is None:
        return error
    changed = changed_lines(kept.decode().splitlines(), now.splitlines())
    if not changed:
        return error
    return CheckpointMismatch(f"{error.problem}{changed}", remedy=error.remedy)


def changed_lines(old: Sequence[str], new: Sequence[str]) -> str:
    """The lines that differ in what may not change, as they were and as they are; if none do, those that differ at all."""
    before, after = _lines(old), _lines(new)
    fixed = _differing([_untuned(line) for line in before], [_untuned(line) for line in after])
    pairs = [(before[one], after[other]) for one, other in fixed or _differing(before, after)]
    return "".join(f"\n  was:    {' '.join(was)}\n  is now: {' '.join(is_now)}" for was, is_now in pairs)


def _differing(before: list[str], after: list[str]) -> list[tuple[slice, slice]]:
    """Where the lines of one and of the other are not the same."""
    steps = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(slice(a, b), slice(c, d)) for step, a, b, c, d in steps if step != "equal"]


def _untuned(line: str) -> str:
    """Without the amounts that may change, as those of `Disorder.untuned`."""
    return TUNED.sub(lambda found: found[1].upper(), line)


def _lines(statements: Sequence[str]) -> list[str]:
    lines = (" ".join(line.partition("--")[0].split()) for statement in statements for line in statement.splitlines())
    return [line for line in lines if line]
