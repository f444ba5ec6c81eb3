"""How far the reading is, seen from outside: the markers that have come, whoever writes them."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from tidegate.pipeline.store.commits import MARKER
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.work.progress import Show

SECONDS = 0.2
"""Between two looks."""


@contextmanager
def watching(store: Store, show: Show) -> Iterator[None]:
    """Tell of every new marker while the block runs, and once more at its end."""
    known = {path.name for path in store.commits.iterdir()}
    lines = [0, 0]
    over = Event()

    def look() -> None:
        for path in store.commits.glob(f"*{MARKER}"):
            if path.name not in known:
                known.add(path.name)
                lines[0] += 1
                # a marker is whole when it is there, and how far the reading is need not be checked
                lines[1] += json.loads(path.read_bytes())["account"]["lines"]
        show(lines[0], lines[1])

    def watch() -> None:
        while not over.wait(SECONDS):
            look()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
    look()
