"""Limits that are a part of the heap or of the disk, which a file does not tell, in bytes for a machine of a size."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.explain.read.artemis import ArtemisFile
from tidegate.explain.read.classic import ClassicFile
from tidegate.explain.read.reading import Read
from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Figure, Finding, Origin

HALF = "half of the heap"
"""What all addresses of Artemis share together where nothing is set."""


@dataclass(frozen=True)
class Machine:
    """The largest heap of the broker and its disk, in bytes; None where not given."""

    heap: int | None = None
    disk: int | None = None


def on_machine(read: Read, machine: Machine) -> Read:
    """What a file sets, with each limit in percent in bytes as far as the machine is known."""
    if isinstance(read, ArtemisFile) and read.global_bytes is None and machine.heap is not None:
        part = f"{HALF} of {shown(machine.heap)}, the default of the broker"
        return replace(read, global_bytes=Figure(machine.heap // 2, Origin(part=part)))
    if isinstance(read, ClassicFile):
        return replace(read, usage={**dict(_in_bytes(read, machine)), **read.usage})
    return read


def _in_bytes(read: ClassicFile, machine: Machine) -> Iterator[tuple[str, Figure]]:
    for key, percent in read.heap_percent.items():
        whole = machine.heap if key == "memoryUsage" else machine.disk
        if whole is not None and percent.value is not None:
            what = "heap" if key == "memoryUsage" else "disk"
            part = f"{percent.origin.part}, {percent.value} % of the {what} of {shown(whole)}"
            yield key, Figure(percent.value * whole // 100, replace(percent.origin, part=part))


def findings(read: Read, machine: Machine) -> Iterator[Finding]:
    """Limits that are larger than the machine."""
    if isinstance(read, ArtemisFile):
        limits = [("global-max-size", "ARTEMIS-BLOCK-1", read.global_bytes, machine.heap, "heap")]
    elif isinstance(read, ClassicFile):
        limits = [
            ("memoryUsage", "CLASSIC-MEMORY-9", read.usage.get("memoryUsage"), machine.heap, "heap"),
            ("storeUsage", "CLASSIC-USAGE-1", read.usage.get("storeUsage"), machine.disk, "disk"),
            ("tempUsage", "CLASSIC-USAGE-2", read.usage.get("tempUsage"), machine.disk, "disk"),
        ]
    else:
        limits = [
            ("broker.flowToDiskThreshold", "QPID-QUEUE-7", host.to_disk, machine.heap, "heap") for host in read.hosts
        ]
    for name, rule, figure, whole, what in limits:
        if figure is not None and figure.value is not None and whole is not None and figure.value > whole:
            sentence = f"{name} ({shown(figure.value)}) is more than the whole {what} ({shown(whole)})."
            yield Finding(figure.origin, rule, sentence)
