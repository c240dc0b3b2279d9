"""The inputs of relational operators: rows that enter and leave the states of windows."""
