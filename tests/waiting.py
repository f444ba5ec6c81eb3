"""Waits for the effect of another process or thread."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 60


def eventually(look: Callable[[], bool]) -> bool:
    """Whether `look` becomes true within `PATIENCE_SECONDS`."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return seen
