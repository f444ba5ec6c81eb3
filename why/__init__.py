"""Tells why a producer is blocked, by the lines of a broker's or a client's log."""
