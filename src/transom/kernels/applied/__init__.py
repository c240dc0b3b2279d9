"""Operators on the windowing library (seed 004), run on the slices of a micro-batch."""
