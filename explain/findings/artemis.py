"""Finds errors in a broker.xml."""

from collections.abc import Iterator, Sequence

from tidegate.explain.compose import artemis as compose
from tidegate.explain.compose.artemis import PAGE_LIMITS, WHOLE_DISK, InForce
from tidegate.explain.findings import artemis_matches
from tidegate.explain.findings.idle import without_effect
from tidegate.explain.findings.units import is_tiny
from tidegate.explain.matching.artemis import REST, stands_for
from tidegate.explain.read.artemis import OF_HEAP
from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Figure, Finding, Origin, Stopping, Traffic, Word
from tidegate.model.built.artemis import DEFAULT_LIMITS
from tidegate.model.built.artemis import LAST as RELEASE
from tidegate.model.mechanisms import artemis
from tidegate.model.mechanisms.artemis import MESSAGE_COST, NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import refill
from tidegate.record.counts import counted

SINCE = {
    "max-size-messages": "2.21.0",
    "global-max-messages": "2.21.0",
    "page-limit-bytes": "2.28.0",
    "page-limit-messages": "2.28.0",
    "page-full-policy": "2.28.0",
    "min-disk-free": "2.31.0",
    "disk-full-policy": "2.45.0",
}
"""By setting, the first release whose schema has it."""
WHOLE_HEAP = 100
"""Per cent."""
ONE = 1
REJECT = "max-size-bytes-reject-threshold"
PAGE_POLICY = "page-full-policy"
MOST_NAMES = 3
"""The most addresses that a sentence names."""
TAKES_LARGE_PAGES = "2.20.0"
"""The release since which a page may be as large as the limit of its address."""


def findings(read: ArtemisFile, version: Version, traffic: Traffic) -> tuple[Finding, ...]:
    """All findings by line; a finding that several matches inherit appears once."""
    found = [*_acceptors(read, version), *_shared(read, traffic), *artemis_matches.findings(read, version)]
    found += [Finding(origin, "ARTEMIS-BLOCK-1", says) for origin, says in read.misnamed]
    found += _moved(read, version)
    found += _too_new(read, version)
    forces = [compose.in_force(read, name, version) for name in compose.names(read)]
    for force in forces:
        found += _address(read, force, version, traffic)
    found += without_effect([(dict(_idle(force, version)), _by_policy(force)) for force in forces])
    found += _stomp(read, [force.name for force in forces if force.blocks])
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.origin.line, each.rule)))


def _address(read: ArtemisFile, force: InForce, version: Version, traffic: Traffic) -> Iterator[Finding]:
    size, reject = force.value("max-size-bytes"), force.value("max-size-bytes-reject-threshold")
    messages = force.value("max-size-messages")
    if force.policy.value is None or size is None or reject is None or messages is None:
        return
    yield from _policy(read, force, version)
    if force.disk_policy is not None and (unwatched := compose.why_unwatched(read)):
        sentence = f"disk-full-policy has no effect: {unwatched}."
        yield Finding(force.disk_policy.origin, "GENERAL-37", sentence)
    limits = AddressLimits(size, reject, force.blocks)
    at_reject = force.figures.get("max-size-bytes-reject-threshold")
    if at_reject is not None and reject != NO_LIMIT:
        yield from _reject(force, at_reject, size, reject)
        if version.model().linked(artemis.rejecting)(limits, 0):
            yield Finding(at_reject.origin, "ARTEMIS-AMQP-9", "every message is rejected, also by an empty address.")
    if version.model().linked(artemis.full)(limits, 0):
        sentence = "the address is full when it is empty: its producers are never issued credit."
        yield Finding(_set_at(force.figures["max-size-bytes"], force.policy), "ARTEMIS-BLOCK-1", sentence)
    if messages != NO_LIMIT and size != NO_LIMIT and 0 < size <= messages:
        sentence = (
            f"max-size-messages ({messages:,}) is never reached first: a message has a byte at least, and "
            f"max-size-bytes is {size:,}."
        )
        yield Finding(force.figures["max-size-messages"].origin, "GENERAL-18", sentence)
    if messages == 0 and force.blocks:
        sentence = "no message may be in the address: its producers are never issued credit."
        yield Finding(force.figures["max-size-messages"].origin, "GENERAL-18", sentence)
    if is_tiny(size, traffic):
        yield Finding(_set_at(force.figures["max-size-bytes"], force.policy), "ARTEMIS-BLOCK-1", _tiny(size, traffic))
    yield from _pages(
        force, size, is_refused=read.is_hornetq or not version.taken or version.is_before(TAKES_LARGE_PAGES)
    )
    most = read.global_messages
    if most is not None and most.value is not None and 0 <= most.value < messages:
        sentence = f"max-size-messages ({messages:,}) has no effect: global-max-messages ({most.value:,}) is less."
        yield Finding(force.figures["max-size-messages"].origin, "GENERAL-18", sentence)
    shared = read.global_bytes
    if shared is not None and shared.value is not None and 0 <= shared.value < size:
        sentence = f"max-size-bytes ({size:,}) has no effect: global-max-size ({shared.value:,}) is reached before."
        yield Finding(_set_at(force.figures["max-size-bytes"], force.policy), "ARTEMIS-BLOCK-1", sentence)
    if force.blocks and size > 0:
        yield from _windows(read, force.figures["max-size-bytes"], version, traffic)


