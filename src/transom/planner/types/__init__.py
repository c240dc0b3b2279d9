"""Types of what runs: those of expressions without Spark, and as Arrow has them."""
