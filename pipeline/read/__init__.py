"""Reading logs and traces: each line is an event, or is ignored for being about something else, or is quarantined."""
