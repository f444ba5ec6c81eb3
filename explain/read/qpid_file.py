"""What a configuration of the Qpid Java broker sets, in either of its forms."""

from dataclasses import dataclass, field

from tidegate.explain.vocabulary import Figure, Origin, Word

INHERITED = "context above the queue"
"""The part of a figure that a queue has from a context variable of what holds it."""


@dataclass(frozen=True)
class Levels:
    """The levels of a queue as they are set; None where they are not."""

    capacity: Figure | None = None
    """In bytes."""
    resume: Figure | None = None
    """In bytes."""
    percent: Figure | None = None
    """The resume level in hundredths of a percent of the capacity (Broker-J)."""
    messages: Figure | None = None
    """The capacity in messages (Broker-J)."""
    policy: Word | None = None
    """What an overfull queue does (Broker-J); None where it is not set."""
    old: Figure | None = None
    """The capacity by the name that it has before 7.0 (Broker-J)."""


@dataclass(frozen=True)
class Host:
    """A virtual host: what it sets for all queues, and the quota of its store in bytes."""

    name: str
    origin: Origin
    levels: Levels
    store: Word | None = None
    """The type or class of its message store."""
    overfull: Figure | None = None
    underfull: Figure | None = None
    to_disk: Figure | None = None
    """Bytes of all messages in memory past which they go to disk (Broker-J)."""


@dataclass(frozen=True)
class Queue:
    """A queue, and what it sets itself."""

    name: str
    host: Host
    origin: Origin
    levels: Levels = field(default_factory=Levels)

    @property
    def path(self) -> str:
        """Its name, behind that of its virtual host where there is one."""
        return f"{self.host.name}/{self.name}" if self.host.name else self.name


@dataclass(frozen=True)
class QpidFile:
    """What a file sets."""

    file: str
    is_json: bool
    hosts: tuple[Host, ...]
    queues: tuple[Queue, ...]
    notes: tuple[str, ...]
    name: str = ""
    """Which part of the file it is, where that has several."""
    misnamed: tuple[tuple[Origin, str], ...] = ()
    """Settings that are misspelt or misplaced, each with what is wrong."""
