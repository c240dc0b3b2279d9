"""Punctuation, the frontier it moves, and what generates it."""
