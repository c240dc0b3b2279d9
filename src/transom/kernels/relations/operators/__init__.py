"""The operators on relations, one file each, and the registry of them."""