def _policy(read: ArtemisFile, force: InForce, version: Version) -> Iterator[Finding]:
    size, messages = compose.limit_in_bytes(read, force)[0], compose.limit_in_messages(read, force)[0]
    own = next((each.origin for each in read.settings if each.match == force.name), None)
    if not any(stands_for(each.match, force.name) for each in read.settings):
        own = dict(read.addresses).get(force.name)
    is_known = "${" not in force.name  # with a placeholder in the match, its other settings are unknown
    if not force.is_policy_set and own is not None and is_known and not version.taken:
        rule = "ARTEMIS-BLOCK-2" if force.blocks else "ARTEMIS-BLOCK-3"
        does = "producers wait" if force.blocks else "nobody waits"
        sentence = (
            f"no address-full-policy is set for {force.name}: here it is {force.policy.value}, so {does}; the "
            f"documents have {_policy_of(artemis.DEFAULT_LIMITS)} and {RELEASE} has {_policy_of(DEFAULT_LIMITS)}."
        )
        yield Finding(own, rule, sentence)
    if force.blocks and size == NO_LIMIT and messages == NO_LIMIT:
        sentence = "BLOCK has no effect: neither the address nor the broker has a limit, so it is never full."
        yield Finding(force.policy.origin, "ARTEMIS-BLOCK-1", sentence)


def _by_policy(force: InForce) -> Iterator[tuple[str, Origin]]:
    """The settings that depend on a policy, with their origins."""
    yield from ((key, force.figures[key].origin) for key in (*PAGE_LIMITS, REJECT) if key in force.figures)
    if force.page_policy is not None:
        yield PAGE_POLICY, force.page_policy.origin


def _idle(force: InForce, version: Version) -> Iterator[tuple[str, Finding]]:
    """The settings that have no effect at this match."""
    reject = force.figures.get(REJECT)
    if force.policy.value is None:
        return
    if reject is not None and reject.value not in (None, NO_LIMIT) and not force.blocks:
        sentence = f"{REJECT} has no effect under {force.policy.value}, only under BLOCK."
        yield REJECT, Finding(reject.origin, "ARTEMIS-AMQP-9", sentence)
    pages = {key: force.figures[key] for key in PAGE_LIMITS if key in force.figures}
    if not force.is_policy_set and not version.taken:
        return  # the documents and releases differ in whether the address pages
    if force.policy.value != "PAGE":
        for key, each in pages.items():
            sentence = f"a page limit has no effect under {force.policy.value}: nothing is paged."
            yield key, Finding(each.origin, "GENERAL-34", sentence)
        if force.page_policy is not None:
            sentence = f"page-full-policy has no effect under {force.policy.value}: nothing is paged."
            yield PAGE_POLICY, Finding(force.page_policy.origin, "GENERAL-34", sentence)
    elif force.page_policy is not None and not any(each.value != NO_LIMIT for each in pages.values()):
        sentence = "page-full-policy has no effect without page-limit-bytes or page-limit-messages."
        yield PAGE_POLICY, Finding(force.page_policy.origin, "GENERAL-34", sentence)
    elif force.page_policy is None:
        for key, each in pages.items():
            if each.value != NO_LIMIT:
                sentence = "a page limit without page-full-policy does not say what happens to messages past it."
                yield key, Finding(each.origin, "GENERAL-34", sentence)


