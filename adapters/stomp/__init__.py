"""A client of STOMP 1.2."""
