"""Operators that users apply to streams: the node, and the check of window punctuation over a plan."""
