"""The small disk of an Artemis broker, and the elements of its broker.xml about it."""

from pathlib import Path

from tidegate.adapters.faults import small_disk
from tidegate.adapters.faults.small_disk import MOST_PERCENT, SCAN_MS

JOURNAL_BYTES = 1024 * 1024
"""The size of a journal file: Artemis' usual journal files would fill this disk by themselves."""
STORES = ("bindings", "journal", "paging", "large-messages")


def stores_in(folder: Path) -> str:
    """The elements of broker.xml that keep all data in a folder; by default a broker keeps them where it is started."""
    return "".join(f"<{store}-directory>{folder / store}</{store}-directory>" for store in STORES)


class SmallDisk(small_disk.SmallDisk):
    """A small disk on which Artemis keeps all data."""

    @property
    def elements(self) -> str:
        """The elements of broker.xml about the disk. Call `mount` before."""
        return (
            f"<max-disk-usage>{MOST_PERCENT}</max-disk-usage><disk-scan-period>{SCAN_MS}</disk-scan-period>"
            f"<journal-type>NIO</journal-type><journal-file-size>{JOURNAL_BYTES}</journal-file-size>"
            f"{stores_in(self.mounted)}"
        )
