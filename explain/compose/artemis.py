"""The settings in force at the addresses of an Artemis broker."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tidegate.explain import bounds
from tidegate.explain.compose.artemis_diverts import with_diverts
from tidegate.explain.compose.order import first_of
from tidegate.explain.machine import words_of_heap
from tidegate.explain.matching.artemis import REST, most_specific_first, stands_for
from tidegate.explain.read.artemis import ELSEWHERE
from tidegate.explain.read.artemis_file import AddressSetting, ArtemisFile
from tidegate.explain.sizes import shown
from tidegate.explain.versions import CORE, Version
from tidegate.explain.vocabulary import Destination, Figure, Flow, Limit, Origin, Traffic, Word
from tidegate.explain.witness import Course
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.amqp_credit import AddressSettings, amqp_credit
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import Window
from tidegate.record.counts import counted

HIDDEN = "a placeholder hides"
ENOUGH = "below the limit is enough"
"""The end of the words about how much consumers must acknowledge."""
_A_LARGE_HEAP = 1 << 50
"""A limit used to find the words about a worst case, which do not name the limit."""
WHOLE_DISK = 100
"""Per cent."""
USUAL_DISK = 90
"""The share of the disk, in per cent, that may be in use if the file sets no limit of the disk."""
HAS_USUAL_DISK = "2.7.0"
"""The first release with that default; before, the whole disk might be used."""
PAGE_LIMITS = ("page-limit-bytes", "page-limit-messages")
UNKNOWN = "not known"
"""In place of a figure that a placeholder hides."""
PAST_PAGES = {"FAIL": "refused", "DROP": "lost without a word"}
"""The fate of messages past the limit of pages or of the disk, by page-full-policy or disk-full-policy."""
USUAL_PAGE = 10 * 1024 * 1024
"""The bytes of one page if the file sets none."""
DOCUMENTED_WINDOW = 64 * 1024
"""The Core window, in bytes, that is assumed if none is given; the output names it."""


@dataclass(frozen=True)
class InForce:
    """The settings in force at an address: each figure and policy with its origin."""

    name: str
    figures: dict[str, Figure]
    policy: Word
    page_policy: Word | None
    is_policy_set: bool
    disk_policy: Word | None = None
    """The fate of messages while the disk is full; None for the default: their producers wait."""

    def value(self, key: str) -> int | None:
        """The figure of a key: NO_LIMIT if nothing is set, None if it is unknown."""
        return self.figures[key].value if key in self.figures else NO_LIMIT

    @property
    def blocks(self) -> bool:
        """Whether the policy is BLOCK."""
        return self.policy.value == "BLOCK"


@dataclass(frozen=True)
class Credit:
    """The window of an acceptor's AMQP producers."""

    size: Figure
    low: Figure

    @property
    def window(self) -> Window | None:
        """Size and low credits in messages; None if one of them is unknown."""
        if self.size.value is None or self.low.value is None:
            return None
        return Window(self.size.value, self.low.value)


def chain(read: ArtemisFile, name: str) -> list[AddressSetting]:
    """The settings whose matches stand for a name or for another match, the most specific one first."""
    return most_specific_first(each for each in read.settings if stands_for(each.match, name))


def in_force(read: ArtemisFile, name: str, version: Version) -> InForce:
    """The settings of a name or of a match, each from the most specific match that sets it."""
    default: AddressLimits = version.model().default(artemis, "DEFAULT_LIMITS")
    origin = Origin(part="default of HornetQ" if read.is_hornetq else version.default)
    pages = read.is_hornetq or not default.blocks
    figures = {"max-size-bytes": Figure(NO_LIMIT if read.is_hornetq else default.max_size, origin)}
    policies = {"address-full-policy": Word("PAGE" if pages else "BLOCK", origin)}
    found = chain(read, name)
    for each in reversed(found):
        figures.update(each.figures)
        policies.update(each.policies)
    is_set = any("address-full-policy" in each.policies for each in found)
    policy, pages_full = policies["address-full-policy"], policies.get("page-full-policy")
    return InForce(name, figures, policy, pages_full, is_set, policies.get("disk-full-policy"))


