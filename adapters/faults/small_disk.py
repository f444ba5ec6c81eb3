"""A small file system in memory for a broker's data, so that a full disk does no harm."""

import subprocess
import time
from pathlib import Path
from shutil import disk_usage

from tidegate.adapters.base import Unsupported

BYTES = 64 * 1024 * 1024
MOST_PERCENT = 50
"""The used share of the disk, in percent, above which a broker is to stop producers."""
FILLED_BYTES = BYTES * 3 // 4
"""The used bytes of the disk after it was filled."""
SCAN_MS = 50
"""The period, in ms, in which the broker checks its disk."""
COMMAND_SECONDS = 30


class SmallDisk:
    """A file system that is mounted once, at a folder of its own."""

    def __init__(self) -> None:
        self._at: Path | None = None

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
        left = FILLED_BYTES - disk_usage(self.mounted).used
        (self.mounted / "filling").write_bytes(bytes(max(0, left)))
        self._wait_for_scans()

    def free(self) -> None:
        """Remove the file that fills it."""
        (self.mounted / "filling").unlink(missing_ok=True)
        self._wait_for_scans()

    def _wait_for_scans(self) -> None:
        """Wait for several scans, since the broker does not say when it has scanned."""
        time.sleep(4 * SCAN_MS / 1000)

    @property
    def mounted(self) -> Path:
        """The folder of the file system. Unsupported before `mount`."""
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
