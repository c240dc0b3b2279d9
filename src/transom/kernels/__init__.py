"""Arrays in, arrays out: what runs on the workers, without Spark."""
