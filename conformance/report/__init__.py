"""The report: verdicts from checks, known deviations, and the forms in which it is read."""
