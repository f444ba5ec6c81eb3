"""Measures of flow control over a table of events: who was stopped, by what, for how long, how far over a limit.

Streams are independent, so a worker measures one stream at a time, file by file, with what is still open carried in
front of the next file. The work is the same in this process and on Spark.
"""
