"""Growing logs, judged as they grow: their new lines, the stops and verdicts, and alerts."""
