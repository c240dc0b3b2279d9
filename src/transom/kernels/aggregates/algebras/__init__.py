"""Aggregates as algebras: rows are lifted to partials of constant size, which are combined and lowered to values."""
