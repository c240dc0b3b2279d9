"""State: blocks of columns, and the index of tuples by event time."""
