"""Rules over the events of a trace or a log."""
