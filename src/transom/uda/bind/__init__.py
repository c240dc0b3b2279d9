"""Names and kinds resolved in the body of an aggregate."""
