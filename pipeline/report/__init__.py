"""The output of `tidegate trace check`: verdicts, measures and timelines on the terminal, in files and on a page."""
