"""Binding what stands on several streams, on changes, and within an instant."""
