"""State that grows with the input is refused on a stream, and taken where the input ends or UNBOUNDED STATE is said."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from transom.errors import UnboundedState
from transom.language import Catalog, bind_script
from transom.plan.nodes.relational import Scan
from transom.plan.nodes.stream import StreamDefinition
from transom.plan.types.schema import Column

QUERIES = [
    "SELECT count(DISTINCT v) OVER (ROWS UNBOUNDED PRECEDING {}) AS n FROM s",
    "SELECT v FROM s [LANDMARK SLIDE 1 HOUR {}]",
    "SELECT k, collect_list(v) AS l FROM s [LANDMARK FROM TIMESTAMP '2026-01-01' SLIDE 1 HOUR {}] GROUP BY k",
]


def catalog(streams: bool) -> Catalog:
    columns = (Column("k", "STRING"), Column("v", "DOUBLE"), Column("ts", "TIMESTAMP"))
    stream = StreamDefinition("s", columns, "ts", frame=SimpleNamespace(isStreaming=streams))
    return Catalog(streams={"s": Scan(stream)})


@pytest.mark.parametrize("query", QUERIES)
def test_state_without_bound(query: str) -> None:
    with pytest.raises(UnboundedState) as caught:
        bind_script(query.format(""), catalog(streams=True))
    assert "UNBOUNDED STATE" in caught.value.remedy
    bind_script(query.format("UNBOUNDED STATE"), catalog(streams=True))
    bind_script(query.format(""), catalog(streams=False))
