"""Reading logs and traces: each line is an event, about something else and ignored, or quarantined."""
