"""The window operators: one file for each kind of window."""
