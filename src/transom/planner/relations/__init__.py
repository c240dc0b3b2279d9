"""Relations that change at instants, as operators: joins, set operations, groups, and streams of changes."""
