"""The statements of one log line about producers: someone is blocked, someone is released, a broker starts or stops."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """A limit that holds producers up, and the texts about it.

    A release ends the causes of its `family` at its place. `setting` is a key of spec/settings; if it is none, `where`
    says where it is configured. `rule` is the id of a rule of the specification, or empty if there is none. `holds` is
    false for a cause that an operator may take for blocking although sends go on. `tells_release` is false if the log
    has no line for a release, and `tells_limit` is false if the log cannot know the limit. `ask` is a command of the
    broker that tells more.
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
    """The result of sends that a cause does not hold up."""
    tells_release: bool = True
    tells_limit: bool = True
    figure: bool = True
    """Whether the limit is a figure; a policy, an order or an error is no figure."""
    goes: bool = True
    """Whether messages or bytes must leave before sends go on; a message that is too large waits for nothing."""
    one_for_all: bool = False
    """Whether all places share the limit, so that a release at one place ends it everywhere."""
    place_is: str = ""
    """The kind of a place: queue, address, destination, node or virtual host."""
    sets: bool = False
    """Whether the line sets the limit, without telling that the limit is reached."""
    reported: bool = False
    """Whether somebody reports the limit in words of their own, without a line of a broker or client."""
    release: str = ""
    """The version whose rules apply if the lines name none; empty for the documents' rules."""
    gave_up: bool = False
    """Whether the line tells of a send that failed after it waited too long."""
    once: bool = False
    """Whether a broker writes the line once for each stop; a second line then shows that the first stop has ended."""
    of_another: bool = False
    """Whether the sender waits for another one, whose own wait tells more."""
    of_broker: bool = False
    """Whether a broker's own line tells the stop, although not its limit, for example because the line is cut off."""
    vague: bool = False
    """Whether another line of the same stop may tell its cause more exactly, which then counts."""
    whom: str = ""
    """The held-up senders if neither a place nor a client is named; empty for every sender."""

    @property
    def may_refuse(self) -> bool:
        """Whether sends fail at the limit, or may fail as a policy says that the line does not tell."""
        return self.sends.endswith("fail")


@dataclass(frozen=True)
class Figures:
    """The level at the line, the limit, and the level below which producers are released; None if not told.

    `unit` is bytes or messages. `text` is the line's own expression of a level, such as a percentage.
    """

    level: int | None = None
    limit: int | None = None
    resume: int | None = None
    unit: str = "bytes"
    text: str = ""


NO_FIGURES = Figures()


@dataclass(frozen=True)
class Blocked:
    """A cause holds up the producers of a place (queue, address, node, virtual host; "" is the whole broker).

    `client` is one connection, channel or producer; "" is every client there. `seconds` is the time blocked so far.
    """

    cause: Cause
    place: str = ""
    client: str = ""
    figures: Figures = NO_FIGURES
    seconds: int = 0


@dataclass(frozen=True)
class Released:
    """The causes of these families no longer hold producers up at a place; None is every place.

    `client` names the one released client; "" is all clients. `resumes` are the resume levels that the line tells, each
    with its unit, bytes or messages: a later line may lack them.
    """

    families: tuple[str, ...]
    place: str | None = None
    client: str = ""
    resumes: tuple[tuple[str, int], ...] = ()
    closes: bool = False
    """Whether the line does not say that a limit is over: a channel, connection or queue is gone, or the line is a
    routine one."""
    own_figures: bool = False
    """Whether the release ends only an episode with figures from the log, or the only episode."""
    and_below: bool = False
    """Whether the place is a virtual host, and the places in it are meant too."""
    clients_wait: bool = False
    """Whether each stopped client at the place has its own line when it is released."""


@dataclass(frozen=True)
class Notice:
    """Neither blocked nor released: figures that belong to the next line of a family, or a broker starts or stops.

    If no such line follows, the figures themselves tell that `cause` holds.
    """

    family: str
    figures: Figures = NO_FIGURES
    cause: Cause | None = None
    started: bool = False
    stopped: bool = False
    release: str = ""
    """The version of the broker that started, such as 10.1.0; empty if the line does not tell it."""
    clear: str = ""
    """The limit that is not reached by this line, in words; empty if the line does not tell that."""


Said = Blocked | Released | Notice
