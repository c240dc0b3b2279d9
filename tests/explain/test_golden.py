"""EXPLAIN says what it said before. `make goldens` writes the files anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from transom.explain import explain
from transom.language import bind_script

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.sql"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_explain(path: Path) -> None:
    plans = [plan for _, plan in bind_script(path.read_text(encoding="utf-8")).statements if plan is not None]
    assert "\n\n".join(map(explain, plans)) + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_goldens() -> None:
    assert len(GOLDEN) >= 8
