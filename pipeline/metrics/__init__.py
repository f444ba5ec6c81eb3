"""Metrics of growing logs, for Prometheus and OpenTelemetry: who is blocked now, and how long in total."""
