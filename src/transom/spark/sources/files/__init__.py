"""FILE: files in the order of their names, through Spark's Python data source API."""
