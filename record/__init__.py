"""What every part of headgate shares: events, traces, verdicts, reports, errors and their schemas."""
