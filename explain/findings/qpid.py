"""Finds errors in a configuration of the Qpid Java broker."""

from collections.abc import Iterator
from dataclasses import replace

from tidegate.explain import bounds
from tidegate.explain.compose import qpid as compose
from tidegate.explain.compose.qpid import InForce
from tidegate.explain.findings.idle import without_effect
from tidegate.explain.findings.units import is_tiny
from tidegate.explain.read.qpid_file import INHERITED, WITHOUT_OLD_NAMES, Host, Levels, QpidFile, Queue
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Figure, Finding, Origin, Traffic
from tidegate.model.mechanisms import qpid, qpid_disk
from tidegate.model.mechanisms.qpid_disk import STORES
from tidegate.record.counts import counted

ONE_PERCENT = 100
"""One percent in hundredths of a percent."""
CAPACITY_NOW = (
    "maximumQueueDepthBytes, with overflowPolicy PRODUCER_FLOW_CONTROL",
    "queue.defaultMaximumQueueDepthBytes, with queue.defaultOverflowPolicy PRODUCER_FLOW_CONTROL",
)
"""The names of the capacity since WITHOUT_OLD_NAMES: at a queue, and in the context of a virtual host."""
RESUME_NOW = "queue.queueFlowResumeLimit in a context, in percent of the limit"


def findings(read: QpidFile, version: Version, traffic: Traffic) -> tuple[Finding, ...]:
    """All findings by line; a finding that several queues inherit appears once."""
    is_new = read.is_json and bool(version.taken)
    found = [finding for host in read.hosts for finding in _quota(host, is_new=is_new)]
    found += [each for host in read.hosts for each in _without_effect(host.levels, version, is_host=True)]
    found += [Finding(origin, "QPID-QUEUE-1", says) for origin, says in read.misnamed]
    queues = compose.all_queues(read)
    for queue in queues:
        found += _queue(read, queue, version, traffic)
    found += without_effect([(dict(_idle(read, queue, version)), _settings(queue)) for queue in queues])
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.origin.line, each.rule)))


def _without_effect(levels: Levels, version: Version, *, is_host: bool) -> Iterator[Finding]:
    """Levels under names that a release of Broker-J does not have, of a queue or of all queues of a host."""
    if levels.ignored is not None:
        name = f"{'queue.' * is_host}queueFlowControlSizeBytes"
        sentence = f"maximumQueueDepth and overflowPolicy have no effect before {WITHOUT_OLD_NAMES}"
        yield Finding(levels.ignored, "QPID-QUEUE-1", f"{sentence}: {name} sets a limit there.")
    if levels.old is None:
        return
    for figure, rule, name, now in (
        (levels.old.capacity, "QPID-QUEUE-1", "queueFlowControlSizeBytes", CAPACITY_NOW[is_host]),
        (levels.old.resume, "QPID-QUEUE-2", "queueFlowResumeSizeBytes", RESUME_NOW),
    ):
        if figure is not None:
            said = f"queue.{name}" if is_host else name
            yield Finding(figure.origin, rule, f"{said} has no effect since {WITHOUT_OLD_NAMES}: there it is {now}.")


def _queue(read: QpidFile, queue: Queue, version: Version, traffic: Traffic) -> Iterator[Finding]:
    force = compose.in_force(read, queue, version)
    percent = queue.levels.percent
    if (
        percent is not None
        and percent.value is not None
        and 0 < percent.value <= ONE_PERCENT
        and queue.name != compose.REST
    ):
        share = f"{percent.value / ONE_PERCENT:g}"
        sentence = (
            f"the resume level is {share} percent of the capacity, so the queue must be almost empty: 80 percent is "
            "written 80, not 0.8."
        )
        yield Finding(percent.origin, "QPID-QUEUE-2", sentence)
    yield from _without_effect(queue.levels, version, is_host=False)
    if force.queue is None or force.policy is None:
        return
    limited = version.model().linked(qpid.limited)(force.queue)
    levels = _with_those_of_the_host(queue)
    if not force.blocks and read.is_json:
        yield from _too_small(queue, force, traffic)
        return
    if not limited and force.messages is None:
        return
    if limited:
        yield from _levels(queue, force, force.queue, version)
    if limited and is_tiny(force.queue.capacity, traffic) and force.capacity_origin.line:
        sentence = (
            f"the capacity ({shown(force.queue.capacity)}) is less than one message of {shown(traffic.size)}: each "
            "message stops its sender. Is it meant in another unit?"
        )
        yield Finding(force.capacity_origin, "QPID-QUEUE-1", sentence)
    most = force.messages
    if most is not None and levels.messages is not None:
        yield from _in_messages(queue, force, most, version)
    if limited and most is not None and levels.messages is not None and 0 < force.queue.capacity <= most.capacity:
        sentence = (
            f"maximumQueueDepthMessages ({most.capacity:,}) is never reached first: a message has a byte at least, and "
            f"maximumQueueDepthBytes is {force.queue.capacity:,}."
        )
        yield Finding(levels.messages.origin, "GENERAL-18", sentence)