def windows(read: ArtemisFile, version: Version) -> dict[str, Credit]:
    """By acceptor that takes AMQP, the window of its producers; a file without acceptors has one default window."""
    default: Window = version.model().default(artemis, "DEFAULT_WINDOW")
    origin = Origin(part=version.default)
    usual = {"amqpCredits": Figure(default.size, origin), "amqpLowCredits": Figure(default.low, origin)}
    found: dict[str, Credit] = {}
    for each in read.acceptors:
        if takes(each.protocols, "AMQP"):
            figures = {**usual, **each.credits}
            found[f"acceptor {each.name}"] = Credit(figures["amqpCredits"], figures["amqpLowCredits"])
    return found or (
        {} if read.acceptors or read.is_hornetq else {"": Credit(usual["amqpCredits"], usual["amqpLowCredits"])}
    )


def takes(protocols: tuple[str, ...], protocol: str) -> bool:
    """Whether an acceptor with these protocols takes `protocol`; without protocols it takes all."""
    return not protocols or protocol in protocols


def names(read: ArtemisFile) -> list[str]:
    """Every match and address of the file, each once, and `#` for all others."""
    found = [each.match for each in read.settings] + [name for name, _ in read.addresses]
    found += [name for each in read.diverts for name in (each.address, *each.targets)]
    return list(dict.fromkeys([*found, REST]))


def limit_in_bytes(read: ArtemisFile, force: InForce) -> tuple[int | None, bool]:
    """The lower of the address' and the broker's limit (None: unknown), and whether it is the broker's.

    A broker without a limit uses half of the heap, which a file does not tell; an own limit of the address then counts
    alone.
    """
    own = force.value("max-size-bytes")
    shared = read.global_bytes.value if read.global_bytes else NO_LIMIT
    if own is None or shared is None or (own == NO_LIMIT and read.global_bytes is None):
        return None, False
    is_shared = shared != NO_LIMIT and (own == NO_LIMIT or shared < own)
    return (shared if is_shared else own), is_shared


def limit_in_messages(read: ArtemisFile, force: InForce) -> tuple[int | None, bool]:
    """The limit of the address in messages, or the broker's if that is lower (NO_LIMIT: none; None: not known), and
    whether it is the broker's."""
    own = force.value("max-size-messages")
    shared = read.global_messages.value if read.global_messages else NO_LIMIT
    if own is None or shared is None:
        return None, False
    is_shared = shared != NO_LIMIT and (own == NO_LIMIT or shared < own)
    return (shared if is_shared else own), is_shared


def _named_in_messages(*, is_shared: bool) -> str:
    return "global-max-messages" if is_shared else "max-size-messages"


def cases(read: ArtemisFile, force: InForce, version: Version, traffic: Traffic) -> Iterator[tuple[str, bounds.Case]]:
    """By kind of producers, their mechanism; none if a figure is unknown."""
    limit, _ = limit_in_bytes(read, force)
    messages, _ = limit_in_messages(read, force)
    reject = force.value("max-size-bytes-reject-threshold")
    if force.policy.value == "PAGE" and limit is None:
        limit = NO_LIMIT  # the level at which paging begins changes nothing for producers
    if limit is None or messages is None or reject is None or force.policy.value is None:
        return
    limits = AddressLimits(limit, reject, force.blocks)
    if not force.blocks:
        yield "all producers", _elsewhere(force, limit, messages, version)
        return
    protocol = traffic.protocol.lower()
    if protocol in ("", "amqp"):
        for part, credit in windows(read, version).items():
            if credit.window is not None:
                kind = f"AMQP producers ({part})" if part else "AMQP producers"
                yield kind, bounds.Amqp(limits, credit.window, messages, version.model())
    if protocol in ("", "core") and takes_core(read):
        window = traffic.window if traffic.window is not None else _largest_window(read)
        yield (
            f"Core producers (window {counted(window, 'bytes')})",
            bounds.Core(limits, window, messages, version.model(CORE)),
        )
    if protocol == "stomp" or (not protocol and any("STOMP" in each.protocols for each in read.acceptors)):
        why = "no policy of an address stops a STOMP producer: the address grows until the broker has no memory left"
        yield "STOMP producers", bounds.Open(limit, why, ("GENERAL-20",), _never_full(limit, version))


