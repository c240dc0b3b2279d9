"""EXPLAIN: what a query is, how it would be answered, and why."""

from transom.explain.explain_lines import explain

__all__ = ["explain"]