def _in_messages(queue: Queue, force: InForce, most: qpid.Queue, version: Version) -> Iterator[Finding]:
    lets_go = compose.lets_go_at(most, version)
    at = force.resume_origin
    if most.capacity == 0:
        sentence = "a limit of 0 messages is a limit: each message stops its sender (-1: no limit)."
        figure = _with_those_of_the_host(queue).messages
        yield Finding(figure.origin if figure else at, "GENERAL-18", sentence)
    if not at.line or lets_go is None or most.capacity <= 1:
        return
    if lets_go == bounds.NEVER_OPEN:
        sentence = f"producers that {_called(queue)} stops are never released: no queue holds fewer than 0 messages."
        yield Finding(at, "QPID-QUEUE-2", sentence)
    elif lets_go == 0:
        sentence = f"producers that {_called(queue)} stops are released only when the queue is empty."
        yield Finding(at, "QPID-QUEUE-2", sentence)
    elif most.resume > most.capacity:
        sentence = (
            f"the resume level ({counted(most.resume, 'messages')}) is above the limit of {queue.name} "
            f"({most.capacity:,}), so "
            "producers are released while the queue is overfull."
        )
        yield Finding(at, "QPID-QUEUE-2", sentence)


def _levels(queue: Queue, force: InForce, levels: qpid.Queue, version: Version) -> Iterator[Finding]:
    at = force.resume_origin if force.resume_origin.line else force.capacity_origin
    lets_go = compose.lets_go_at(levels, version)
    if not at.line or lets_go is None:
        return
    is_inherited = queue.levels.capacity is not None and queue.levels.resume is None and queue.host.levels.resume
    if levels.capacity == 0:
        sentence = "a capacity of 0 bytes is a limit in this release: each message stops its sender (-1: no limit)."
        yield Finding(force.capacity_origin, "QPID-QUEUE-3", sentence)
    elif lets_go == bounds.NEVER_OPEN:
        sentence = f"producers that {_called(queue)} stops are never released: no queue holds fewer than 0 bytes."
        yield Finding(at, "QPID-QUEUE-2", sentence)
    elif lets_go == 0 and levels.capacity > 1:
        rule = "QPID-QUEUE-2" if force.resume_origin.line else "QPID-QUEUE-5"
        sentence = f"producers that {_called(queue)} stops are released only when the queue is empty."
        yield Finding(at, rule, sentence)
    elif levels.resume > levels.capacity:
        rule = "QPID-QUEUE-6" if is_inherited and queue.name != compose.REST else "QPID-QUEUE-2"
        whence = ", which the virtual host sets," if rule == "QPID-QUEUE-6" else ""
        sentence = (
            f"the resume level{whence} ({levels.resume:,}) is above the capacity of {queue.name} "
            f"({levels.capacity:,}), so producers are released while the queue is overfull."
        )
        origin = queue.levels.capacity.origin if rule == "QPID-QUEUE-6" and queue.levels.capacity else at
        yield Finding(origin, rule, sentence)


def _called(queue: Queue) -> str:
    """The name of a queue in a sentence."""
    return queue.name if queue.name == compose.REST else f"queue {queue.name}"


def _settings(queue: Queue) -> Iterator[tuple[str, Origin]]:
    """The settings of a queue, and of its virtual host, that have an effect only beside another setting."""
    own, host = queue.levels, queue.host.levels
    for key, figure in (
        ("capacity", own.capacity or host.capacity),
        ("messages", own.messages or host.messages),
        ("policy", own.policy or host.policy),
        ("resume", own.resume),
        ("resume of all", host.resume),
    ):
        if figure is not None:
            yield key, figure.origin


