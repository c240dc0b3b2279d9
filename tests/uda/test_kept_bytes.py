"""States as bytes: everything comes back, what is no state is refused, and the bytes are those of the format."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transom.errors import CheckpointMismatch
from transom.uda.compile.runtime import State
from transom.uda.run.kept_bytes import from_bytes, to_bytes

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TREES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(TREES)
def test_what_was_kept_comes_back(tree: Any) -> None:
    assert from_bytes(to_bytes(tree)) == tree


def test_nan_comes_back() -> None:
    assert math.isnan(from_bytes(to_bytes([math.nan]))[0])


def test_the_bytes_of_the_format() -> None:
    """If these change, raise FORMAT of the store."""
    expected = "7b 75050000007374617465 5b06000000 4e 54 6901000000 67000000000000f83f 6c03000000000000000400 7502000000c3a9 30"
    assert to_bytes({"state": [None, True, 1, 1.5, 2**32, "\N{LATIN SMALL LETTER E WITH ACUTE}"]}).hex() == expected.replace(
        " ", ""
    )


@pytest.mark.parametrize("block", [b"", b"?", to_bytes([1.0, 2.0])[:-3], b"\x00"], ids=repr)
def test_what_is_no_state_is_refused(block: bytes) -> None:
    with pytest.raises(CheckpointMismatch, match="cannot be read"):
        from_bytes(block)


@pytest.mark.parametrize("window", [[], [1, None], [Decimal("1.50"), None], [(1, "a"), (None, Decimal(2))]], ids=repr)
def test_states_come_back(window: list[Any]) -> None:
    def fresh() -> State:
        return State(2, [([(0,), (1,), (0, 1)], [True, False, False])])

    state = fresh()
    state.variables = [Decimal("0.1"), 2.5]
    for row in ((1, "a"), (2, "a"), (3, "b")):
        state.tables[0].insert(*row)
    state.window.extend(window)
    again = fresh()
    again.restore(from_bytes(to_bytes(state.dump())))
    assert again.variables == state.variables
    assert list(again.window) == window
    assert again.tables[0].rows == state.tables[0].rows
    assert again.tables[0].by == state.tables[0].by
    assert again.tables[0].next == 3
