"""Where work is done: in this process, in several, or on Spark; and the progress of the work."""
