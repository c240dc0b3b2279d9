"""Columns that streams and windows have by themselves are not those of a schema or a DataFrame."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

import transom as tr
from transom.column_names import beside
from transom.errors import ReservedName
from transom.fluent.relation import Relation
from transom.fluent.sources import DataFrameLike
from transom.semantics.tuples import check_beside


class Made:
    """As much of a DataFrame as a stream looks at."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.columns = columns

    @property
    def dtypes(self) -> list[tuple[str, str]]:
        return list(self.columns.items())


@pytest.mark.parametrize("name", ["window_start", "window_end", "wid", "event_ts", "row_num", "arrival_ts", "WID"])
@pytest.mark.parametrize("source", [dict, Made])
def test_reserved_names(source: type[dict[str, str] | Made], name: str) -> None:
    given: DataFrameLike | Mapping[str, str] = source({name: "bigint", "ts": "timestamp"})
    with pytest.raises(ReservedName, match=f"given:  {name}\n"):
        tr.stream(given, order_by="ts")
    with pytest.raises(ReservedName):
        tr.sql("SELECT count(*) AS n FROM s [RANGE 5 ROWS]", s=Made({name: "bigint", "ts": "timestamp"}))


BESIDE = [
    "__source",
    "__position",
    "__end",
    "__tick",
    "__boundaries",
    "__about",
    "__kind",
    "__keep",
    "__arrival",
    "__y0",
    "__KIND",
]


@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("source", [dict, Made])
def test_what_stands_beside_columns_while_a_query_runs(source: type[dict[str, str] | Made], name: str) -> None:
    given: DataFrameLike | Mapping[str, str] = source({name: "bigint", "ts": "timestamp"})
    with pytest.raises(ReservedName, match=f"given:  {name}\n"):
        tr.stream(given, order_by="ts")
    with pytest.raises(ReservedName):
        tr.sql(f"CREATE STREAM s ({name} BIGINT, n BIGINT) ORDER BY n; SELECT count(*) AS m FROM s [TUMBLE 5]")


S = tr.stream({"x": "BIGINT", "n": "BIGINT"}, order_by="n", name="s")
BUILT: dict[str, Callable[[str], Relation]] = {
    "aggregate": lambda name: tr.sql(f"SELECT sum(x) AS {name} FROM s [TUMBLE 5]", s=S),
    "select list": lambda name: tr.sql(f"SELECT x AS {name} FROM s", s=S),
    "tuples of the extent": lambda name: tr.sql(f"SELECT x AS {name} FROM s [TUMBLE 5]", s=S),
    "frame": lambda name: tr.sql(f"SELECT sum(x) OVER (ROWS 5 PRECEDING) AS {name} FROM s", s=S),
    "agg in Python": lambda name: S.window(tumble=5).agg(**{name: tr.sum("x")}),
    "table": lambda name: S.join("t", {name: "BIGINT", "k": "BIGINT"}, on="x = k"),
}


@pytest.mark.parametrize("place", BUILT)
def test_nor_is_anything_called_so_in_a_query(place: str) -> None:
    BUILT[place]("total")
    with pytest.raises(ReservedName, match="__keep"):
        BUILT[place]("__keep")


def test_other_names_with_two_underscores_are_free() -> None:
    tr.stream({"__deleted": "BOOLEAN", "__op": "STRING", "__source_ts_ms": "BIGINT", "n": "BIGINT"}, order_by="n")


def test_every_name_that_stands_beside_is_refused() -> None:
    assert len(beside()) > 50
    for name in beside():
        with pytest.raises(ReservedName):
            check_beside([name.rstrip(":")])


def test_the_frontier_of_late_tuples() -> None:
    with pytest.raises(ReservedName, match="frontier"):
        tr.stream({"frontier": "BIGINT", "n": "BIGINT"}, order_by="n").window(tumble=5).agg(n=tr.count()).late()


def test_which_query_of_several() -> None:
    query = S.window(tumble=5).agg(query=tr.count())
    with pytest.raises(ReservedName, match="query"):
        tr.together(query, query)
