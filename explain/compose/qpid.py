"""The settings in force at the queues of a Qpid Java broker."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.explain import bounds
from tidegate.explain.compose.order import first_of
from tidegate.explain.read.qpid_file import BLOCKS, FILLED, WITHOUT_OLD_NAMES, Host, Levels, QpidFile, Queue
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Bound, Destination, Figure, Flow, Limit, Origin, Traffic
from tidegate.explain.witness import Course
from tidegate.model.built.qpid import USUAL_PERCENT
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.qpid import NOT_SET
from tidegate.model.mechanisms.queue_gate import queue_gate
from tidegate.record.counts import counted

PRODUCERS = "producers"
UNSET = -1
"""Broker-J's figure for no limit."""
REST = "every other queue"
STORES_WITH_FILES = ("BDB", "BDB_HA", "DERBY")
"""The types of virtual hosts whose file system a broker watches."""
OVERFULL, UNDERFULL = "overfull-size", "underfull-size"
STORE_IN_JSON = {OVERFULL: "storeOverfullSize", UNDERFULL: "storeUnderfullSize"}
"""The names of the limits of a store in a JSON of Broker-J."""
WHOLE = 100 * 100
"""The whole, in hundredths of a percent."""


@dataclass(frozen=True)
class InForce:
    """The levels in force at a queue, with their origins. `queue` is None if a level is unknown."""

    queue: qpid.Queue | None
    messages: qpid.Queue | None
    policy: str | None
    policy_origin: Origin
    capacity_origin: Origin
    resume_origin: Origin

    @property
    def blocks(self) -> bool:
        """Whether the policy blocks producers."""
        return self.policy == BLOCKS


def all_queues(read: QpidFile) -> list[Queue]:
    """The queues of the file, and for each virtual host one entry for all its other queues."""
    return [*read.queues, *(Queue(REST, host, host.origin) for host in read.hosts if host.has_others)]


def chosen(read: QpidFile, wanted: tuple[str, ...]) -> list[Queue]:
    """All queues, or the queues of the wanted names (with or without virtual host); an unlisted name gets its host's
    settings."""
    if not wanted:
        return all_queues(read)
    found: list[Queue] = []
    for name in wanted:
        own = [each for each in read.queues if name in (each.name, each.path)]
        found += own or [Queue(name, host, host.origin, Levels(percent=host.levels.percent)) for host in read.hosts]
    return found


def in_force(read: QpidFile, queue: Queue, version: Version) -> InForce:
    """The levels of a queue by the rules of the model, from its own settings and the settings of its virtual host."""
    default = Origin(part=version.default)
    own, host = _levels_of(read, queue)
    capacity, resume = own.capacity or host.capacity, own.resume or host.resume
    percent = own.percent or host.percent
    policy, policy_origin = _policy(read, queue, default)
    origins = (
        capacity.origin if capacity else default,
        resume.origin if resume else percent.origin if percent else default,
    )
    most = own.messages or host.messages
    figures = (own.capacity, own.resume, host.capacity, host.resume, percent, most)
    if any(each is not None and each.value is None for each in figures):
        return InForce(None, None, policy, policy_origin, *origins)
    model = version.model()
    no_limit: int = model.default(qpid, "NO_LIMIT")
    limits = model.linked(qpid.effective_limits)(
        _limits(own.capacity, own.resume, percent, no_limit, is_json=read.is_json),
        _limits(host.capacity, host.resume, percent, no_limit, is_json=read.is_json),
    )
    if read.is_json and own.capacity is None and host.capacity is None:
        limits = qpid.Limits(no_limit, limits.resume)
    messages = most.value if most else UNSET
    in_messages = None
    if messages is not None and messages > UNSET:
        level = NOT_SET if percent is None or percent.value is None else math.ceil(percent.value * messages / WHOLE)
        in_messages = qpid.Queue(messages, level, 0)
    return InForce(qpid.Queue(limits.capacity, limits.resume, 0), in_messages, policy, policy_origin, *origins)


