"""The settings in force at the destinations of an ActiveMQ Classic broker."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from struct import pack, unpack

from tidegate.explain import bounds
from tidegate.explain.compose.classic_forwarding import with_targets
from tidegate.explain.compose.order import first_of
from tidegate.explain.matching.classic import REST, stands_for, that_counts
from tidegate.explain.read.classic import WITHOUT_SIZE, ClassicFile, FilteredStore, PolicyEntry
from tidegate.explain.read.classic_virtual import QUEUE, TOPIC
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Destination, Figure, Flow, Limit, Origin, Traffic, Word
from tidegate.model.mechanisms import classic_usage
from tidegate.model.mechanisms.classic import NO_LIMIT, time_counts
from tidegate.model.mechanisms.classic_usage import Placement
from tidegate.record.counts import counted

WHOLE = 100
"""Per cent."""
OWN_STORE = "filteredKahaDB"
"""The limit of the store that a mKahaDB has for a queue."""
FREES = "consumers that acknowledge: one byte below the limit is enough"
A_LIMIT = "a limit "
"""The beginning of the words for a limit that is not known, unlike those for a share of the heap."""


@dataclass(frozen=True)
class InForce:
    """The settings in force at a destination: its memory limit in bytes (`is_own`: not the broker's), and the
    others."""

    kind: str
    name: str
    memory: Figure
    is_own: bool
    controlled: Word
    cursor: Word

    @property
    def in_memory(self) -> bool:
        """Whether waiting messages are kept in memory; a topic passes them to its subscribers from memory."""
        return self.kind == TOPIC or self.cursor.value == "memory"


def entry_for(read: ClassicFile, kind: str, name: str) -> PolicyEntry | None:
    """The single entry that applies to a name or a pattern: the most specific one as a whole; entries are not
    merged."""
    found = [each for each in read.entries if each.kind == kind and stands_for(each.match, name)]
    return that_counts(name, found)


def in_force(read: ClassicFile, kind: str, name: str, version: Version) -> InForce:
    """The settings of a destination, with the version's defaults for missing ones."""
    entry = entry_for(read, kind, name)
    default = Origin(part=version.default)
    own = entry.memory if entry is not None and entry.memory is not None and entry.memory.value != 0 else None
    controlled = entry.controlled if entry is not None and entry.controlled is not None else Word("true", default)
    return InForce(
        kind,
        name,
        own or shared_memory(read, version),
        own is not None,
        controlled,
        _cursor(read, entry, version),
    )


def _cursor(read: ClassicFile, entry: PolicyEntry | None, version: Version) -> Word:
    """The place of waiting messages, `memory` or `file`; without a store no cursor has files (runs of 5.3.1, 6.1.8)."""
    usual = version.model().default(classic_usage, "DEFAULT_CURSOR")
    said = entry.cursor if entry is not None else None
    if version.taken and read.persistent is not None and read.persistent.value == "false":
        is_told = said is not None and said.value == "memory"
        return said if said is not None and is_told else Word("memory", read.persistent.origin)
    if said is not None and said.value != "store":
        return said
    return Word(usual, Origin(part=version.default)) if said is None else replace(said, value="file")


def shared_memory(read: ClassicFile, version: Version) -> Figure:
    """The memory that messages of all destinations may fill together; unknown if it is a percentage of the heap.

    A broker that splits its memory leaves its producers a share of it.
    """
    whole, share = _memory(read, version), read.producers
    if share is None or (share.value is not None and not 0 < share.value < WHOLE):
        return whole  # beyond the whole, the limit of all still counts
    said = "a part" if share.value is None else f"{share.value} %"
    if share.value is None or whole.value is None or whole.value == NO_LIMIT:
        text = f"{said} of {whole.text or 'a limit not known here'}" if whole.value is None else said
        return whole if whole.value == NO_LIMIT else Figure(None, whole.origin, text)
    part = f"memoryUsage, of which producers have {said} ({share.origin.file}:{share.origin.line})"
    return Figure(_share_of(whole.value, share.value), replace(whole.origin, part=part))


def _share_of(limit: int, percent: int) -> int:
    """A share of a limit as a broker computes it, with the precision of a 32-bit floating-point number."""
    (portion,) = unpack("f", pack("f", percent / WHOLE))
    return int(limit * portion)


def _memory(read: ClassicFile, version: Version) -> Figure:
    if "memoryUsage" in read.usage:
        return _none_for_0(read.usage["memoryUsage"])
    if leaves_out(read, "memoryUsage", version):
        return _none_of_the_bean(read)
    if "memoryUsage" in read.heap_percent:
        percent = read.heap_percent["memoryUsage"]
        return Figure(None, percent.origin, percent.text)
    return Figure(version.model().default(classic_usage, "DEFAULT_MEMORY"), Origin(part=version.default))


def own_store(read: ClassicFile, force: InForce) -> FilteredStore | None:
    """The store of a mKahaDB that keeps the messages of a queue, if it has a limit of its own."""
    if force.kind != QUEUE:
        return None
    found = that_counts(force.name, [each for each in read.stores if stands_for(each.match, force.name)])
    return found if found is not None and found.limit is not None and found.limit.value != 0 else None


def shared_disk(read: ClassicFile, version: Version, key: str) -> Figure:
    """The store or the temporary files of all destinations together, by `storeUsage` or `tempUsage`."""
    if key in read.usage:
        return _none_for_0(read.usage[key])
    if leaves_out(read, key, version):
        return _none_of_the_bean(read)
    if key in read.heap_percent:
        return Figure(None, read.heap_percent[key].origin, read.heap_percent[key].text)
    disk = version.model().default(classic_usage, "DEFAULT_DISK")
    return Figure(disk.store if key == "storeUsage" else disk.temp, Origin(part=version.default))


def leaves_out(read: ClassicFile, key: str, version: Version) -> bool:
    """Whether the systemUsage of the file has no limit of this kind, so that there is none (runs of 5.3.1 and 6.1.8).

    The defaults count only for a broker without a systemUsage. A share of 0 per cent is no limit either.
    """
    percent = read.heap_percent.get(key)
    is_said = percent is not None and (percent.value is None or percent.value > 0)
    return bool(version.taken) and read.system is not None and key not in read.usage and not is_said


def _none_of_the_bean(read: ClassicFile) -> Figure:
    return Figure(NO_LIMIT, Origin() if read.system is None else read.system)


def _none_for_0(figure: Figure) -> Figure:
    """The figure with no limit in place of 0, as released brokers read it."""
    return replace(figure, value=NO_LIMIT) if figure.value == 0 else figure


def names(read: ClassicFile) -> list[tuple[str, str]]:
    """Kind and name of every pattern and destination of the file, and `>` of both kinds for all others."""
    found = [(each.kind, each.match) for each in read.entries] + list(read.declared)
    found += [(QUEUE, each.match) for each in read.stores if each.limit is not None]
    found += [(each.kind, each.name) for each in read.forwards if each.origin.line]
    return list(dict.fromkeys([*found, (QUEUE, REST), (TOPIC, REST)]))


def cases(read: ClassicFile, force: InForce, version: Version) -> Iterator[tuple[str, bounds.Case | None, str]]:
    """By kind of producers, their mechanism (None: a figure is unknown), and the limit that it has."""
    own = own_store(read, force)
    is_shared = own is not None and own.is_shared
    for placement, which in zip(placements(read, force), ("persistent", "non-persistent"), strict=True):
        kind = f"producers of {which} messages"
        candidates = list(_limits_met(read, force, version, placement))
        if force.controlled.value == "false" and not candidates:
            why = "flow control is switched off for the destination"
            met = bounds.Memory(force.memory.value or 0, controlled=False, model=version.model()).course(Traffic())
            yield kind, bounds.Open(0, why, ("CLASSIC-MEMORY-6",), met), "none"
            continue
        known = [(name, case) for name, case in candidates if case is not None and case.limit != NO_LIMIT]
        hidden = [f"{name} ({_hidden(read, force, version, name)})" for name, case in candidates if case is None]
        if candidates and all(case is not None and case.limit == NO_LIMIT for _, case in candidates):
            yield (
                kind,
                bounds.Open(NO_LIMIT, "no limit that counts is set", ("CLASSIC-MEMORY-1",)),
                "none",
            )
        elif known:
            name, case = min(known, key=lambda each: each[1].limit)
            alone = {"memoryLimit", *(() if is_shared else (OWN_STORE,))}
            together = {other: found.limit for other, found in known if other not in alone}
            first = first_of({name: case.limit}, {}, Traffic(), together)
            yield kind, case, " or ".join((*hidden, first))
        else:
            yield kind, None, " or ".join(hidden)


def _hidden(read: ClassicFile, force: InForce, version: Version, name: str) -> str:
    """The words for a limit with an unknown figure."""
    return _figures(read, force, version)[name].text or "not known"


def _figures(read: ClassicFile, force: InForce, version: Version) -> dict[str, Figure]:
    """By name, each limit that a destination may meet."""
    own = own_store(read, force)
    return {
        "memoryLimit": replace(force.memory, text=""),
        "memoryUsage": shared_memory(read, version),
        **({OWN_STORE: own.limit} if own is not None and own.limit is not None else {}),
        **{key: shared_disk(read, version, key) for key in ("storeUsage", "tempUsage")},
    }


def takes_memory(read: ClassicFile, force: InForce, version: Version) -> bool:
    """Whether any messages of the destination count against its memory, by the rules of the version."""
    takes = version.model().linked(classic_usage.takes_memory)
    return any(takes(placement) for placement in placements(read, force))


def placements(read: ClassicFile, force: InForce) -> tuple[Placement, Placement]:
    """The places of the destination's persistent messages and of its other messages."""
    is_stored = read.persistent is None or read.persistent.value != "false"
    return Placement(is_stored, force.in_memory), Placement(False, force.in_memory)


def _limits_met(
    read: ClassicFile, force: InForce, version: Version, placement: Placement
) -> Iterator[tuple[str, bounds.Case | None]]:
    """The limits against which messages of a placement count, by the rules of the model."""
    model, own = version.model(), own_store(read, force)
    if force.controlled.value != "false" and model.linked(classic_usage.takes_memory)(placement):
        shared = shared_memory(read, version)
        if force.is_own:
            memory = force.memory.value
            yield "memoryLimit", None if memory is None else bounds.Memory(memory, model=model)
        yield "memoryUsage", None if shared.value is None else bounds.Memory(shared.value, model=model)
    for key, takes, rule in (
        ("storeUsage", classic_usage.takes_store, "CLASSIC-USAGE-1"),
        ("tempUsage", classic_usage.takes_temp, "CLASSIC-USAGE-2"),
    ):
        if key == "storeUsage" and read.database is not None:
            continue
        if key == "storeUsage" and own is not None and own.limit is not None and model.linked(takes)(placement):
            part = own.limit.value and _up_to_the_mark(own.limit.value, read, force)
            yield OWN_STORE, None if part is None else bounds.Shared(part, (rule,), model)
        if model.linked(takes)(placement):
            limit = shared_disk(read, version, key).value
            if key == "storeUsage" and limit is not None and limit != NO_LIMIT:
                limit = _up_to_the_mark(limit, read, force)
            yield key, None if limit is None else bounds.Shared(limit, (rule,), model)


def _up_to_the_mark(limit: int | None, read: ClassicFile, force: InForce) -> int | None:
    """The bytes of the store at which sends to a destination wait; None if they are unknown."""
    entry = entry_for(read, force.kind, force.name)
    mark = entry.store_mark if entry is not None else None
    if mark is None or limit is None:
        return limit
    return None if mark.value is None else -(-limit * mark.value // WHOLE)


def destinations(
    read: ClassicFile, version: Version, traffic: Traffic, wanted: tuple[str, ...] = ()
) -> tuple[Destination, ...]:
    """Every pattern and destination of the file, or the wanted names as queues (as topics after `topic:`)."""
    chosen = [wanted_as(name) for name in wanted] or names(read)

    def explained(kind: str, name: str) -> Destination:
        return _destination(read, in_force(read, kind, name, version), version, traffic)

    return tuple(with_targets(read, kind, name, explained) for kind, name in chosen)


def wanted_as(name: str) -> tuple[str, str]:
    """Kind and name of a destination in an option's notation."""
    kind, colon, rest = name.partition(":")
    return (kind, rest.lstrip("/")) if colon and kind in (QUEUE, TOPIC) else (QUEUE, name)


def _destination(read: ClassicFile, force: InForce, version: Version, traffic: Traffic) -> Destination:
    flows = tuple(
        Flow(
            kind,
            first,
            bounds.unknown(_why_not(read, force, first, version), ("CLASSIC-MEMORY-9",))
            if case is None
            else bounds.worst(case, traffic),
        )
        for kind, case, first in cases(read, force, version)
    )
    shared = shared_memory(read, version)
    waits = _waits(read, force, version, flows)
    verdict = _verdict(force, shared, waits, counted=takes_memory(read, force, version))
    ends = ends_of_a_send(read, force, version).verdict if "sends wait" in verdict else ""
    return Destination(
        f"{force.kind} {force.name}",
        f"{verdict}{ends}",
        tuple(_limits(read, force, version)),
        flows,
    )


def _why_not(read: ClassicFile, force: InForce, first: str, version: Version) -> str:
    """The reason why a worst case is unknown, with the option that gives the missing figure."""
    figures = _figures(read, force, version)
    parts = [figure.text for key, figure in figures.items() if key in first and figure.value is None and figure.text]
    if not parts:
        return "a limit is a placeholder"
    if not any(each in parts[0] for each in ("heap", "disk")):
        return f"it is {' or '.join(parts)}"
    option = "--heap" if "heap" in parts[0] else "--disk"
    return f"it is {' or '.join(parts)} and one message past it; {option} SIZE gives the figure"


def _waits(read: ClassicFile, force: InForce, version: Version, flows: tuple[Flow, ...]) -> str:
    """The limits for which persistent sends and the others wait, with their figures; empty if there is none."""
    figures = {**_figures(read, force, version), "memoryLimit": force.memory}
    in_short = {name: _in_short(figure) for name, figure in figures.items()}
    for name in {"storeUsage", OWN_STORE} & figures.keys():
        until = _up_to_the_mark(figures[name].value, read, force)
        if until != figures[name].value:
            in_short[name] = f"{_in_short(replace(figures[name], value=until))}, its storeUsageHighWaterMark"
    persistent, other = (
        " or ".join(f"{name} ({said})" for name, said in in_short.items() if name in flow.first) for flow in flows
    )
    if persistent == other:
        return f"sends wait for {persistent}" if persistent else ""
    both = (("persistent", persistent), ("other", other))
    return "; ".join(f"{which} sends wait for {limits}" for which, limits in both if limits)


def _in_short(figure: Figure) -> str:
    """A figure with one unit."""
    if figure.value is None and not figure.text:
        return "not known"
    said = _bytes(figure)
    return said.partition(" (")[2].removesuffix(")") if figure.value is not None and " (" in said else said


def _verdict(force: InForce, all_memory: Figure, waits: str, *, counted: bool) -> str:
    if force.controlled.value == "false":
        return "producers are not held back by memory" + (f"; {waits}" if waits else "")
    if force.controlled.value is None:
        return "not known: a placeholder hides whether producers are held back"
    if force.in_memory:
        own = force.memory.value
        is_less = own is not None and all_memory.value is not None and NO_LIMIT != all_memory.value < own
        is_shared = not force.is_own or is_less
        least = all_memory.value if is_shared else own
        shared = ", shared by all destinations" if is_shared else ""
        hidden = all_memory.text if is_shared else ""
        if least is None and (not hidden or hidden.startswith(A_LIMIT)):
            return f"sends wait at {hidden or 'a limit of memory that is not known here'}{shared}"
        limit = hidden if least is None else shown(least)
        if least == NO_LIMIT:
            return "no limit of memory holds a send back" + (f"; {waits}" if waits else "")
        return f"sends wait from {limit} in memory on{shared}"
    moot = "; the memoryLimit stops nobody" if force.is_own and not counted else ""
    return f"messages wait in files: {waits or 'no limit stops a send'}{moot}"


def _limits(read: ClassicFile, force: InForce, version: Version) -> Iterator[Limit]:
    wait = f"A send that finds no space waits. {ends_of_a_send(read, force, version).sentence}"
    if force.is_own:
        if force.controlled.value == "false":
            does = "No effect on producers: flow control is switched off."
        elif not takes_memory(read, force, version):
            does = "Seldom or never reached: the cursor moves messages that wait to files."
        else:
            does = wait
        yield Limit(
            "memoryLimit",
            _bytes(force.memory),
            force.memory.origin,
            does,
            FREES if does == wait else "",
            ("CLASSIC-MEMORY-1",) if does == wait else ("CLASSIC-MEMORY-6", "CLASSIC-MEMORY-7"),
        )
    yield Limit(
        "producerFlowControl",
        force.controlled.value or "not known",
        force.controlled.origin,
        "Whether a full destination holds sends back.",
        "",
        ("CLASSIC-MEMORY-6",),
    )
    if force.kind == QUEUE:
        words = "All messages are kept in memory." if force.in_memory else "Messages that wait go to files."
        in_files = "CLASSIC-MEMORY-7" if force.cursor.origin.line else "CLASSIC-USAGE-8"
        rule = "CLASSIC-USAGE-9" if force.in_memory else in_files
        yield Limit("cursor", force.cursor.value or "not known", force.cursor.origin, words, "", (rule,))
    entry = entry_for(read, force.kind, force.name)
    if entry is not None and (mark := entry.store_mark) is not None:
        text = "not known (a placeholder)" if mark.value is None else f"{mark.value} % of storeUsage"
        does = "From here on persistent messages to this destination wait."
        yield Limit("storeUsageHighWaterMark", text, mark.origin, does, "", ("CLASSIC-USAGE-1",))
    if entry is not None and force.kind == TOPIC and (kept := entry.kept_for_slow) is not None:
        text = "not known (a multiple of the prefetch)" if kept.value is None else counted(kept.value, "messages")
        text = "no limit" if kept.value is not None and kept.value < 0 else text
        does = (
            "The most messages that a subscriber without a durable subscription has beyond its prefetch; the broker "
            "drops older messages for newer ones."
        )
        yield Limit("pendingMessageLimitStrategy", text, kept.origin, does, "", ())
    memory = shared_memory(read, version)
    does = f"All messages in memory of all destinations. {wait}"
    yield Limit("memoryUsage", _bytes(memory), memory.origin, does, FREES, ("CLASSIC-MEMORY-9",))
    own = own_store(read, force)
    if own is not None and own.limit is not None and read.database is None:
        whose = "of all queues in this store" if own.is_shared else "of this queue, which has a store of its own"
        frees = "consumers, once the consumed messages have left the disk"
        does = f"Persistent messages {whose}. {wait}"
        yield Limit(OWN_STORE, _bytes(own.limit), own.limit.origin, does, frees, ("CLASSIC-USAGE-1",))
    for key, words, rule in (
        ("storeUsage", "Persistent messages of all destinations.", "CLASSIC-USAGE-1"),
        ("tempUsage", "Non-persistent messages in files, of all destinations.", "CLASSIC-USAGE-2"),
    ):
        disk = shared_disk(read, version, key)
        frees = "consumers, once the consumed messages have left the disk"
        if key == "storeUsage" and read.database is not None:
            place = WITHOUT_SIZE[read.database.part]
            does = f"It stops nobody: messages are stored {place}, whose size the broker takes for 0."
            yield Limit(key, _bytes(disk), disk.origin, does, "", (rule,))
            continue
        if version.taken and read.persistent is not None and read.persistent.value == "false":
            does = "It stops nobody: the broker is not persistent and keeps everything in memory."
            yield Limit(key, _bytes(disk), disk.origin, does, "", (rule,))
            continue
        yield Limit(key, _bytes(disk), disk.origin, f"{words} {wait}", frees, (rule, "CLASSIC-USAGE-4"))


@dataclass(frozen=True)
class Ends:
    """The end of a send that finds no space: at the end of a verdict (empty: it waits), and in a sentence."""

    verdict: str
    sentence: str


def ends_of_a_send(read: ClassicFile, force: InForce, version: Version) -> Ends:
    """The end of a send that finds no space; the setting of an entry takes precedence over the broker's."""
    entry = entry_for(read, force.kind, force.name)
    at_once = entry.fails_at_once if entry is not None and entry.fails_at_once is not None else read.fails_at_once
    after = entry.fails_after_ms if entry is not None and entry.fails_after_ms is not None else read.fails_after_ms
    if at_once is not None and at_once.value == "true":
        return Ends(
            "; they fail at once instead", "Instead, one that is sent synchronously fails at once (sendFailIfNoSpace)."
        )
    ms = 0 if after is None or after.value is None else after.value
    if ms > 0 and not version.model().linked(time_counts)(force.kind == TOPIC):
        says = "It waits for ever if nobody consumes: sendFailIfNoSpaceAfterTimeout has no effect on topics."
        return Ends("", says)
    if ms > 0:
        return Ends(f"; they fail after {ms:,} ms", f"After {ms:,} ms it fails (sendFailIfNoSpaceAfterTimeout).")
    return Ends("", "It waits for ever if nobody consumes.")


def _bytes(figure: Figure) -> str:
    if figure.value is None:
        return figure.text or "not known (a placeholder)"
    return "no limit" if figure.value == NO_LIMIT else shown(figure.value)
