"""The words of an explanation: where a figure comes from, what a limit does, and how far it can be passed."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Origin:
    """Where a figure comes from: a line of a file (and which part of it, such as a match), or a default."""

    file: str = ""
    line: int = 0
    part: str = ""
    """The match, policyEntry, acceptor or queue that sets it; for a default, whose default it is."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else ""
        return ", ".join(filter(None, (where, self.part)))


@dataclass(frozen=True)
class Figure:
    """A number with its origin: bytes, messages, ms or percent. `value` is None where a placeholder hides it."""

    value: int | None
    origin: Origin
    text: str = ""
    """As it is written, where that may have a unit."""


@dataclass(frozen=True)
class Word:
    """A text of a configuration with its origin, such as a policy. `value` is None where a placeholder hides it."""

    value: str | None
    origin: Origin


@dataclass(frozen=True)
class Limit:
    """A limit in force at a destination."""

    name: str
    shown: str
    """Its figure with the unit."""
    origin: Origin
    does: str
    """What it does to which producers."""
    frees: str
    """What frees a producer that it blocked; empty where it blocks nobody."""
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """The most that a destination holds. Both figures are None where there is no bound, or where none is known."""

    bytes: int | None
    messages: int | None
    because: str
    rules: tuple[str, ...]
    witness: tuple[str, ...] = ()
    """The steps that reach the bound; where there is no bound, steps that let the destination grow."""
    reached: int | None = None
    """Bytes stored at the end of the witness, as the mechanism itself says; None where none was run."""
    proved: tuple[str, ...] = ()
    """Theorems that say so for any number of producers, size and limit; empty where the rule promises it."""


@dataclass(frozen=True)
class Flow:
    """What producers of one kind meet at a destination."""

    producers: str
    first: str
    """Which limit is reached first, and when it depends on the traffic, on what."""
    bound: Bound


@dataclass(frozen=True)
class Destination:
    """An address, a queue, a topic, or the pattern that stands for several."""

    name: str
    verdict: str
    limits: tuple[Limit, ...]
    flows: tuple[Flow, ...]


@dataclass(frozen=True)
class Finding:
    """Something that is set without effect, contradicts itself, or stops producers for good."""

    origin: Origin
    rule: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.origin.file}:{self.origin.line}: {self.rule}: {self.sentence}"


@dataclass(frozen=True)
class Traffic:
    """Who sends: the number of producers, bytes of a message, the protocol (empty: any), and a Core window in bytes."""

    producers: int = 1
    size: int = 1024
    protocol: str = ""
    window: int | None = None
    with_steps: bool = True
    """Whether the steps that reach a worst case are looked for."""


@dataclass(frozen=True)
class Explanation:
    """Everything that is said of one file."""

    file: str
    broker: str
    """Which broker, and whose rules and defaults are taken."""
    destinations: tuple[Destination, ...]
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = field(default=())
    """What is not known: placeholders, parts that are included from elsewhere."""
    otherwise: tuple[str, ...] = ()
    """Where nobody named a release: what the documents and other releases have otherwise for this file."""


def amount(count: int, noun: str) -> str:
    """A count with its noun: 1 message, 2,000 messages."""
    return f"{count:,} {noun}" if count != 1 else f"1 {noun.removesuffix('s')}"
