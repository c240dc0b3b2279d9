"""Spark SQL expressions evaluated in Python, tuple by tuple: for ranges that vary, for the reference, and for tests."""
