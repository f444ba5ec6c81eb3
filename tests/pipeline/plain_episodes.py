"""Episodes event by event with plain loops: what the measures over columns are held against."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tidegate.record.events import Event, Kind

Hold = tuple[str, str, str]
"""Who is stopped, by which cause, of which destination."""
Told = tuple[str, str, str, str, int | None, int | None, str]
"""Who, by which cause, of which destination, of which source, from seq, to seq, how it ended.

An end by a shutdown is not told here: it is known only of a hold that was on until the shutdown."""


UNKNOWN = "unknown"
GATES = ("destination", "broker", "limit")
NAMED = ("QUE-1003", "QUE-1004", "MST-1008", "MST-1009")
"""Causes of a full destination whose senders are told of by name."""
NAMES = {
    "size": "max-size",
    "QUE-1003": "capacity",
    "QUE-1004": "capacity",
    "CHN-1005": "capacity",
    "MST-1008": "disk-quota",
    "MST-1009": "disk-quota",
}
OWN_RELEASE = ("memory", "store", "temp", "disk", "disk-quota", "order")
"""Causes that nothing ends but a release of their own."""


@dataclass
class _Source:
    on: dict[Hold, tuple[int, int]] = field(default_factory=dict)
    """By hold, the seq at which it began, and the time in ms of the last line about it."""
    ordered: set[str] = field(default_factory=set)
    limits: dict[tuple[str, str], int] = field(default_factory=dict)
    silent: bool = False
    """Whether a gate closed twice, and no line in between said that it opened."""


def plain_episodes(events: Sequence[Event]) -> list[Told]:
    """All episodes, those that do not end included."""
    sources: dict[str, _Source] = {}
    told: list[Told] = []
    for event in events:
        source = sources.setdefault(event.source, _Source())
        destination = event.destination or ""
        match event.kind:
            case Kind.LIMITS:
                limit = 1 if event.limit is None and not destination else event.limit
                source.limits[destination, event.cause or ""] = limit or 0
            case Kind.LEVEL if event.cause == "block":
                source.ordered.add(destination)
            case Kind.LEVEL if event.cause == "unblock":
                source.ordered.discard(destination)
            case Kind.STOP | Kind.OVERFULL:
                hold = (_who(event), _cause(event, source), destination)
                since, last = source.on.get(hold, (event.seq, event.time))
                lapsed = event.credit is not None and event.time - event.credit * 1000 > last
                again = event.credit is None and hold in source.on and not _is_repeated(event)
                if lapsed or again:
                    told.append((*hold, event.source, since, None, "inferred"))
                    since = event.seq
                    source.silent |= _is_gate(hold[0])
                source.on[hold] = (since, event.time)
            case Kind.START:
                gone = [hold for hold in source.on if not destination or f"{hold[2]}/".startswith(f"{destination}/")]
                told += [(*hold, event.source, source.on.pop(hold)[0], None, "restarted") for hold in gone]
            case Kind.SHUTDOWN:
                told += [(*hold, event.source, since, None, "shutdown") for hold, (since, _) in source.on.items()]
                source.on.clear()
            case Kind.RELEASE | Kind.UNDERFULL | Kind.CLOSE:
                ended = [hold for hold in source.on if _ends(event, hold)]
                how = "closed" if event.kind is Kind.CLOSE else "told"
                told += [(*h, event.source, source.on.pop(h)[0], event.seq, how) for h in ended]
                if not ended and how == "told":
                    cause = _one(event) if _one(event) in OWN_RELEASE else UNKNOWN
                    told.append((_who(event), cause, destination, event.source, None, event.seq, how))
    telling = (Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL)
    freed = {event.source for event in events if event.kind is Kind.UNDERFULL}
    silent = {name for name, source in sources.items() if source.silent} - freed
    ends = {
        _is_gate(who)
        for event in events
        if event.kind in telling and not (_is_gate(who := _who(event)) and event.source in silent)
    }
    told += [
        (*hold, name, since, None, "never" if _is_gate(hold[0]) in ends else "untold")
        for name, source in sources.items()
        for hold, (since, _) in source.on.items()
    ]
    return told


def _is_repeated(event: Event) -> bool:
    return event.kind is Kind.STOP and event.cause == "AMQ212054"


def _is_gate(who: str) -> bool:
    return who.split()[0] in GATES


def _who(event: Event) -> str:
    if event.kind not in (Kind.OVERFULL, Kind.UNDERFULL):
        for of in ("producer", "channel", "connection"):
            if name := getattr(event, of):
                return f"{of} {name}"
    elif event.destination and event.cause in NAMED:
        return f"limit {event.destination}"
    if event.destination:
        return f"destination {event.destination}"
    return "broker " if event.kind in (Kind.OVERFULL, Kind.UNDERFULL) else "sender "


def _cause(event: Event, source: _Source) -> str:
    destination = event.destination or ""
    if event.kind is Kind.STOP and destination in source.ordered:
        return "order"
    if event.cause:
        return _named(event)
    in_force = [
        name
        for (of, name), limit in sorted(source.limits.items())
        if limit > 0 and name not in ("credit", "reject-threshold")
    ]
    own = [name for (of, name) in source.limits if of == destination and of and name in in_force]
    shared = [name for (of, name) in source.limits if not of and name in in_force]
    return " or ".join([*sorted(own), *sorted(shared)]) or UNKNOWN


def _named(event: Event) -> str:
    return NAMES.get(event.cause or "", event.cause or "")


def _one(event: Event) -> str:
    """The one cause that a release is of; empty where it is not of a single one."""
    of_broker = event.kind is Kind.UNDERFULL and not event.destination
    own = event.kind in (Kind.RELEASE, Kind.UNDERFULL) and _named(event) in OWN_RELEASE
    return _named(event) if of_broker or own else ""


def _ends(event: Event, hold: Hold) -> bool:
    who, cause, destination = hold
    if event.kind is Kind.UNDERFULL and not event.destination:
        return _is_gate(who) and _one(event) == cause
    if who != _who(event) or (event.destination and event.destination != destination):
        return False
    if _one(event):
        return cause == _one(event)
    return event.kind is not Kind.UNDERFULL or cause not in OWN_RELEASE