def _levels_of(read: QpidFile, queue: Queue) -> tuple[Levels, Levels]:
    """The levels of a queue and the levels of its virtual host.

    In a JSON file, a queue without levels of its own has the levels of its host, and the host has none beside.
    """
    own, host = queue.levels, queue.host.levels
    if not read.is_json:
        return own, host
    return Levels(**{key: getattr(own, key) or getattr(host, key) for key in vars(own)}), Levels()


def set_limits(read: QpidFile, version: Version) -> Iterator[qpid.Limits]:
    """The levels in bytes that queues and virtual hosts set, NOT_SET for a level that is not set."""
    no_limit: int = version.model().default(qpid, "NO_LIMIT")
    for queue in all_queues(read):
        own, host = _levels_of(read, queue)
        if all(
            each is None or each.value is not None for each in (own.capacity, own.resume, host.capacity, host.resume)
        ):
            yield _limits(own.capacity, own.resume, own.percent, no_limit, is_json=read.is_json)
            yield _limits(host.capacity, host.resume, host.percent, no_limit, is_json=read.is_json)


def _policy(read: QpidFile, queue: Queue, default: Origin) -> tuple[str | None, Origin]:
    if not read.is_json:
        return BLOCKS, Origin(part="the only one of this release")
    said = queue.levels.policy or queue.host.levels.policy
    return ("NONE", default) if said is None else (said.value, said.origin)


def _limits(
    capacity: Figure | None, resume: Figure | None, percent: Figure | None, no_limit: int, *, is_json: bool
) -> qpid.Limits:
    most = NOT_SET if capacity is None or capacity.value is None else capacity.value
    if is_json and most <= UNSET:
        most = no_limit
    level = NOT_SET if resume is None or resume.value is None else resume.value
    if level == NOT_SET and percent is not None and percent.value is not None and most > 0:
        level = math.ceil(percent.value * most / WHOLE)
    return qpid.Limits(most, level)


def case(read: QpidFile, queue: Queue, version: Version) -> bounds.Case | None:
    """The mechanism that a queue's producers meet; None if a figure is unknown."""
    force = in_force(read, queue, version)
    if force.queue is None or force.policy is None:
        return None
    limited = version.model().linked(qpid.limited)(force.queue)
    most = force.queue.capacity if limited else UNSET
    # a limit without effect counts as no limit
    free = Course(queue_gate(version.model()), qpid.Limits(version.model().default(qpid, "NO_LIMIT")), 0)
    if force.policy in ("RING", "REJECT"):
        messages = force.messages.capacity if force.messages else UNSET
        return bounds.Refusing(most, messages, refuses=force.policy == "REJECT", fits=True)
    if force.policy == "FLOW_TO_DISK":
        return bounds.Open(most, "messages past the limit go to disk, and no producer waits", (), free)
    if not force.blocks and not limited and force.messages is None:
        return bounds.Open(most, "the queue has no limit", ("QPID-QUEUE-3",), free)
    if not force.blocks:
        return bounds.Open(most, "overflowPolicy NONE does nothing at a limit", (), free)
    if not limited and force.messages is None:
        return bounds.Open(most, "the queue has no limit", ("QPID-QUEUE-3",), free)
    return bounds.Gate(force.queue, force.messages, version.model())


def destinations(
    read: QpidFile, version: Version, traffic: Traffic, wanted: tuple[str, ...] = ()
) -> tuple[Destination, ...]:
    """The explanation of every queue of the file and of each host's other queues, or of the wanted names."""
    return tuple(_destination(read, each, version, traffic) for each in chosen(read, wanted))


