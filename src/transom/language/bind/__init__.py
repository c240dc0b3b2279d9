"""Syntax to plans: names resolved, windows and queries made."""
