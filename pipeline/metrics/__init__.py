"""Metrics of logs that grow: who is blocked now and how long altogether, for Prometheus and OpenTelemetry, without Spark."""