def _destination(read: QpidFile, queue: Queue, version: Version, traffic: Traffic) -> Destination:
    force, met = in_force(read, queue, version), case(read, queue, version)
    bound: Bound = (
        bounds.unknown("a placeholder hides a figure", ("QPID-QUEUE-1",)) if met is None else bounds.worst(met, traffic)
    )
    flow = Flow(PRODUCERS, _first(force, met, traffic, version), bound)
    verdict = _verdict(force, met, version) + _by_store(read, queue.host)
    return Destination(queue.path, verdict, tuple(_limits_of(read, queue, force, version)), (flow,))


def _by_store(read: QpidFile, host: Host) -> str:
    """The part of a verdict about a store or its disk: a full one stops producers to any queue of the virtual host."""
    said = ""
    if host.overfull is not None and host.overfull.value is not None and host.overfull.value > 0:
        name = STORE_IN_JSON[OVERFULL] if read.is_json else OVERFULL
        said = f"; a store of more than {shown(host.overfull.value)} stops all producers of the virtual host ({name})"
    if (filled := _filled(host)) is not None and filled.value is not None:
        stops = "stops them too" if said else "stops all producers of the virtual host"
        said += f"; a file system that is more than {filled.value} % full {stops} ({FILLED})"
    return said


def _filled(host: Host) -> Figure | None:
    """The share of the file system that may be in use, if the store of the virtual host keeps files."""
    keeps_files = host.store is not None and (host.store.value or "").upper() in STORES_WITH_FILES
    return host.filled if keeps_files else None


def _verdict(force: InForce, met: bounds.Case | None, version: Version) -> str:
    if met is None or force.queue is None:
        return "not known: a placeholder hides a figure"
    parts = [shown(force.queue.capacity)] if version.model().linked(qpid.limited)(force.queue) else []
    parts += [counted(force.messages.capacity, "messages")] if force.messages else []
    at = " or ".join(parts) or "no limit"
    at = f"the limit of {at}" if force.messages and isinstance(met, bounds.Refusing) else at
    if isinstance(met, bounds.Open):
        return f"nobody waits: {met.why}"
    if isinstance(met, bounds.Refusing):
        does = (
            f"messages past {at} are refused"
            if met.refuses
            else f"past {at} the oldest messages are lost without a word"
        )
        return f"{force.policy}: {does}"
    return f"producers that send are stopped above {at}"


def _first(force: InForce, met: bounds.Case | None, traffic: Traffic, version: Version) -> str:
    if met is None or force.queue is None:
        return "not known"
    if isinstance(met, bounds.Open):
        return "no limit stops a producer"
    limited = version.model().linked(qpid.limited)(force.queue)
    in_bytes = {"the limit in bytes": force.queue.capacity} if limited else {}
    in_messages = {"the limit in messages": force.messages.capacity} if force.messages else {}
    return first_of(in_bytes, in_messages, traffic)


def lets_go_at(queue: qpid.Queue, version: Version) -> int | None:
    """The highest level at which the queue releases blocked producers; NEVER_OPEN if there is none, None for any
    level."""
    underfull = version.model().linked(qpid.underfull)
    return bounds.last_level(lambda level: underfull(qpid.Queue(queue.capacity, queue.resume, level)))


def _named(read: QpidFile, version: Version) -> str:
    """The name of the limit of a queue in bytes, as the release has it."""
    if not read.is_json:
        return "capacity"
    return "queueFlowControlSizeBytes" if version.is_before(WITHOUT_OLD_NAMES) else "maximumQueueDepthBytes"


