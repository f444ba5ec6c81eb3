"""A small file system in memory on which a broker keeps its data, so that a disk can be filled without any harm."""

import subprocess
import time
from pathlib import Path
from shutil import disk_usage

from tidegate.adapters.base import Unsupported

BYTES = 64 * 1024 * 1024
MOST_PERCENT = 50
"""The `max-disk-usage`: with more of the disk used than this, producers are stopped."""
FILLED_BYTES = BYTES * 3 // 4
"""How much of the disk is used once it was filled."""
SCAN_MS = 50
"""How often the broker looks at its disk."""
JOURNAL_BYTES = 1024 * 1024
"""Artemis' usual journal files would fill such a disk by themselves."""
COMMAND_SECONDS = 30
STORES = ("bindings", "journal", "paging", "large-messages")


def stores_in(folder: Path) -> str:
    """What broker.xml says for all data to be kept in a folder; by itself a broker keeps these where it is started."""
    return "".join(f"<{store}-directory>{folder / store}</{store}-directory>" for store in STORES)


class SmallDisk:
    """Mounted once, at a folder of its own."""

    def __init__(self) -> None:
        self._at: Path | None = None

    @property
    def elements(self) -> str:
        """What broker.xml says of it. `mount` before."""
        return (
            f"<max-disk-usage>{MOST_PERCENT}</max-disk-usage><disk-scan-period>{SCAN_MS}</disk-scan-period>"
            f"<journal-type>NIO</journal-type><journal-file-size>{JOURNAL_BYTES}</journal-file-size>"
            f"{stores_in(self._mounted)}"
        )

    def mount(self, folder: Path) -> None:
        """Mount it there; the folder is made. Unsupported where this is not allowed."""
        folder.mkdir()
        mounted = _run("mount", "-t", "tmpfs", "-o", f"size={BYTES}", "tidegate", str(folder))
        if mounted:
            raise Unsupported(f"a full disk needs a mount, and the machine allows none: {mounted}")
        self._at = folder

    def unmount(self) -> None:
        """Take it away with all that is on it. Twice is harmless."""
        if self._at is not None:
            _run("umount", "-l", str(self._at))
            self._at = None

    def fill(self) -> None:
        """Use more of it than the broker allows, together with what the broker has there already."""
        left = FILLED_BYTES - disk_usage(self._mounted).used
        (self._mounted / "filling").write_bytes(bytes(max(0, left)))
        self._wait_for_scans()

    def free(self) -> None:
        """Remove what filled it."""
        (self._mounted / "filling").unlink(missing_ok=True)
        self._wait_for_scans()

    def _wait_for_scans(self) -> None:
        """The broker says nowhere that it has looked."""
        time.sleep(4 * SCAN_MS / 1000)

    @property
    def _mounted(self) -> Path:
        if self._at is None:
            raise Unsupported("the small disk is not mounted")
        return self._at


def _run(*command: str) -> str:
    """What went wrong, in the command's own words; empty if nothing did."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS)
    except OSError as error:
        return str(error)
    return "" if ended.returncode == 0 else ended.stderr.strip() or f"{command[0]} ended with {ended.returncode}"
