"""Text to syntax: brackets, clauses, statements."""
