"""Logs and traces of any size, here or on Spark: read, normalised to events, judged by the trace rules, measured."""

import ctypes
import os

OF_POLARS = "_RJEM_MALLOC_CONF", "dirty_decay_ms:60000,muzzy_decay_ms:60000"
"""The environment variable that has the allocator of Polars give back memory that was unused for a minute."""
OF_GLIBC = {-1: 1 << 30, -3: 1 << 30}
"""What the C library is told by `mallopt`, for Python and NumPy: how many free bytes end the heap before it is trimmed,
and from which size on a piece of memory is mapped by itself."""


def keep_memory() -> None:
    """Keep the memory that one block of a log, or one split of events, took for the next one, in this process.

    Allocators give large pieces back to the system at once, which clears them anew when they are asked for again; that
    was a third of the time of reading a log. A process needs no more memory at its height for keeping it.
    """
    os.environ.setdefault(*OF_POLARS)
    if os.name == "posix" and (tell := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        for parameter, value in OF_GLIBC.items():
            tell(parameter, value)


# before anything of the pipeline imports Polars, here and in the workers of Spark
keep_memory()
