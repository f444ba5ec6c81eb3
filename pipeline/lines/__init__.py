"""Lines of a log: their form, their time, and the events that they make."""