def _largest_window(read: ArtemisFile) -> int:
    """The largest window that the file gives to Core producers, or else the documented one."""
    return max((each.value for each in read.windows if each.value is not None and each.value > 0),
               default=DOCUMENTED_WINDOW)  # fmt: skip


def takes_core(read: ArtemisFile) -> bool:
    """Whether any acceptor takes Core."""
    return not read.acceptors or any(takes(each.protocols, "CORE") for each in read.acceptors)


def _elsewhere(force: InForce, limit: int, messages: int, version: Version) -> bounds.Case:
    """The mechanism of an address that does not block: it refuses, drops, or pages up to a limit."""
    if force.policy.value in ("FAIL", "DROP"):
        return bounds.Refusing(limit, messages, refuses=force.policy.value == "FAIL")
    pages, page_messages = force.value("page-limit-bytes"), force.value("page-limit-messages")
    is_limited = any(each not in (None, NO_LIMIT) for each in (pages, page_messages))
    if force.page_policy is not None and is_limited:
        page = force.figures["page-size-bytes"].value if "page-size-bytes" in force.figures else USUAL_PAGE
        most, most_messages = (NO_LIMIT if each is None else each for each in (pages, page_messages))
        return bounds.Paging(limit, messages, most, most_messages, page)
    why = "a full address pages: messages go to disk, and no producer waits"
    return bounds.Open(limit, why, ("ARTEMIS-BLOCK-3",), _never_full(limit, version))


def _never_full(limit: int, version: Version) -> Course:
    """The course of producers that an address never stops."""
    window = version.model().default(artemis, "DEFAULT_WINDOW")
    settings = AddressSettings(AddressLimits(limit, NO_LIMIT, blocks=False), window)
    return Course(amqp_credit(version.model()), settings, 0)


def destinations(
    read: ArtemisFile, version: Version, traffic: Traffic, wanted: tuple[str, ...] = ()
) -> tuple[Destination, ...]:
    """The explanation of every match and address of the file, or of the wanted names."""
    return tuple(_destination(read, name, version, traffic) for name in chosen(read, wanted))


def chosen(read: ArtemisFile, wanted: tuple[str, ...]) -> list[str]:
    """The wanted names in the default syntax of addresses, or all names of the file."""
    known = names(read)
    return [name if name in known else read.syntax.usual(name) for name in wanted] or known


def _destination(read: ArtemisFile, name: str, version: Version, traffic: Traffic) -> Destination:
    force = in_force(read, name, version)
    flows = tuple(
        Flow(kind, _first(read, force, case, traffic), bounds.worst(case, traffic))
        for kind, case in cases(read, force, version, traffic)
    ) or tuple(_by_heap(read, force, version, traffic))
    verdict = _verdict(read, force) + _by_pages(force) + _by_disk(read, force, version)
    rings = tuple(_rings(read, force))
    if rings:
        verdict = f"{verdict}; {', '.join(f'{each.name} is {each.shown}' for each in rings)}: older ones are lost"
    found = Destination(name, verdict, (*_limits(read, force, version), *rings), flows)
    return with_diverts(read, found, lambda address: in_force(read, address, version))


def _rings(read: ArtemisFile, force: InForce) -> Iterator[Limit]:
    """The queues of an address that keep only their newest messages."""
    does = "The queue keeps its newest messages: past the limit the oldest one is dropped, and nobody is told."
    own = [each for each in read.rings if each.address == force.name]
    usual = force.figures.get("default-ring-size")
    if usual is not None and usual.value != NO_LIMIT:
        yield Limit("default-ring-size", _messages(usual), usual.origin, does, "", ("GENERAL-33",))
    for each in own:
        yield Limit(f"ring-size of {each.queue}", _messages(each.size), each.size.origin, does, "", ("GENERAL-33",))


