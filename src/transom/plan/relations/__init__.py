"""Nodes over relations that change at instants: joins of windows, set operations, streams of changes, order in an instant."""
