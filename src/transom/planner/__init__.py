"""From a logical plan to what runs: stages and the specifications of operators. No Spark."""
