"""Logs and traces of any size, here or on Spark: read, normalised to events, judged by the trace rules, measured."""

import ctypes
import os

OF_POLARS = "_RJEM_MALLOC_CONF", "dirty_decay_ms:60000,muzzy_decay_ms:60000"
"""The environment variable that makes Polars' allocator give back memory unused for a minute, and its value."""
OF_GLIBC = {-1: 1 << 30, -3: 1 << 30}
"""The parameters of `mallopt` for Python: the free bytes at the end of the heap above which the C library trims it, and
the size in bytes from which on a piece of memory is mapped by itself."""


def keep_memory() -> None:
    """Keep the memory that one block of a log, or one split of events, took for the next one, in this process.

    Allocators give large pieces back to the system at once, which clears them anew when they are asked for again; that
    was a third of the time of reading a log. A process needs no more memory at its height for keeping it.
    """
    os.environ.setdefault(*OF_POLARS)
    if os.name == "posix" and (tell := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        for parameter, value in OF_GLIBC.items():
            tell(parameter, value)


# called before any module of the pipeline imports Polars, here and in the workers of Spark
keep_memory()
