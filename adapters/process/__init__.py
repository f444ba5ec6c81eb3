"""Fetching a broker's jars and starting it as a process of its own that never outlives the run."""
