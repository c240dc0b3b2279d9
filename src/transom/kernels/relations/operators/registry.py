"""Which operator runs which record."""

from __future__ import annotations

from collections.abc import Callable

from transom.kernels.relations.operators.as_of_operator import AsOfOperator, AsOfRecord
from transom.kernels.relations.operators.group_operator import GroupOperator, GroupRecord
from transom.kernels.relations.operators.join_operator import JoinOperator, JoinRecord
from transom.kernels.relations.operators.multiplicity_operator import MultiplicityOperator, MultiplicityRecord
from transom.kernels.relations.operators.open_join_operator import OpenJoinOperator, OpenJoinRecord
from transom.kernels.relations.operators.rank_operator import RankOperator, RankRecord
from transom.kernels.relations.operators.relational_operator import RelationalOperator

Record = AsOfRecord | GroupRecord | JoinRecord | MultiplicityRecord | OpenJoinRecord | RankRecord

OPERATORS: dict[type[Record], Callable[..., RelationalOperator]] = {
    AsOfRecord: AsOfOperator,
    GroupRecord: GroupOperator,
    JoinRecord: JoinOperator,
    MultiplicityRecord: MultiplicityOperator,
    OpenJoinRecord: OpenJoinOperator,
    RankRecord: RankOperator,
}


def operator_of(record: Record, *, looks: bool) -> RelationalOperator:
    """The operator of a record. One that `looks` finds out the instants of its inputs."""
    return OPERATORS[type(record)](record, looks=looks)