def _too_new(read: ArtemisFile, version: Version) -> Iterator[Finding]:
    """Settings that the release does not know yet."""
    shared = {
        "global-max-messages": read.global_messages,
        "min-disk-free": read.disk_free,
    }
    said = [(key, figure.origin) for key, figure in shared.items() if figure is not None]
    for setting in read.settings:
        said += [(key, figure.origin) for key, figure in setting.figures.items()]
        said += [(key, word.origin) for key, word in setting.policies.items()]
    for key, origin in said:
        if key in SINCE and version.is_before(SINCE[key]):
            sentence = f"{key} is not known before {SINCE[key]}: an older broker refuses to start with it."
            yield Finding(origin, "", Stopping(sentence))


def _moved(read: ArtemisFile, version: Version) -> Iterator[Finding]:
    """Addresses that receive messages from the broker itself and lose or refuse them when they are full."""
    moves = {(key, word.value): word for each in read.settings for key, word in each.moves.items()}
    for (key, _), word in moves.items():
        force = compose.in_force(read, word.value, version) if word.value else None
        does = {"DROP": "lost without a word", "FAIL": "refused"}.get((force and force.policy.value) or "")
        if does is not None and force is not None:
            sentence = (
                f"{word.value}, the {key}, has {force.policy.value} too (line {force.policy.origin.line}): once it "
                f"is full, messages that the broker moves there are {does}."
            )
            yield Finding(word.origin, "GENERAL-33" if force.policy.value == "DROP" else "GENERAL-31", sentence)
    at = read.management
    if (
        at is not None
        and at.value
        and not any(each.match != REST and stands_for(each.match, at.value) for each in read.settings)
    ):
        force = compose.in_force(read, at.value, version)
        if force.is_policy_set and force.policy.value != "PAGE":
            sentence = (
                f"{at.value}, the management-address, has {force.policy.value} of # (line {force.policy.origin.line}): "
                "once it is full, nobody can manage the broker; it needs an address-setting of its own."
            )
            yield Finding(at.origin, "ARTEMIS-BLOCK-1", sentence)


def _tiny(size: int, traffic: Traffic) -> str:
    return (
        f"the limit ({shown(size)}) is less than one message of {shown(traffic.size)}: each message fills it. Is a "
        "unit missing?"
    )


def _pages(force: InForce, size: int, *, is_refused: bool) -> Iterator[Finding]:
    page, limit = force.figures.get("page-size-bytes"), force.figures.get("page-limit-bytes")
    if page is None or page.value is None or force.policy.value != "PAGE":
        return
    if size > 0 and page.value >= size and is_refused:
        sentence = (
            f"page-size-bytes ({shown(page.value)}) is no less than max-size-bytes ({shown(size)}): the broker refuses "
            "to page so."
        )
        yield Finding(page.origin, "", sentence)
    elif page.value > size > 0:
        sentence = (
            f"page-size-bytes ({shown(page.value)}) is more than max-size-bytes ({shown(size)}): one page holds more "
            f"than the address may have in memory, and releases before {TAKES_LARGE_PAGES} refuse to page so."
        )
        yield Finding(page.origin, "", sentence)
    if limit is not None and limit.value is not None and 0 <= limit.value < page.value:
        sentence = (
            f"page-limit-bytes ({shown(limit.value)}) is less than one page ({shown(page.value)}), so it is passed by "
            "the first one."
        )
        yield Finding(limit.origin, "GENERAL-34", sentence)


def _policy_of(limits: AddressLimits) -> str:
    return "BLOCK" if limits.blocks else "PAGE"


