"""A log that a broker is writing, read line by line as it grows."""

from pathlib import Path


class LogTail:
    """Returns each line of a log once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_bytes = 0

    def lines(self) -> list[str]:
        """Whole lines written since the last call."""
        with self._path.open("rb") as log:
            log.seek(self._read_bytes)
            whole, newline, _ = log.read().rpartition(b"\n")
        self._read_bytes += len(whole) + len(newline)
        return whole.decode("utf-8", errors="replace").splitlines()


class LogTails:
    """Returns each line of several logs once: a broker that is started again, or another broker, has its own log."""

    def __init__(self) -> None:
        self._tails: dict[Path, LogTail] = {}

    def lines(self, path: Path) -> list[str]:
        """Whole lines of this log that were written since the last call for it."""
        return self._tails.setdefault(path, LogTail(path)).lines()
