"""What applies within each instant: LIMIT, and the functions that rank the rows of a state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sqlglot import exp

from transom.errors import BadFrame, BadQuery, NoInstant, UnknownColumn
from transom.plan.expression import Expression
from transom.plan.nodes.relational import Sort, Unary, check_ordered
from transom.plan.relations.partitioned_apart import partitioned_apart, parts_of
from transom.plan.relations.stamps import STAMPS
from transom.plan.types.schema import Column, Schema
from transom.semantics.classes.measured import base_of, partition_columns
from transom.semantics.windows.row_window import RowWindow

RANKED = {exp.RowNumber: "row_number", exp.Rank: "rank", exp.DenseRank: "dense_rank"}
RANKINGS = tuple(RANKED.values())


def partition_of_rank(window: exp.Expr) -> list[exp.Column]:
    """The columns that PARTITION BY of a rank names; a frame and an expression are refused."""
    if window.args.get("spec") is not None:
        raise BadFrame("a rank has no frame", given=window.sql("spark")[:80], remedy="leave ROWS or RANGE out")
    by: list[exp.Column] = window.args.get("partition_by") or []
    for column in by:
        if not isinstance(column, exp.Column):
            raise BadFrame("PARTITION BY takes columns", given=column.sql("spark"), remedy="select it under a name first")
    return by


@dataclass(frozen=True)
class Limit(Unary):
    """The first rows of each instant. Rows that ORDER BY leaves equal are in the order of the selected columns."""

    count: int

    def __post_init__(self) -> None:
        if self.count < 0:
            raise BadQuery("LIMIT is a number of rows", given=f"LIMIT {self.count}", remedy="give 0 or more")
        if not self.input.is_windowed:
            raise NoInstant(
                "LIMIT counts the rows of an instant, and a stream without a window has none",
                given=f"LIMIT {self.count}",
                remedy="put a window behind the stream, for example [TUMBLE 5 MINUTES]",
            )
        if not isinstance(self.input, Sort):
            raise BadQuery(
                "which rows LIMIT keeps is not said",
                given=f"LIMIT {self.count}",
                remedy="add ORDER BY",
            )
        selected = self.input.schema.names
        known = {name.lower() for name in (*selected, *STAMPS)}
        missing = [one for item in self.input.by for one in item.columns if one.lower() not in known]
        if missing:
            raise UnknownColumn(
                "rows are ordered by what is selected", given=missing[0], exists=selected, remedy="select it, too"
            )

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return f"Limit {self.count}"


@dataclass(frozen=True)
class Ranking:
    """`row_number() OVER (PARTITION BY window_end, ... ORDER BY ...)`."""

    function: str
    partition_by: tuple[str, ...]
    order_by: tuple[Expression, ...]

    def __post_init__(self) -> None:
        if self.function not in RANKINGS:
            raise BadFrame(
                "rows of a window are numbered or ranked", given=self.function, exists=RANKINGS, remedy="use one of those"
            )
        if not self.order_by:
            raise BadFrame(
                f"{self.function} follows an order", given=f"{self.function}()", remedy="add ORDER BY within OVER (...)"
            )

    @property
    def text(self) -> str:
        """As SQL."""
        names = ", ".join(Expression.of(exp.column(name, quoted=True)).text for name in self.partition_by)
        order = ", ".join(item.text for item in self.order_by)
        return f"{self.function.upper()}() OVER (PARTITION BY {names} ORDER BY {order})"


@dataclass(frozen=True)
class Ranked(Unary):
    """The rows of each instant with ranks, each under the text of its function."""

    rankings: tuple[Ranking, ...]

    def __post_init__(self) -> None:
        if not self.input.is_windowed:
            raise BadFrame(
                "rank and dense_rank number the rows of a window",
                given=", ".join(ranking.text for ranking in self.rankings),
                remedy="put a window behind the stream, and PARTITION BY window_end",
            )
        for ranking in self.rankings:
            check_ordered(ranking.order_by, self.input.schema)
            for name in ranking.partition_by:
                self.input.schema.find(name)
            if not {name.lower() for name in ranking.partition_by} & set(STAMPS):
                raise BadFrame(
                    "ranks are within a window",
                    given=ranking.text,
                    remedy="write PARTITION BY window_end, and further columns behind it",
                )
        self._check_partitions()

    def _check_partitions(self) -> None:
        """Rows are counted in each partition: windows of two that end at the same number have nothing else in common."""
        cut = partitioned_apart(self.input)
        if cut is None or not isinstance(base_of(cut.window), RowWindow):
            return
        for ranking in self.rankings:
            if parts_of(cut, self.input, ranking.partition_by) is None:
                by = ", ".join(dict.fromkeys([*partition_columns(cut.window), *ranking.partition_by]))
                raise BadFrame(
                    "rows are counted in each partition, and ranked there",
                    given=ranking.text,
                    remedy=f"write PARTITION BY {by}",
                )

    @cached_property
    def schema(self) -> Schema:
        below = self.input.schema
        return Schema((*below.columns, *(Column(ranking.text, "INT") for ranking in self.rankings)), below.hidden)

    @property
    def is_blocking(self) -> bool:
        return True

    def label(self) -> str:
        return "Ranked " + ", ".join(ranking.text for ranking in self.rankings)
