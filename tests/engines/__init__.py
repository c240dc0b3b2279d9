"""What queries run on in tests, besides Spark and the reference: the operators on arrays, without Spark."""
