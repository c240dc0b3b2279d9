"""Bound bodies as Python functions."""