def _limits_of(read: QpidFile, queue: Queue, force: InForce, version: Version) -> Iterator[Limit]:
    name = _named(read, version)
    if force.policy_origin.line or force.policy != BLOCKS:
        does = "Producers to an overfull queue are stopped." if force.blocks else "An overfull queue stops nobody."
        of_policy = {BLOCKS: "QPID-QUEUE-7", "REJECT": "GENERAL-30", "RING": "GENERAL-32"}
        rules = tuple(rule for policy, rule in of_policy.items() if policy == force.policy)
        yield Limit("overflowPolicy", force.policy or "not known", force.policy_origin, does, "", rules)
    if force.queue is None:
        yield Limit(name, "not known", force.capacity_origin, "Hidden by a placeholder.", "", ("QPID-QUEUE-1",))
    else:
        limited = version.model().linked(qpid.limited)(force.queue)
        text = shown(force.queue.capacity) if limited else "no limit"
        does = "A channel whose message leaves more bytes on the queue than this is stopped; the message is stored."
        frees = _frees(lets_go_at(force.queue, version), "bytes") if limited and force.blocks else ""
        does, rules = (does, ("QPID-QUEUE-1", "QPID-QUEUE-8")) if limited and force.blocks else _does(force, limited)
        yield Limit(name, text, force.capacity_origin, does, frees, rules)
        if limited and force.blocks:
            level = "not set" if force.queue.resume == NOT_SET else shown(force.queue.resume)
            level = f"{USUAL_PERCENT} % of the capacity" if force.queue.resume == NOT_SET else level
            yield Limit("resume level", level, force.resume_origin, "Where producers go on.", "", ("QPID-QUEUE-2",))
    if force.messages is not None:
        figure = queue.levels.messages or queue.host.levels.messages
        frees = _frees(lets_go_at(force.messages, version), "messages") if force.blocks else ""
        does = "A channel whose message leaves more messages on the queue than this is stopped; the message is stored."
        yield Limit(
            "maximumQueueDepthMessages",
            counted(force.messages.capacity, "messages"),
            figure.origin if figure else force.capacity_origin,
            does if force.blocks else _does(force, limited=True)[0],
            frees,
            ("GENERAL-18",) if force.blocks else _does(force, limited=True)[1],
        )
    yield from _quota(read, queue.host)


def _does(force: InForce, limited: bool) -> tuple[str, tuple[str, ...]]:
    """The effect of a limit that stops no producer, and its rules."""
    effects = {
        "REJECT": ("It stops nobody: messages that do not fit are refused, and their senders told.", "GENERAL-31"),
        "RING": ("It stops nobody: past it the oldest messages are dropped, and nobody is told.", "GENERAL-33"),
        "FLOW_TO_DISK": ("It stops nobody: past it messages leave memory for the disk.", ""),
    }
    usual = ("It stops nobody.", "")
    does, rule = effects.get(force.policy or "", usual) if limited else usual
    return does, () if limited and not rule else (rule or "QPID-QUEUE-3",)


def _frees(level: int | None, unit: str) -> str:
    if level is None:
        return ""
    if level == bounds.NEVER_OPEN:
        return f"nothing: the queue never holds fewer than 0 {unit}"
    return f"consumers, once the queue holds no more than {level:,} {unit}"


def _quota(read: QpidFile, host: Host) -> Iterator[Limit]:
    if host.to_disk is not None:
        does = "Past it messages of every queue of the broker leave memory for the disk. No producer waits."
        text = "not known" if host.to_disk.value is None else shown(host.to_disk.value)
        yield Limit("broker.flowToDiskThreshold", text, host.to_disk.origin, does, "", ())
    for name, figure, does, rule in (
        (OVERFULL, host.overfull, "Past it every producer of the virtual host is blocked.", "QPID-DISK-3"),
        (UNDERFULL, host.underfull, "Below it all of them go on.", "QPID-DISK-4"),
    ):
        if figure is not None:
            text = "not known" if figure.value is None else shown(figure.value)
            yield Limit(STORE_IN_JSON[name] if read.is_json else name, text, figure.origin, does, "", (rule,))
    if (filled := _filled(host)) is not None:
        text = "not known" if filled.value is None else f"{filled.value} % of the file system"
        does = "Above it every producer of the virtual host is blocked."
        yield Limit(FILLED, text, filled.origin, does, "space on the disk", ("GENERAL-37",))