def _reject(force: InForce, figure: Figure, size: int, reject: int) -> Iterator[Finding]:
    if force.blocks and reject < size:
        sentence = (
            f"messages are rejected from {counted(reject, 'bytes')} on, before the address is full at {size:,}: "
            "its producers get errors and are never made to wait."
        )
        yield Finding(figure.origin, "ARTEMIS-AMQP-9", sentence)


def _windows(read: ArtemisFile, limit: Figure, version: Version, traffic: Traffic) -> Iterator[Finding]:
    size = limit.value or 0
    whole = f"the whole address ({shown(size)}, {limit.origin.part})"
    for credit in compose.windows(read, version).values():
        window = credit.window
        if window is not None and credit.size.origin.line and window.size * traffic.size > size:
            sentence = (
                f"{counted(window.size, 'credits')} are {shown(window.size * traffic.size)} at "
                f"{counted(traffic.size, 'bytes')} a message, "
                f"more than {whole} for each producer."
            )
            yield Finding(credit.size.origin, "ARTEMIS-AMQP-8", sentence)
    for each in read.windows:
        if each.value is not None and each.value > size:
            sentence = f"a window of {shown(each.value)} is larger than {whole}."
            yield Finding(each.origin, "ARTEMIS-CORE-6", sentence)


def _acceptors(read: ArtemisFile, version: Version) -> Iterator[Finding]:
    first: dict[str, Origin] = {}
    for each in read.acceptors:
        if "${" not in each.name and first.setdefault(each.name, each.origin) is not each.origin:
            sentence = (
                f"a second acceptor is called {each.name} (line {first[each.name].line} too): a broker keeps one of "
                "the two, and which one is left to chance."
            )
            yield Finding(each.origin, "", sentence)
    for each in read.acceptors:
        if not compose.takes(each.protocols, "AMQP"):
            for key, figure in each.credits.items():
                sentence = f"{key} has no effect: the acceptor {each.name} takes no AMQP."
                yield Finding(figure.origin, "ARTEMIS-AMQP-2", sentence)
    for part, credit in compose.windows(read, version).items():
        window = credit.window
        origin = credit.size.origin if credit.size.origin.line else credit.low.origin
        if window is None or not origin.line:
            continue
        linked = version.model().linked(refill)
        if linked(window, 0) < MESSAGE_COST:
            sentence = f"AMQP producers of {part} are issued no credit and never send."
            yield Finding(origin, "ARTEMIS-AMQP-1" if window.size < MESSAGE_COST else "ARTEMIS-AMQP-4", sentence)
        elif window.low >= window.size:
            sentence = (
                f"amqpLowCredits ({window.low:,}) is not below amqpCredits ({window.size:,}): credit is issued anew "
                "with every message."
            )
            yield Finding(origin, "ARTEMIS-AMQP-4", sentence)


def _stomp(read: ArtemisFile, blocking: Sequence[str]) -> Iterator[Finding]:
    """Addresses under BLOCK beside an acceptor of STOMP: seen with 2.31.2, 2.44.0 and 2.55.0 (`artemis-stomp`)."""
    acceptors = [each for each in read.acceptors if "STOMP" in each.protocols]
    if blocking and acceptors:
        names = ", ".join(blocking[:MOST_NAMES]) + (" and others" if len(blocking) > MOST_NAMES else "")
        sentence = (
            f"BLOCK stops no STOMP producer, and the acceptor {acceptors[0].name} takes STOMP: with STOMP, {names} may "
            "grow until the broker has no memory left. FAIL and DROP limit STOMP producers too."
        )
        yield Finding(acceptors[0].origin, "GENERAL-15", sentence)


