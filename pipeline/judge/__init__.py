"""Judging: rules become one loop over the events of a stream, compiled for many events and interpreted for few."""
