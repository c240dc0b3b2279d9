"""What is known of a body before it runs: rows that exist, values that can be NULL."""
