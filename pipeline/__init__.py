"""Logs and traces of any size on Spark: read, normalised to events, judged by the trace rules."""

from tidegate.pipeline.memory import keep_memory

# before anything of the pipeline imports Polars, here and in the workers of Spark
keep_memory()