def _by_heap(read: ArtemisFile, force: InForce, version: Version, traffic: Traffic) -> Iterator[Flow]:
    """The worst case, as far as it is known, if the limit is half of a heap of unknown size."""
    is_heap = read.global_bytes is None and force.value("max-size-bytes") == NO_LIMIT and force.policy.value is not None
    some = replace(read, global_bytes=Figure(_A_LARGE_HEAP, Origin()))
    found = list(cases(some, force, version, traffic)) if is_heap else []
    if not found:
        yield Flow("all producers", "not known", bounds.unknown(_why_not(traffic), ("ARTEMIS-BLOCK-1",)))
    for kind, case in found:
        bound = case.bound(traffic)
        what = f"it is {words_of_heap(read)}, and past that: {bound.because}; --heap SIZE gives the figure"
        messages, is_shared = limit_in_messages(read, force)
        or_messages = "" if messages == NO_LIMIT else f" or {_named_in_messages(is_shared=is_shared)}"
        first = f"global-max-size{or_messages}"
        yield Flow(kind, first, bounds.unknown(what, bound.rules))


def _why_not(traffic: Traffic) -> str:
    if traffic.protocol.lower() not in ("", "amqp", "core", "stomp"):
        return f"no rule speaks of {traffic.protocol} producers under BLOCK; AMQP, Core and STOMP are covered"
    return "a placeholder hides a figure, or no acceptor takes the protocol"


def _verdict(read: ArtemisFile, force: InForce) -> str:
    shared = (("global-max-size", read.global_bytes), ("global-max-messages", read.global_messages))
    hidden = [name for name, figure in shared if _is_hidden(figure)]
    if hidden:
        known, policy = _verdict(_without_hidden(read), force), force.policy.value
        if known.startswith("not known"):
            return known
        names = " or ".join(hidden)
        if policy is not None and known == _without_limit(policy):
            return _past(policy, f"{names}, not known here,")
        return f"{known}, or sooner by {names}, not known here"
    limit, _ = limit_in_bytes(read, force)
    messages, _ = limit_in_messages(read, force)
    is_by_heap = read.global_bytes is None and force.value("max-size-bytes") == NO_LIMIT
    if force.policy.value is None:
        part = force.policy.origin.part
        hides = f"{part} may set" if part in ELSEWHERE else HIDDEN
        return f"not known: {hides} the address-full-policy"
    if is_by_heap:
        limit = NO_LIMIT
    if limit == NO_LIMIT and messages == NO_LIMIT and not is_by_heap:
        return _without_limit(force.policy.value)
    parts = [f"max-size-bytes, which {HIDDEN},"] if limit is None else [shown(limit)] if limit != NO_LIMIT else []
    parts += [f"max-size-messages, which {HIDDEN},"] if messages is None else []
    parts += [f"the broker's {words_of_heap(read)}"] if is_by_heap else []
    parts += [counted(messages, "messages")] if messages not in (None, NO_LIMIT) else []
    return _past(force.policy.value, " or ".join(parts))


def _without_limit(policy: str) -> str:
    return f"{policy}, but without a limit: it never counts as full"


def _past(policy: str, at: str) -> str:
    """What happens to producers and messages past a limit."""
    return {
        "BLOCK": f"BLOCK: producers wait from {at} on",
        "PAGE": f"PAGE: nobody waits; from {at} on messages go to disk",
        "FAIL": f"FAIL: from {at} on messages are refused",
        "DROP": f"DROP: from {at} on messages are lost without a word",
    }[policy]


