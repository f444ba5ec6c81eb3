"""The settings of a broker.xml, as one release or another reads them, alone or with broker properties."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from tidegate.explain.branches import Value, in_both
from tidegate.explain.read.artemis_syntax import Syntax
from tidegate.explain.read.unread import Unread
from tidegate.explain.vocabulary import Figure, Origin, Word

EVERY = "#"
"""The match of all addresses."""
FIRST_COUNTS = "2.18.0"
"""The release since which the first of several settings of a match counts; before, the last one counted."""


@dataclass(frozen=True)
class AddressSetting:
    """The settings of one match: figures in bytes or messages by key, and policies by key."""

    match: str
    origin: Origin
    figures: dict[str, Figure]
    policies: dict[str, Word]
    moves: dict[str, Word] = field(default_factory=dict)
    """By key of MOVES, the address to which the broker itself sends dead or expired messages."""


@dataclass(frozen=True)
class Acceptor:
    """An acceptor: its protocols (empty: all), and its credits in messages by key."""

    name: str
    origin: Origin
    protocols: tuple[str, ...]
    credits: dict[str, Figure]


@dataclass(frozen=True)
class Divert:
    """A divert, which passes messages to an address on to others."""

    name: str
    origin: Origin
    address: str
    targets: tuple[str, ...]
    keeps_nothing: bool
    """Whether no message stays at the address: the divert is exclusive and has no filter."""


@dataclass(frozen=True)
class Ring:
    """A queue that keeps only its newest messages."""

    address: str
    queue: str
    size: Figure
    """Messages."""


@dataclass(frozen=True)
class ArtemisFile:
    """The settings of a broker.xml."""

    file: str
    settings: tuple[AddressSetting, ...]
    acceptors: tuple[Acceptor, ...]
    addresses: tuple[tuple[str, Origin], ...]
    global_bytes: Figure | None
    global_messages: Figure | None
    disk_percent: Figure | None
    windows: tuple[Figure, ...]
    """Core windows in bytes that connectors set."""
    notes: tuple[str, ...]
    overridden: tuple[tuple[AddressSetting, Origin], ...] = ()
    """Settings without effect, each with the origin of the setting of the same match that counts."""
    persistent: Word | None = None
    name: str = ""
    """The part of the file, if it has several."""
    misnamed: tuple[tuple[Origin, str], ...] = ()
    """Misspelt or misplaced settings, each with a sentence about the error."""
    heap_percent: Figure | None = None
    """The share of the heap of all addresses together, if the broker sets no limit in bytes."""
    management: Word | None = None
    """The address of the management."""
    goes_before: bool = False
    """Whether these are broker properties, which a broker reads after its broker.xml and which override it."""
    disk_free: Figure | None = None
    """The bytes of the disk that must stay free, which count instead of `disk_percent`."""
    disk_scan: Figure | None = None
    """The time between two checks of the disk, in ms; below 0 the broker never checks it."""
    is_hornetq: bool = False
    """Whether HornetQ reads the file; HornetQ has no limit of all addresses together and no credits of acceptors."""
    unread: tuple[Unread, ...] = ()
    """The values that cannot be read."""
    diverts: tuple[Divert, ...] = ()
    rings: tuple[Ring, ...] = ()
    syntax: Syntax = field(default_factory=Syntax)
    """The syntax of the addresses in the file; here they have the default one."""
    of_server: bool = False
    """Whether the file configures an application server (WildFly), whose default is no limit of the disk."""


def either_setting(one: AddressSetting, other: AddressSetting) -> AddressSetting:
    """One setting for a match that two branches of a template set; a value is unknown if the branches differ in it."""
    figures = _either(one.figures, other.figures, Figure(None, other.origin))
    policies = _either(one.policies, other.policies, Word(None, other.origin))
    return replace(one, figures=figures, policies=policies, moves={**other.moves, **one.moves})


def either_acceptor(one: Acceptor, other: Acceptor) -> Acceptor:
    """One acceptor for a name in two branches of a template; credits are unknown if the branches differ in them."""
    protocols = one.protocols if one.protocols == other.protocols else ()
    return replace(one, protocols=protocols, credits=_either(one.credits, other.credits, Figure(None, other.origin)))


def _either(one: Mapping[str, Value], other: Mapping[str, Value], unknown: Value) -> dict[str, Value]:
    """The values by key, with `unknown` where they differ."""
    keys = dict.fromkeys((*one, *other))
    return {key: in_both(one.get(key), other.get(key), unknown) or unknown for key in keys}


def of_hornetq(read: ArtemisFile) -> ArtemisFile:
    """The file as HornetQ reads it: without a limit of all addresses together, and with credit only for Core
    producers."""
    acceptors = tuple(replace(each, protocols=("CORE",)) for each in read.acceptors)
    nothing = Figure(-1, Origin(part="HornetQ has none"))
    return replace(read, acceptors=acceptors, global_bytes=nothing, heap_percent=None, is_hornetq=True)


def with_unknown_rest(read: ArtemisFile, origin: Origin) -> ArtemisFile:
    """A part of a broker.xml, in which a missing setting is unknown: the rest of the file may have the setting."""
    unknown = Figure(None, origin)
    rest = AddressSetting(EVERY, origin, {"max-size-bytes": unknown}, {"address-full-policy": Word(None, origin)})
    is_told = any(each.match == EVERY for each in read.settings)
    return replace(
        read,
        settings=read.settings if is_told else (*read.settings, rest),
        global_bytes=read.global_bytes or unknown,
        disk_percent=read.disk_percent or unknown,
    )


def with_the_last_ones(read: ArtemisFile) -> ArtemisFile:
    """The file as a release before FIRST_COUNTS reads it: the last of several settings of a match counts."""
    every = [*read.settings, *(each for each, _ in read.overridden)]
    last = {each.match: each for each in every}
    rest = tuple((each, last[each.match].origin) for each in every if last[each.match] is not each)
    return replace(read, settings=tuple(last.values()), overridden=rest)


def with_properties(read: ArtemisFile, properties: ArtemisFile) -> ArtemisFile:
    """A broker.xml with broker properties applied, which override it key by key."""
    named = {each.match: each for each in properties.settings}
    settings = tuple(_with(each, named.pop(each.match)) if each.match in named else each for each in read.settings)
    acceptors = {each.name: each for each in read.acceptors}
    for each in properties.acceptors:
        there = acceptors.get(each.name)
        acceptors[each.name] = each if there is None else replace(there, credits={**there.credits, **each.credits})
    before, after = (f"{each.file} ({each.name})" if each.name else each.file for each in (read, properties))
    note = f"what {after} sets counts, also where {before} sets something else: the broker reads it last"
    return replace(
        read,
        settings=(*settings, *named.values()),
        acceptors=tuple(acceptors.values()),
        addresses=(*read.addresses, *properties.addresses),
        diverts=(*read.diverts, *properties.diverts),
        rings=(*read.rings, *properties.rings),
        global_bytes=properties.global_bytes or read.global_bytes,
        global_messages=properties.global_messages or read.global_messages,
        disk_percent=properties.disk_percent or read.disk_percent,
        disk_free=properties.disk_free or read.disk_free,
        disk_scan=properties.disk_scan or read.disk_scan,
        persistent=properties.persistent or read.persistent,
        heap_percent=properties.heap_percent or read.heap_percent,
        notes=(*read.notes, note, *properties.notes),
        misnamed=(*read.misnamed, *properties.misnamed),
        unread=(*read.unread, *properties.unread),
    )


def _with(setting: AddressSetting, other: AddressSetting) -> AddressSetting:
    return replace(
        setting,
        figures={**setting.figures, **other.figures},
        policies={**setting.policies, **other.policies},
        moves={**setting.moves, **other.moves},
    )
