"""Logs that grow, judged as they do: what is new of them, what it means, and what somebody should look at."""
