"""Relations that change at instants: states of windows, joins, set operations and streams of changes, on arrays."""
