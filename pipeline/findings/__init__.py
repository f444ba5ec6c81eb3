"""The findings of a check, as plain values that a report shows and a file holds."""
