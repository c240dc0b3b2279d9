"""Aggregates that need all rows of a slice: by rank, by frequency, or the rows themselves."""
