"""Checkpoints of stopped queries: looked into, and changed."""