def _shared(read: ArtemisFile, traffic: Traffic) -> Iterator[Finding]:
    yield from _refused(read)
    disk = read.disk_percent
    if disk is not None and disk.value is not None:
        says = _of_disk(disk.value, compose.why_unwatched(read), by_property=read.goes_before)
        if read.disk_free is not None and read.disk_free.value not in (None, NO_LIMIT):
            says = f"has no effect: min-disk-free (line {read.disk_free.origin.line}) counts instead."
        if says:
            sentence = f"max-disk-usage {says}"
            stops = disk.value > WHOLE_DISK and not read.goes_before
            yield Finding(disk.origin, "GENERAL-37", Stopping(sentence) if stops else sentence)
    if read.disk_free is not None and read.disk_free.value not in (None, 0, NO_LIMIT) and compose.why_unwatched(read):
        sentence = f"min-disk-free has no effect: {compose.why_unwatched(read)}."
        yield Finding(read.disk_free.origin, "GENERAL-37", sentence)
    shared = read.global_bytes
    if shared is not None and shared.value is not None and is_tiny(shared.value, traffic):
        yield Finding(shared.origin, "", f"of all addresses together {_tiny(shared.value, traffic)}")
    if shared is not None and shared.value == 0:
        by_file = "global-max-size 0 keeps a broker from starting: give -1 for its share of the heap, or a size."
        by_property = "global-max-size 0 makes every address full when it is empty."
        is_taken = read.goes_before or read.is_hornetq
        yield Finding(shared.origin, "", by_property if is_taken else Stopping(by_file))
    if read.disk_free is not None and read.disk_free.value == 0 and not read.goes_before:
        sentence = "min-disk-free 0 keeps a broker from starting: give -1 for no limit, or a size."
        yield Finding(read.disk_free.origin, "", Stopping(sentence))
    if read.disk_scan is not None and read.disk_scan.value == 0 and not read.goes_before:
        sentence = "disk-scan-period 0 keeps a broker from starting: give a time in ms, or -1 to check no disk."
        yield Finding(read.disk_scan.origin, "", Stopping(sentence))
    most = read.global_messages
    if most is not None and most.value == 0 and not read.goes_before:
        sentence = "global-max-messages 0 keeps a broker from starting: give -1 for no limit, or a number."
        yield Finding(most.origin, "", Stopping(sentence))
    if read.heap_percent is not None and shared is not None and shared.value != NO_LIMIT:
        sentence = f"{OF_HEAP} has no effect: global-max-size is set (line {shared.origin.line})."
        yield Finding(read.heap_percent.origin, "", sentence)
    for each in read.windows:
        if each.value is not None and each.value < 0:
            sentence = "a producerWindowSize below 0 is no window: Core producers send without credit, and never wait."
            yield Finding(each.origin, "ARTEMIS-CORE-6", sentence)


def _of_disk(percent: int, unwatched: str, *, by_property: bool) -> str:
    """The error in a limit of the disk; empty if there is none. `unwatched` tells why the broker does not check it."""
    if percent > WHOLE_DISK:
        does = "no disk is that full, so it stops nobody" if by_property else "a broker refuses to start with it"
        return f"{percent} is no percentage from 0 to {WHOLE_DISK}: {does}."
    if unwatched and percent != NO_LIMIT:
        return f"has no effect: {unwatched}."
    if percent == 0:
        return "0 stops every producer: a disk is never empty."
    if percent == ONE:
        return "is 1 %, which nearly every disk is past: every producer is stopped."
    if percent in (NO_LIMIT, WHOLE_DISK):
        return "is switched off: no producer is stopped before the disk is full."
    return ""


def _refused(read: ArtemisFile) -> Iterator[Finding]:
    """Figures that keep a broker from starting, or that leave no heap for anything but messages."""
    part = read.heap_percent
    if part is not None and part.value is not None and not 0 < part.value < WHOLE_HEAP:
        sentence = (
            f"{OF_HEAP} {part.value} leaves nothing of the heap for the broker itself, which runs out of memory before."
            if part.value > 0
            else Stopping(f"{OF_HEAP} {part.value} is no part of the heap: a broker refuses to start with it.")
        )
        yield Finding(part.origin, "", sentence)
    for setting in read.settings:
        for key, least in (("page-limit-bytes", NO_LIMIT), ("page-limit-messages", NO_LIMIT), ("page-size-bytes", ONE)):
            figure = setting.figures.get(key)
            if figure is not None and figure.value is not None and figure.value <= 0 and figure.value != least:
                sentence = f"{key} {figure.value} is refused: a broker does not start with it."
                yield Finding(figure.origin, "", Stopping(sentence))


def _set_at(figure: Figure, policy: Word) -> Origin:
    """The line of a figure; the line of the policy if the figure is a default."""
    return figure.origin if figure.origin.line else policy.origin
