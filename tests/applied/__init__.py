"""Operators applied to streams."""
