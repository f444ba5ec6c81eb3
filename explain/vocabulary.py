"""The parts of an explanation: origins of figures, the effect of limits, bounds and findings."""

from dataclasses import dataclass, field

NO_RULE = "no rule"
"""In place of the id of a rule in a line of --lint."""


@dataclass(frozen=True)
class Origin:
    """The origin of a figure: a line of a file (with its part, such as a match), or a default."""

    file: str = ""
    line: int = 0
    part: str = ""
    """The match, policyEntry, acceptor or queue that sets the figure; for a default, the version that has it."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else ""
        return ", ".join(filter(None, (where, self.part)))


@dataclass(frozen=True)
class Figure:
    """A number with its origin: bytes, messages, ms or percent. `value` is None if a placeholder hides it."""

    value: int | None
    origin: Origin
    text: str = ""
    """The text of the file, which may have a unit."""


@dataclass(frozen=True)
class Word:
    """A text of a configuration with its origin, such as a policy. `value` is None if a placeholder hides it."""

    value: str | None
    origin: Origin


@dataclass(frozen=True)
class Limit:
    """A limit in force at a destination."""

    name: str
    shown: str
    """The figure of the limit with its unit."""
    origin: Origin
    does: str
    """The effect of the limit, and the producers that it concerns."""
    frees: str
    """The event that releases a blocked producer; empty if the limit blocks nobody."""
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """The most that a destination holds. Both figures are None if there is no bound, or if it is unknown."""

    bytes: int | None
    messages: int | None
    because: str
    rules: tuple[str, ...]
    witness: tuple[str, ...] = ()
    """The steps that reach the bound; without a bound, steps that make the destination grow."""
    reached: int | None = None
    """The bytes stored at the end of the witness, computed by the mechanism itself; None if no witness was run."""
    proved: tuple[str, ...] = ()
    """Theorems that prove the bound for any number of producers, size and limit; empty if a rule promises the bound."""


@dataclass(frozen=True)
class Flow:
    """The limit and the bound that producers of one kind meet at a destination."""

    producers: str
    first: str
    """The limit that is reached first, or the property of the traffic that decides it."""
    bound: Bound


@dataclass(frozen=True)
class Destination:
    """An address, a queue, a topic, or a pattern that stands for several of them."""

    name: str
    verdict: str
    limits: tuple[Limit, ...]
    flows: tuple[Flow, ...]


class Stopping(str):
    """A sentence about a fault with which a broker refuses to start."""


@dataclass(frozen=True)
class Finding:
    """A setting without effect, a contradiction, or a limit that stops producers for good."""

    origin: Origin
    rule: str
    """The rule whose sentence speaks of it; empty if no rule does."""
    sentence: str

    @property
    def stops_broker(self) -> bool:
        """Whether a broker refuses to start with the file because of it."""
        return isinstance(self.sentence, Stopping)

    def __str__(self) -> str:
        return f"{self.origin.file}:{self.origin.line}: {self.rule or NO_RULE}: {self.sentence}"


@dataclass(frozen=True)
class Traffic:
    """The senders: the number of producers, bytes of a message, the protocol (empty: any), and a Core window in
    bytes."""

    producers: int = 1
    size: int = 1024
    protocol: str = ""
    window: int | None = None
    with_steps: bool = True
    """Whether to search the steps that reach a worst case."""


@dataclass(frozen=True)
class Explanation:
    """The explanation of one file."""

    file: str
    broker: str
    """The broker, and the version whose rules and defaults are taken."""
    destinations: tuple[Destination, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = field(default=())
    """Unknown parts: placeholders, and parts included from other files."""
    otherwise: tuple[str, ...] = ()
    """If nobody named a release: how the documents and other releases would treat this file."""
    refused_at: tuple[str, ...] = ()
    """The places with which a broker refuses to start."""
