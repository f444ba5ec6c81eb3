"""Faults that adapters of real brokers cause: connections that stall or are cut, processes that are halted."""
