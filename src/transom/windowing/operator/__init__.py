"""Operators: what a port takes and gives, how an operator runs, and what a graph of them must satisfy."""
