"""Associative combinations of partials, of which the algebras are made."""
