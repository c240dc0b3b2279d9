"""From a logical plan to what runs: rules, stages and the specifications of operators. No Spark."""

from transom.planner.physical import PhysicalPlan, plan

__all__ = ["PhysicalPlan", "plan"]
