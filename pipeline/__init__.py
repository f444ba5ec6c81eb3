"""Logs and traces of any size on Spark: read, normalised to events, judged by the trace rules."""
