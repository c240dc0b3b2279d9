"""Panes: tuples reduced to partial aggregates."""
