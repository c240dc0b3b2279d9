"""Schemas, and the types that follow from them."""
