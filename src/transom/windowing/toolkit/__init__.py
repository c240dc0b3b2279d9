"""The relational toolkit (seed 004, section 6.1): Aggregate, Join and Sort, written on the windowing library alone."""

from transom.windowing.toolkit.aggregate import Aggregate
from transom.windowing.toolkit.join import Join, OuterJoin
from transom.windowing.toolkit.measures import Average, Count, Max, Measure, Min, Percentile, Sum
from transom.windowing.toolkit.sort import BatchSort, ProgressiveSort

__all__ = [
    "Aggregate",
    "Average",
    "BatchSort",
    "Count",
    "Join",
    "Max",
    "Measure",
    "Min",
    "OuterJoin",
    "Percentile",
    "ProgressiveSort",
    "Sum",
]
