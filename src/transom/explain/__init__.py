"""EXPLAIN: what a query is, how it would be answered, and why."""

from transom.explain.report import explain

__all__ = ["explain"]
