"""What follows from a window specification: its context class, monotonicity, scope function, units."""
