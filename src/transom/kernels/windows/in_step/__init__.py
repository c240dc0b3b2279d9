"""Operators of several inputs in step: joins of windows and unions of streams."""
