"""A small file system in memory for a broker's data, so that a full disk does no harm."""

import subprocess
import time
from pathlib import Path
from shutil import disk_usage

from tidegate.adapters.base import Unsupported

BYTES = 64 * 1024 * 1024
MOST_PERCENT = 50
"""The `max-disk-usage` in percent: above it, producers are stopped."""
FILLED_BYTES = BYTES * 3 // 4
"""The used bytes of the disk after it was filled."""
SCAN_MS = 50
"""The period, in ms, in which the broker checks its disk."""
JOURNAL_BYTES = 1024 * 1024
"""The size of a journal file: Artemis' usual journal files would fill this disk by themselves."""
COMMAND_SECONDS = 30
STORES = ("bindings", "journal", "paging", "large-messages")


def stores_in(folder: Path) -> str:
    """The elements of broker.xml that keep all data in a folder; by default a broker keeps them where it is started."""
    return "".join(f"<{store}-directory>{folder / store}</{store}-directory>" for store in STORES)


class SmallDisk:
    """A file system that is mounted once, at a folder of its own."""

    def __init__(self) -> None:
        self._at: Path | None = None

    @property
    def elements(self) -> str:
        """The elements of broker.xml about the disk. Call `mount` before."""
        return (
            f"<max-disk-usage>{MOST_PERCENT}</max-disk-usage><disk-scan-period>{SCAN_MS}</disk-scan-period>"
            f"<journal-type>NIO</journal-type><journal-file-size>{JOURNAL_BYTES}</journal-file-size>"
            f"{stores_in(self._mounted)}"
        )

    def mount(self, folder: Path) -> None:
        """Mount the file system at this folder, which is created. Unsupported where mounting is not allowed."""
        folder.mkdir()
        mounted = _run("mount", "-t", "tmpfs", "-o", f"size={BYTES}", "tidegate", str(folder))
        if mounted:
            raise Unsupported(f"a full disk needs a mount, and the machine allows none: {mounted}")
        self._at = folder

    def unmount(self) -> None:
        """Unmount the file system with everything on it. Unmounting twice is harmless."""
        if self._at is not None:
            _run("umount", "-l", str(self._at))
            self._at = None

    def fill(self) -> None:
        """Fill the file system, together with the broker's data on it, above the broker's limit."""
        left = FILLED_BYTES - disk_usage(self._mounted).used
        (self._mounted / "filling").write_bytes(bytes(max(0, left)))
        self._wait_for_scans()

    def free(self) -> None:
        """Remove the file that fills it."""
        (self._mounted / "filling").unlink(missing_ok=True)
        self._wait_for_scans()

    def _wait_for_scans(self) -> None:
        """Wait for several scans, since the broker does not say when it has scanned."""
        time.sleep(4 * SCAN_MS / 1000)

    @property
    def _mounted(self) -> Path:
        if self._at is None:
            raise Unsupported("the small disk is not mounted")
        return self._at


def _run(*command: str) -> str:
    """The error in the command's own words; empty if it succeeded."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_SECONDS)
    except OSError as error:
        return str(error)
    return "" if ended.returncode == 0 else ended.stderr.strip() or f"{command[0]} ended with {ended.returncode}"
