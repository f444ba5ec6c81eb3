"""Where work is done: in this process, in several, or on Spark; and how far it is."""
