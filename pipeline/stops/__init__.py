"""Measures of flow control over a table of events: who was stopped, by what, for how long, and the overshoot of limits.

Streams are independent, so a worker measures one stream at a time, file by file, and carries the open stops into the
next file. The work is the same in this process and on Spark.
"""
