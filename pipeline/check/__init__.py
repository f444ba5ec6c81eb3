"""A check of logs and traces: from paths to a report."""