def _idle(read: QpidFile, queue: Queue, version: Version) -> Iterator[tuple[str, Finding]]:
    """The settings that have no effect on this queue."""
    force, own = compose.in_force(read, queue, version), _with_those_of_the_host(queue)
    if force.queue is None or force.policy is None:
        return
    if not force.blocks and read.is_json:
        if force.policy == "NONE":
            for key, name, figure in (("capacity", "Bytes", own.capacity), ("messages", "Messages", own.messages)):
                if figure is not None and _is_set(figure):
                    sentence = f"maximumQueueDepth{name} has no effect: overflowPolicy is NONE."
                    yield key, Finding(figure.origin, "", sentence)
        elif not any(_is_set(each) for each in (own.capacity, own.messages)):
            sentence = f"{force.policy} has no effect: the queue has no limit."
            yield "policy", Finding(force.policy_origin, "QPID-QUEUE-3", sentence)
        if own.percent is not None and own.percent.origin.part != INHERITED and queue.name != compose.REST:
            sentence = f"a resume level has no effect on {queue.name}: overflowPolicy is {force.policy}."
            yield "percent", Finding(own.percent.origin, "QPID-QUEUE-2", sentence)
    elif not version.model().linked(qpid.limited)(force.queue) and force.messages is None:
        if force.policy_origin.line and not version.is_before(WITHOUT_OLD_NAMES):  # no file could set it before
            sentence = "PRODUCER_FLOW_CONTROL has no effect: the queue has no limit."
            yield "policy", Finding(force.policy_origin, "QPID-QUEUE-3", sentence)
        for key, figure in (("resume", own.resume), ("resume of all", queue.host.levels.resume)):
            if figure is not None:
                sentence = "a resume level has no effect without a capacity."
                yield key, Finding(figure.origin, "QPID-QUEUE-3", sentence)


def _too_small(queue: Queue, force: InForce, traffic: Traffic) -> Iterator[Finding]:
    """Limits of a queue that refuses or drops messages, so low that it takes or keeps none."""
    own = _with_those_of_the_host(queue)
    does = {"REJECT": ("every message is refused", "GENERAL-31"), "RING": ("no message stays", "GENERAL-33")}
    if force.policy not in does:
        return
    says, rule = does[force.policy]
    for figure in (own.capacity, own.messages):
        if figure is not None and figure.value == 0:
            yield Finding(figure.origin, rule, f"a limit of 0 is a limit: {says} (-1: no limit).")
    if own.capacity is not None and own.capacity.value and is_tiny(own.capacity.value, traffic):
        sentence = (
            f"the limit ({shown(own.capacity.value)}) is less than one message of {shown(traffic.size)}: {says}. Is it "
            "meant in another unit?"
        )
        yield Finding(own.capacity.origin, rule, sentence)


def _with_those_of_the_host(queue: Queue) -> Levels:
    """The levels of a queue, with the levels that its virtual host sets for all queues."""
    own, host = queue.levels, queue.host.levels
    return replace(own, capacity=own.capacity or host.capacity, messages=own.messages or host.messages)


def _is_set(figure: Figure | None) -> bool:
    return figure is not None and (figure.value is None or figure.value > compose.UNSET)


def _quota(host: Host, *, is_new: bool) -> Iterator[Finding]:
    over, under = host.overfull, host.underfull
    if over is None and under is not None:
        yield Finding(under.origin, "QPID-DISK-2", "an underfull size has no effect without an overfull size.")
    if over is None or over.value is None:
        return
    if host.store is not None and not _has_quota(host.store.value or ""):
        sentence = f"a quota has no effect on this store: only {' and '.join(STORES)} have one."
        yield Finding(over.origin, "QPID-DISK-6", sentence)
    if over.value == 0:
        sentence = "an overfull size of 0 bytes stops every producer of the virtual host: no store takes less on disk."
        yield Finding(over.origin, "QPID-DISK-1", sentence)
    if under is None:
        sentence = "an overfull size without an underfull size: what releases the blocked producers is not said."
        yield Finding(over.origin, "QPID-DISK-2", sentence)
    elif under.value is not None:
        if is_new and not 0 <= under.value <= over.value:
            sentence = f"the broker takes no underfull size of {under.value:,}, but the overfull size ({over.value:,})."
            yield Finding(under.origin, "QPID-DISK-2", sentence)
        else:
            yield from _two_limits(qpid_disk.Quota(over.value, under.value), under.origin)


def _two_limits(quota: qpid_disk.Quota, at: Origin) -> Iterator[Finding]:
    if not qpid_disk.underfull(qpid_disk.Store(quota, 0, blocked=True)):
        sentence = "blocked producers are never released: no store takes less than 0 bytes."
        yield Finding(at, "QPID-DISK-4", sentence)
    elif quota.underfull_bytes > quota.overfull_bytes:
        sentence = (
            f"the underfull size ({quota.underfull_bytes:,}) is above the overfull size ({quota.overfull_bytes:,}): "
            "producers are released while the store is overfull."
        )
        yield Finding(at, "QPID-DISK-2", sentence)


def _has_quota(store: str) -> bool:
    return any(each.lower() in store.lower() for each in STORES) or "provided" in store.lower()
