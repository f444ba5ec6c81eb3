"""What one line of a log says about producers: somebody is blocked, somebody is released, or a broker started."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """A limit that holds producers up, and the words for it.

    `family` and a place name what a release ends. `setting` is a key of spec/settings, or else `where` says where it is
    configured. `rule` is the id of a rule of the specification, or empty where there is none. `holds` is false for what
    an operator may take for blocking although sends go on. `tells_release` is false where the log has no line for a
    release, and `tells_limit` where the log cannot know the limit. `ask` is the command of the broker that tells more.
    """

    family: str
    setting: str
    reason: str
    frees: str
    change: str
    ask: str
    rule: str = ""
    where: str = ""
    holds: bool = True
    sends: str = "go on"
    """What sends do where a cause does not hold them up."""
    tells_release: bool = True
    tells_limit: bool = True
    figure: bool = True
    """Whether the limit is a figure; a policy, an order or an error is none."""
    goes: bool = True
    """Whether messages or bytes must leave before sends go on; a message that is too large waits for nothing."""
    one_for_all: bool = False
    """Whether the limit is the same for all places, so that a release of one tells that it is reached no more."""
    place_is: str = ""
    """What a place is: queue, address, destination, node or virtual host."""
    sets: bool = False
    """Whether a line that sets the limit says so, and none that it is reached."""
    release: str = ""
    """The version whose rules hold where the lines name none; empty for the documents' rules."""
    gave_up: bool = False
    """Whether the line tells of a send that waited for so long that it failed."""
    once: bool = False
    """Whether a broker writes the line once for each stop: a second one says that the stop in between ended."""
    whom: str = ""
    """Who is held up where neither a place nor a client is named, if that is not whoever sends."""


@dataclass(frozen=True)
class Figures:
    """The level at the line, the limit, and the level below which producers are released; each None where not told.

    `unit` is bytes or messages. `text` is what the line says of a level in other words, such as a percentage.
    """

    level: int | None = None
    limit: int | None = None
    resume: int | None = None
    unit: str = "bytes"
    text: str = ""


NO_FIGURES = Figures()


@dataclass(frozen=True)
class Blocked:
    """Producers of a place (queue, address, node, virtual host; "" is the whole broker) are held up by a cause.

    `client` is one connection, channel or producer; "" is everyone there. `seconds` is how long already.
    """

    cause: Cause
    place: str = ""
    client: str = ""
    figures: Figures = NO_FIGURES
    seconds: int = 0


@dataclass(frozen=True)
class Released:
    """What causes of these families did at a place is over; None is every place. `client` alone is let go, or all.

    `resumes` are the levels at which the line says that producers are released, in bytes and in messages: a later line
    may lack them.
    """

    families: tuple[str, ...]
    place: str | None = None
    client: str = ""
    resumes: tuple[tuple[str, int], ...] = ()
    closes: bool = False
    """Whether no limit is said to be over: a channel, connection or queue is gone, or the line is an everyday one."""
    own_figures: bool = False
    """Whether only the episode is over whose figures stood in the log, or else the one that stands alone."""
    clients_wait: bool = False
    """Whether each client that was stopped there has a line of its own when it is let go."""


@dataclass(frozen=True)
class Notice:
    """Neither: figures that belong to the next line of a family, or the start of a broker.

    Where no such line follows, the figures say themselves that `cause` holds.
    """

    family: str
    figures: Figures = NO_FIGURES
    cause: Cause | None = None
    started: bool = False
    release: str = ""
    """The version of the broker that started, such as 10.1.0; empty where the line does not tell."""


Said = Blocked | Released | Notice
