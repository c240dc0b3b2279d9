"""OVER frames: one result for each row."""
