"""Fetches a broker's jars and starts the broker as a separate process that never outlives the run."""