def _by_pages(force: InForce) -> str:
    """The part of a verdict about a second limit, the limit of the pages on the disk."""
    past = PAST_PAGES.get(force.page_policy.value or "") if force.page_policy is not None else None
    limits = [force.figures[key] for key in PAGE_LIMITS if force.value(key) != NO_LIMIT]
    if force.policy.value != "PAGE" or past is None or not limits:
        return ""
    levels = [_bytes(each) if each is force.figures.get(PAGE_LIMITS[0]) else _messages(each) for each in limits]
    return f"; past {' or '.join(levels)} of pages they are {past} (page-full-policy)"


def _by_disk(read: ArtemisFile, force: InForce, version: Version) -> str:
    """The part of a verdict about the disk, for an address that writes its messages there, or has a policy for it."""
    if force.policy.value != "PAGE" and force.disk_policy is None:
        return ""
    found = [each for each in _disk(read, version, force) if each.stops]
    in_words = {"max-disk-usage": "the disk is fuller than {}", "min-disk-free": "less than {} of the disk is free"}
    hidden = {
        "max-disk-usage": "the disk is fuller than max-disk-usage, not known here",
        "min-disk-free": "less of the disk is free than min-disk-free, not known here",
    }
    return "".join(
        f"; once {hidden[each.limit.name]}, {_past_disk(force)}"
        if level == UNKNOWN
        else f"; once {in_words[each.limit.name].format(level)} ({each.limit.name}), {_past_disk(force)}"
        for each in found
        for level in [each.limit.shown.removesuffix(" of the disk")]
    )


def _past_disk(force: InForce) -> str:
    """What happens to producers of an address while the disk is full."""
    if force.disk_policy is None or force.disk_policy.value == "BLOCK":
        return "all producers wait"
    if force.disk_policy.value is None:
        return f"{HIDDEN} what happens (disk-full-policy)"
    return f"messages are {PAST_PAGES[force.disk_policy.value]} (disk-full-policy)"


def _is_hidden(figure: Figure | None) -> bool:
    return figure is not None and figure.value is None


def _without_hidden(read: ArtemisFile) -> ArtemisFile:
    """The settings without limits of all addresses together that a placeholder hides."""
    in_bytes, in_messages = read.global_bytes, read.global_messages
    if in_bytes is not None and in_bytes.value is None:
        in_bytes = replace(in_bytes, value=NO_LIMIT)
    return replace(read, global_bytes=in_bytes, global_messages=None if _is_hidden(in_messages) else in_messages)


