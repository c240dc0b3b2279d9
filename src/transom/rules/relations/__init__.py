"""Rules over joins and set operations of windows (seed 002, section 4.2). The planner applies them before those of one window."""

from transom.rules.relations.distinct_past_window import distinct_past_window
from transom.rules.relations.join_associates import join_associates
from transom.rules.relations.join_commutes import join_commutes
from transom.rules.relations.projection_past_join import projection_past_join
from transom.rules.relations.selection_past_join import selection_past_join
from transom.rules.relations.set_operation_associates import set_operation_associates
from transom.rules.relations.set_operation_commutes import set_operation_commutes
from transom.rules.walk import Rule

RELATION_RULES: tuple[Rule, ...] = (
    selection_past_join,
    projection_past_join,
    join_associates,
    join_commutes,
    set_operation_associates,
    set_operation_commutes,
    distinct_past_window,
)

__all__ = [
    "RELATION_RULES",
    "distinct_past_window",
    "join_associates",
    "join_commutes",
    "projection_past_join",
    "selection_past_join",
    "set_operation_associates",
    "set_operation_commutes",
]
