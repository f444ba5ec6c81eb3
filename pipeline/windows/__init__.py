"""Judging events by sorted windows of Spark: needs nothing but the events, and is what other forms are held against."""
