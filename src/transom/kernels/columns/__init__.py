"""Arrays: codes for keys, places on an axis, sequences, and what crosses between bucket and operator."""
