"""Finds the line of a configuration that sets a limit, in files given with the logs and read as by `tidegate
explain`."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tidegate.explain import explaining
from tidegate.explain.compose import qpid as qpid_limits
from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.read.classic import ClassicFile
from tidegate.explain.read.pieces import ROOTS
from tidegate.explain.read.qpid_file import QpidFile
from tidegate.explain.read.reading import Read, read_file
from tidegate.explain.versions import ARTEMIS, CLASSIC, QPID, Version
from tidegate.explain.vocabulary import Limit, Traffic
from tidegate.model.mechanisms.qpid import NOT_SET
from tidegate.why.folders import MAY_CONFIGURE
from tidegate.why.notices import Cause, Figures

CAPACITY = ("capacity", "maximumQueueDepthBytes", "queueFlowControlSizeBytes")
NAMES = {
    "capacity": CAPACITY,
    "maximumQueueDepthBytes": CAPACITY,
    "overfull-size": ("overfull-size", "storeOverfullSize"),
    "memoryLimit or memoryUsage": ("memoryLimit", "memoryUsage"),
}
"""By setting, its names in `explain` if they differ."""
LOGS_IN_XML = (b"<log4j:event", b"<record>", b"<!DOCTYPE log")
OF_BROKER_J = (b'"queues"', b'"virtualhost')
"""Texts that a JSON of Broker-J has and a log record lacks."""
OF_PROPERTIES = re.compile(rb"^\s*(?:address(?:es)?Settings\b|acceptorConfigurations\b|globalMax|maxDiskUsage)", re.M)
"""The properties of Artemis that `explain` reads."""
LOOKED_AT = 4096
OF_BROKER = re.compile(rf"<(?:\w+:)?(?:{'|'.join(ROOTS)})[\s>]|\"virtualhost|\"queues\"".encode())
"""Texts that a broken configuration has and most other XML and JSON lacks."""


@dataclass(frozen=True)
class FileSays:
    """A limit that a configuration sets: its figure with the unit, and its place, such as `broker.xml:12, match
    orders`."""

    setting: str
    shown: str
    origin: str


def configurations(name: str) -> tuple[Read, ...] | None:
    """The brokers' configurations in a file; None for a log. BadInput for an XML file that is neither."""
    path = Path(name)
    if path.suffix not in MAY_CONFIGURE or not path.is_file():
        return None
    if path.suffix == ".properties" and OF_PROPERTIES.search(path.read_bytes()) is None:
        return None
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
    if any(mark in start for mark in LOGS_IN_XML):
        return None
    if path.suffix == ".json" and not any(mark in path.read_bytes().lower() for mark in OF_BROKER_J):
        return None
    return read_file(path, name)


def names_broker(path: Path) -> bool:
    """Whether an unreadable file may be a configuration: it names an element of a broker's configuration."""
    return OF_BROKER.search(path.read_bytes()) is not None


def product_of(read: Read) -> str:
    """The product that `read` configures."""
    if isinstance(read, QpidFile):
        return QPID
    return ARTEMIS if isinstance(read, ArtemisFile) else CLASSIC


def says(cause: Cause, place: str, read: Read, release: str) -> tuple[FileSays, ...]:
    """The settings of a file for the limit of a cause; for a cause without a limit, all limits that can hold
    producers."""
    limits = _limits(place, read, release)
    if isinstance(read, ArtemisFile) and read.goes_before:
        limits = tuple(limit for limit in limits if limit.origin.line)  # the other limits are set by a broker.xml
    wanted = NAMES.get(cause.setting, (cause.setting,))
    if not cause.tells_limit:
        found = [limit for limit in limits if limit.frees]
    else:
        found = [limit for limit in limits if limit.name in wanted]
    return tuple(FileSays(limit.name, limit.shown, str(limit.origin)) for limit in found)


def with_resume(figures: Figures, place: str, read: Read, release: str) -> Figures:
    """The figures of a Qpid queue, with the resume level of the file if the lines do not tell it."""
    if not isinstance(read, QpidFile) or figures.resume is not None or figures.limit is None:
        return figures
    version = explaining.version_of(read, "", release)
    for queue in qpid_limits.chosen(read, (_name(place, read),)):
        force = qpid_limits.in_force(read, queue, version)
        there = force.messages if figures.unit == "messages" else force.queue
        if there is not None and there.capacity == figures.limit and there.resume != NOT_SET:
            return replace(figures, resume=there.resume)
    return figures


def _limits(place: str, read: Read, release: str) -> tuple[Limit, ...]:
    version: Version = explaining.version_of(read, "", release)
    found = explaining.explain(read, version, Traffic(), (_name(place, read),)).destinations
    return found[0].limits if found else ()


def _name(place: str, read: Read) -> str:
    """The name of a place in `explain`; `#` and `>` stand for all other places."""
    if isinstance(read, ClassicFile):
        kind, _, name = place.partition("://")
        return f"topic:{name}" if kind == "topic" else name or place or ">"
    if isinstance(read, ArtemisFile):
        return place or "#"
    return place.rpartition("/")[2] or qpid_limits.REST
