"""Judging: rules become one loop over the events of a stream, which workers run stream by stream."""
