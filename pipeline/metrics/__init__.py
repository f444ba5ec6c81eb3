"""Metrics of logs that grow: who is blocked now, and how long altogether. For Prometheus and OpenTelemetry."""