def _limits(read: ArtemisFile, force: InForce, version: Version) -> Iterator[Limit]:
    frees = f"consumers that acknowledge: one byte {ENOUGH}" if force.blocks else ""
    whose = "Core" if read.is_hornetq else "AMQP and Core"
    effect = {
        "BLOCK": f"A full address issues no credit: {whose} producers to any of its queues wait.",
        "PAGE": "Messages past it are written to pages on disk. No producer waits.",
        "FAIL": "Messages past it are refused; their senders get an error.",
        "DROP": "Messages past it are dropped; their senders are not told.",
        None: "What happens there is not known.",
    }[force.policy.value]
    rule = {"BLOCK": "ARTEMIS-BLOCK-1", "FAIL": "GENERAL-31", "DROP": "GENERAL-33"}
    rules = () if force.policy.value is None else (rule.get(force.policy.value, "ARTEMIS-BLOCK-3"),)
    also = ("ARTEMIS-AMQP-6",) if force.blocks else ()
    yield Limit(
        "address-full-policy", force.policy.value or "not known", force.policy.origin, _policy(force), "", rules
    )
    size = force.figures["max-size-bytes"]
    if size.value == NO_LIMIT:
        none = "The address has no limit in bytes of its own."
        yield Limit("max-size-bytes", _bytes(size), size.origin, none, "", rules)
    else:
        yield Limit("max-size-bytes", _bytes(size), size.origin, effect, frees, (*rules, *also))
    found = force.figures.get("max-size-messages")
    if found is not None and found.value == NO_LIMIT:
        does = "The address has no limit in messages of its own."
        yield Limit("max-size-messages", _messages(found), found.origin, does, "", ("GENERAL-18",))
    elif found is not None:
        does = f"{effect} Whichever of bytes and messages is reached first counts."
        in_messages = f"consumers that acknowledge: one message {ENOUGH}" if force.blocks else ""
        yield Limit("max-size-messages", _messages(found), found.origin, does, in_messages, ("GENERAL-18",))
    if not read.is_hornetq:  # HornetQ has no limit of all addresses together
        yield _limit_of_all(read, frees)
    if read.global_messages is not None:
        does = "The limit of all addresses together in messages: past it each of them counts as full."
        in_messages = f"consumers that acknowledge: one message {ENOUGH}" if force.blocks else ""
        found = read.global_messages
        yield Limit("global-max-messages", _messages(found), found.origin, does, in_messages, ())
    if (found := force.figures.get("max-size-bytes-reject-threshold")) is not None:
        does = "From here on messages of AMQP producers are rejected, even on credit; their senders are told."
        if force.policy.value is not None and not force.blocks:
            does = f"It rejects nothing under {force.policy.value}."
        yield Limit("max-size-bytes-reject-threshold", _bytes(found), found.origin, does, "", ("ARTEMIS-AMQP-9",))
    for key in PAGE_LIMITS if force.policy.value in ("PAGE", None) else ():
        if (found := force.figures.get(key)) is not None:
            text = _bytes(found) if key.endswith("bytes") else _messages(found)
            yield Limit(key, text, found.origin, "How much may be paged.", "", ("GENERAL-34",))
    if force.page_policy is not None and force.policy.value == "PAGE":
        past = PAST_PAGES.get(force.page_policy.value or "", "not known to be kept")
        does = f"Past the limit of pages messages are {past}."
        named = force.page_policy.value or "not known"
        yield Limit("page-full-policy", named, force.page_policy.origin, does, "", ("GENERAL-34",))
    for part, credit in windows(read, version).items() if force.blocks else ():
        for key, figure, does, its in (
            ("amqpCredits", credit.size, "Messages an AMQP producer may send ahead.", "ARTEMIS-AMQP-2"),
            ("amqpLowCredits", credit.low, "Credits left at which more are issued.", "ARTEMIS-AMQP-3"),
        ):
            name = f"{key} of {part}" if part else key
            its = "ARTEMIS-AMQP-4" if figure.origin.line else its
            yield Limit(name, _messages(figure), figure.origin, does, "", (its,))
    if force.disk_policy is not None:
        unwatched = why_unwatched(read)
        does = f"It stops nobody: {unwatched}." if unwatched else f"While the disk is full, {_past_disk(force)}."
        named = force.disk_policy.value or "not known"
        yield Limit("disk-full-policy", named, force.disk_policy.origin, does, "", ("GENERAL-37",))
    yield from (each.limit for each in _disk(read, version, force))


@dataclass(frozen=True)
class _OfDisk:
    """The limit of the disk, and whether it ever stops anything."""

    limit: Limit
    stops: bool


def _disk(read: ArtemisFile, version: Version, force: InForce) -> Iterator[_OfDisk]:
    """The limit of the disk in force: the bytes that must stay free, or else the share that may be in use."""
    free, disk, unwatched = read.disk_free, read.disk_percent, why_unwatched(read)
    if read.is_hornetq and free is None and disk is None:
        return
    is_usual = force.disk_policy is None or force.disk_policy.value == "BLOCK"
    frees = "free space on the disk" if is_usual else ""
    rules = ("GENERAL-37",) if is_usual else ()
    every = "every producer of the broker is stopped, whatever it sends to"
    what = every if is_usual else f"at this address {_past_disk(force)}"
    if free is not None and free.value != NO_LIMIT:
        does = f"It stops nobody: {unwatched}." if unwatched else f"With less free on the disk {what}."
        limit = Limit("min-disk-free", _bytes(free), free.origin, does, "" if unwatched else frees, rules)
        yield _OfDisk(limit, stops=not unwatched)
        return
    if disk is None:
        if unwatched or read.of_server or version.is_before(HAS_USUAL_DISK):
            return
        disk = Figure(USUAL_DISK, Origin(part=version.default))
    text = UNKNOWN if disk.value is None else f"{disk.value} % of the disk"
    does, stops = f"Above it {what}.", True
    if disk.value in (NO_LIMIT, WHOLE_DISK):
        text = "no limit" if disk.value == NO_LIMIT else text
        does, stops = "It is switched off: it stops nobody before the disk is full.", False
    elif unwatched:
        does, stops = f"It stops nobody: {unwatched}.", False
    yield _OfDisk(Limit("max-disk-usage", text, disk.origin, does, frees if stops else "", rules), stops=stops)


