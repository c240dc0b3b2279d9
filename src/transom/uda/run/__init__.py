"""Running compiled aggregates over tuples and panes."""
