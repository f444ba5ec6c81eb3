"""Converts limits that are a share of the heap or of the disk to bytes, for a machine of a given size."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.read.classic import ClassicFile
from tidegate.explain.read.reading import Read
from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Figure, Finding, Origin

RESET = 70
"""The share of the heap, in per cent, to which ActiveMQ Classic resets a memory limit that exceeds the heap."""
WHOLE = 100
"""Per cent."""
HALF = 50
"""The default share of the heap, in per cent, of all Artemis addresses together."""


@dataclass(frozen=True)
class Machine:
    """The largest heap of the broker and its disk, in bytes; None if not given."""

    heap: int | None = None
    disk: int | None = None


def share_of_heap(read: ArtemisFile) -> int | None:
    """The share of the heap, in per cent, of all addresses together; None if a placeholder hides it."""
    return HALF if read.heap_percent is None else read.heap_percent.value


def words_of_heap(read: ArtemisFile) -> str:
    """The share of the heap in words."""
    share = share_of_heap(read)
    return "half of the heap" if share == HALF else f"{share} % of the heap" if share else "a part of the heap"


def on_machine(read: Read, machine: Machine) -> Read:
    """The settings of a file, with percentages converted to bytes as far as the machine is known."""
    if isinstance(read, ArtemisFile) and read.global_bytes is None and machine.heap is not None:
        percent, share = read.heap_percent, share_of_heap(read)
        if share is None:
            return read
        origin = Origin() if percent is None else percent.origin
        part = f"{words_of_heap(read)} of {shown(machine.heap)}" + (
            ", the default of the broker" if not percent else ""
        )
        in_bytes = Figure(machine.heap * share // 100, replace(origin, part=part))
        return replace(read, global_bytes=in_bytes, heap_percent=None)
    if isinstance(read, ClassicFile):
        converted = dict(_in_bytes(read, machine))
        left = {key: each for key, each in read.heap_percent.items() if key not in converted or key in read.usage}
        return replace(read, usage={**converted, **dict(_reset(read, machine))}, heap_percent=left)
    return read


def _reset(read: ClassicFile, machine: Machine) -> Iterator[tuple[str, Figure]]:
    """Limits in bytes; a limit beyond the machine's memory is reset to a share of the heap, and one beyond the disk to
    the disk."""
    for key, figure in read.usage.items():
        whole = machine.heap if key == "memoryUsage" else machine.disk
        if figure.value is None or whole is None or figure.value <= whole:
            yield key, figure
        elif key == "memoryUsage":
            part = f"{figure.origin.part}, reset to {RESET} % of the heap of {shown(whole)}"
            yield key, replace(figure, value=whole * RESET // 100, origin=replace(figure.origin, part=part))
        else:
            part = f"{figure.origin.part}, reset to the disk of {shown(whole)}"
            yield key, replace(figure, value=whole, origin=replace(figure.origin, part=part))


def _in_bytes(read: ClassicFile, machine: Machine) -> Iterator[tuple[str, Figure]]:
    for key, percent in read.heap_percent.items():
        whole = machine.heap if key == "memoryUsage" else machine.disk
        if whole is not None and percent.value is not None and 0 < percent.value <= WHOLE:
            what = "heap" if key == "memoryUsage" else "disk"
            part = f"{percent.origin.part}, {percent.value} % of the {what} of {shown(whole)}"
            yield key, Figure(percent.value * whole // 100, replace(percent.origin, part=part))


def findings(read: Read, machine: Machine) -> Iterator[Finding]:
    """Limits that are larger than the machine."""
    if isinstance(read, ArtemisFile):
        limits = [("global-max-size", "", read.global_bytes, machine.heap, "heap")]
    elif isinstance(read, ClassicFile):
        limits = [
            ("memoryUsage", "CLASSIC-MEMORY-9", read.usage.get("memoryUsage"), machine.heap, "heap"),
            ("storeUsage", "CLASSIC-USAGE-1", read.usage.get("storeUsage"), machine.disk, "disk"),
            ("tempUsage", "CLASSIC-USAGE-2", read.usage.get("tempUsage"), machine.disk, "disk"),
        ]
    else:
        limits = [("broker.flowToDiskThreshold", "", host.to_disk, machine.heap, "heap") for host in read.hosts]
    if isinstance(read, ClassicFile) and machine.disk is not None:
        yield from _together(read, machine.disk)
    for name, rule, figure, whole, what in limits:
        if figure is not None and figure.value is not None and whole is not None and figure.value > whole:
            sentence = f"{name} ({shown(figure.value)}) is more than the whole {what} ({shown(whole)})."
            if isinstance(read, ClassicFile):
                taken = f"{RESET} % of it" if what == "heap" else "the whole of it"
                sentence = f"{sentence} The broker takes {taken} instead, or refuses to start."
            yield Finding(figure.origin, rule, sentence)


def _together(read: ClassicFile, disk: int) -> Iterator[Finding]:
    """The finding that the store and the temporary files each fit on the disk, but not both together."""
    store, temp = (read.usage.get(key) for key in ("storeUsage", "tempUsage"))
    sizes = [each.value for each in (store, temp) if each is not None and each.value is not None]
    if store is not None and len(sizes) > 1 and max(sizes) <= disk < sum(sizes):
        sentence = (
            f"storeUsage and tempUsage are {shown(sum(sizes))} together, more than the whole disk ({shown(disk)}): if "
            "both lie on it, it is full first."
        )
        yield Finding(store.origin, "CLASSIC-USAGE-1", sentence)
