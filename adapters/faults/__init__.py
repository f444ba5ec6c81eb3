"""Faults that adapters of real brokers bring about: connections that stall or are cut, processes that are halted."""
