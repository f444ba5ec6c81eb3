"""The settings of a Qpid Java broker's configuration, in either of its forms."""

from dataclasses import dataclass, field

from tidegate.explain.read.unread import Unread
from tidegate.explain.vocabulary import Figure, Origin, Word

INHERITED = "context above the queue"
"""The part of a figure that a queue inherits from a context variable above it."""
FILLED = "store.filesystem.maxUsagePercent"
"""The context variable with the share of the file system that may be in use (Broker-J)."""


@dataclass(frozen=True)
class Levels:
    """The levels that a queue sets; None for a level that is not set."""

    capacity: Figure | None = None
    """In bytes."""
    resume: Figure | None = None
    """In bytes."""
    percent: Figure | None = None
    """The resume level in hundredths of a percent of the capacity (Broker-J)."""
    messages: Figure | None = None
    """The capacity in messages (Broker-J)."""
    policy: Word | None = None
    """The action of an overfull queue (Broker-J); None if it is not set."""
    old: Figure | None = None
    """The capacity under its name before 7.0 (Broker-J)."""


@dataclass(frozen=True)
class Host:
    """A virtual host: its settings for all queues, and the quota of its store in bytes."""

    name: str
    origin: Origin
    levels: Levels
    store: Word | None = None
    """The type or class of its message store."""
    overfull: Figure | None = None
    underfull: Figure | None = None
    filled: Figure | None = None
    """The share of the file system, in percent, that may be in use (Broker-J); None if it is not set."""
    to_disk: Figure | None = None
    """The bytes of all messages in memory beyond which messages go to disk (Broker-J)."""
    has_others: bool = True
    """Whether queues that the file does not name can be used, because all that they take from the host can be read."""


@dataclass(frozen=True)
class Queue:
    """A queue with its own settings."""

    name: str
    host: Host
    origin: Origin
    levels: Levels = field(default_factory=Levels)

    @property
    def path(self) -> str:
        """The queue's name, behind the name of its virtual host if that has one."""
        return f"{self.host.name}/{self.name}" if self.host.name else self.name


@dataclass(frozen=True)
class QpidFile:
    """The settings of a file."""

    file: str
    is_json: bool
    hosts: tuple[Host, ...]
    queues: tuple[Queue, ...]
    notes: tuple[str, ...]
    name: str = ""
    """The part of the file, if it has several."""
    misnamed: tuple[tuple[Origin, str], ...] = ()
    """Misspelt or misplaced settings, each with a sentence about the error."""
    unread: tuple[Unread, ...] = ()
    """The values that cannot be read."""
