"""What stands in a line of a log: its form, its time, and the event that it makes."""
