"""Waiting for what another process or thread does in its own time."""

import time
from collections.abc import Callable

PATIENCE_SECONDS = 60


def eventually(look: Callable[[], bool]) -> bool:
    """Whether it comes true before patience ends."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return seen
