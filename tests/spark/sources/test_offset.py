"""Offsets: every set of names comes back, and a usual one is small."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from transom.spark.sources.files.offset import offset_of, taken_by

NAMES = st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1)


@given(st.sets(st.lists(NAMES, min_size=1, max_size=3).map("/".join)))
def test_what_was_taken_comes_back(names: set[str]) -> None:
    offset = json.loads(json.dumps(offset_of(names)))
    assert taken_by(offset) == names
    assert offset["files"] == len(names)


def test_ten_thousand_numbered_files_are_some_kilobytes() -> None:
    offset = offset_of(f"2026/01/part-{n:05d}.csv" for n in range(10_000))
    assert len(json.dumps(offset)) < 30_000


def test_the_same_files_give_the_same_offset() -> None:
    assert offset_of(["b", "a"]) == offset_of(["a", "b"])
