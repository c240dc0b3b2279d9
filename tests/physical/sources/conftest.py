"""The session that all tests with Spark share."""

from tests.spark.conftest import spark as spark
