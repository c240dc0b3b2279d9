"""The figures of queries for other programs: Prometheus, OpenTelemetry, notebooks."""
