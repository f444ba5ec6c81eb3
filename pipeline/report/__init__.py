"""What `tidegate trace check` shows: measures on the terminal, and one page with verdicts, measures and timelines."""
