"""The shared parts of tidegate: events, traces, verdicts, reports, errors and their schemas."""
