"""Where the state of an operator is kept."""
