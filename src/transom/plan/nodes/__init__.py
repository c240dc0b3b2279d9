"""The nodes of a logical plan."""
