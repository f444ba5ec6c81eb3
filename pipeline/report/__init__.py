"""The output of `tidegate trace check`: measures on the terminal, and one page with verdicts, measures and
timelines."""
