"""Which windows a place is in, and which records a closing window holds."""
