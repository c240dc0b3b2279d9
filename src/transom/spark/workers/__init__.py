"""What runs in Spark's Python workers: buckets and operators, on Arrow tables."""
