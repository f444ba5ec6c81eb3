"""The settings of a Qpid Java broker's configuration, in either of its forms."""

from dataclasses import dataclass, field

from tidegate.explain.read.unread import Unread
from tidegate.explain.vocabulary import Figure, Origin, Word

BLOCKS = "PRODUCER_FLOW_CONTROL"
"""The policy that stops producers (Broker-J)."""
WITHOUT_OLD_NAMES = "7.0"
"""The release since which queues have overflow policies, and their limits have other names."""
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
    old: "OldLevels | None" = None
    """The levels under their names before 7.0 (Broker-J)."""
    ignored: Origin | None = None
    """Where a limit or a policy is set under a name that the release does not have yet (Broker-J before 7.0)."""

    def as_before_7(self) -> "Levels":
        """The levels as a release before 7.0 reads them: by their old names, and every capacity stops producers."""
        old = self.old or OldLevels(None, None)
        policy = Word(BLOCKS, old.capacity.origin) if old.capacity else None
        ignored = self.capacity or self.messages or self.policy
        return Levels(old.capacity, old.resume, policy=policy, ignored=ignored.origin if ignored else None)


@dataclass(frozen=True)
class OldLevels:
    """The levels of a queue, in bytes, under their names before 7.0 (Broker-J); None for a level that is not set."""

    capacity: Figure | None
    resume: Figure | None


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
