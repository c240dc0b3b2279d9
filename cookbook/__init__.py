"""Recipes: a query as it is written for Spark, and the same in Transom. `python -m cookbook tumbling` runs one."""
