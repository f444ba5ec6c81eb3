"""What a check finds, as plain values that a report shows and a file holds."""
