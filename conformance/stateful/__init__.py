"""Generated sequences of sends and removals, judged step by step by the trace rules."""
