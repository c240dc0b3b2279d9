"""Operators that users apply to streams, as stages of a plan."""
