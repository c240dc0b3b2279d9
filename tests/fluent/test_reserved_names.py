"""Columns that streams and windows have by themselves are not those of a schema or a DataFrame."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import transom as tr
from transom.errors import ReservedName
from transom.fluent.sources import Frame


class Made:
    """As much of a DataFrame as a stream looks at."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.dtypes = list(columns.items())


@pytest.mark.parametrize("name", ["window_start", "window_end", "wid", "event_ts", "row_num", "arrival_ts", "WID"])
@pytest.mark.parametrize("source", [dict, Made])
def test_reserved_names(source: type[dict[str, str] | Made], name: str) -> None:
    given: Frame | Mapping[str, str] = source({name: "bigint", "ts": "timestamp"})
    with pytest.raises(ReservedName, match=f"given:  {name}\n"):
        tr.stream(given, order_by="ts")
    with pytest.raises(ReservedName):
        tr.sql("SELECT count(*) AS n FROM s [RANGE 5 ROWS]", s=Made({name: "bigint", "ts": "timestamp"}))
