"""What a test registers is gone after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from transom.fluent.aggregates import REGISTERED


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    before = dict(REGISTERED)
    yield
    REGISTERED.clear()
    REGISTERED.update(before)