def why_unwatched(read: ArtemisFile) -> str:
    """Why the broker does not check how full its disk is; empty if it does."""
    if read.persistent is not None and read.persistent.value == "false":
        return "persistence-enabled is false, and the broker does not check the disk"
    if read.disk_scan is not None and read.disk_scan.value is not None and read.disk_scan.value < 0:
        period = f"disk-scan-period is {read.disk_scan.value} (line {read.disk_scan.origin.line})"
        return f"{period}, and the broker never checks the disk"
    return ""


def _policy(force: InForce) -> str:
    if force.policy.value is None:
        return "Whether producers to a full address wait is not known here."
    if force.blocks:
        return "Producers to a full address are made to wait."
    return "The size of the address makes no producer wait."


def _bytes(figure: Figure) -> str:
    return UNKNOWN if figure.value is None else "no limit" if figure.value == NO_LIMIT else shown(figure.value)


def _messages(figure: Figure) -> str:
    if figure.value is None:
        return "not known"
    return "no limit" if figure.value == NO_LIMIT else counted(figure.value, "messages")


def _limit_of_all(read: ArtemisFile, frees: str) -> Limit:
    """The limit of all addresses together. No rule is about this limit."""
    does = "The limit of all addresses together: past it each of them counts as full."
    if read.global_bytes is not None:
        return Limit("global-max-size", _bytes(read.global_bytes), read.global_bytes.origin, does, frees, ())
    origin = Origin(part="default of the broker") if read.heap_percent is None else read.heap_percent.origin
    does = f"{does} How large the heap is does not stand in this file."
    return Limit("global-max-size", words_of_heap(read), origin, does, frees, ())


def _first(read: ArtemisFile, force: InForce, case: bounds.Case, traffic: Traffic) -> str:
    limit, is_shared = limit_in_bytes(read, force)
    messages, messages_are_shared = limit_in_messages(read, force)
    reject = force.value("max-size-bytes-reject-threshold")
    if isinstance(case, bounds.Open):
        return "no limit stops a producer"
    if limit is None or messages is None or reject is None:
        return "not known"
    in_bytes = "global-max-size" if is_shared else "max-size-bytes"
    if isinstance(case, bounds.Amqp) and reject != NO_LIMIT and (limit == NO_LIMIT or reject < limit):
        limit, in_bytes = reject, "max-size-bytes-reject-threshold"
    in_messages = {_named_in_messages(is_shared=messages_are_shared): messages} if messages != NO_LIMIT else {}
    in_bytes_of_all = _set({"global-max-size": read.global_bytes})
    in_messages_of_all = _set({"global-max-messages": read.global_messages})
    own = {in_bytes: limit} if limit != NO_LIMIT else {}
    return first_of(own, in_messages, traffic, in_bytes_of_all, in_messages_of_all)


def _set(figures: Mapping[str, Figure | None]) -> dict[str, int]:
    """The limits by name, without limits that are not set, are hidden by a placeholder, or are -1."""
    values = {name: NO_LIMIT if figure is None else figure.value for name, figure in figures.items()}
    return {name: value for name, value in values.items() if value not in (None, NO_LIMIT)}
