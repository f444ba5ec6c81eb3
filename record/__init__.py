"""What every part of tidegate shares: events, traces, verdicts, reports, errors and their schemas."""
