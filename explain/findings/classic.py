"""Finds errors in an activemq.xml."""

from collections.abc import Iterator

from tidegate.explain.compose import classic as compose
from tidegate.explain.compose.classic_forwarding import keeps_nothing
from tidegate.explain.findings import classic_matches
from tidegate.explain.findings.units import LEAST, in_bits, is_tiny
from tidegate.explain.machine import WHOLE
from tidegate.explain.matching.classic import REST
from tidegate.explain.read.classic import PORTION, REMOVED_IN, TIMEOUT, WITHOUT_SIZE, ClassicFile, PolicyEntry
from tidegate.explain.read.classic_virtual import QUEUE, TOPIC
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Figure, Finding, Origin, Stopping, Traffic
from tidegate.model.mechanisms.classic import NO_LIMIT, time_counts

JOURNAL_FILE = 32 * 1024 * 1024
"""The default size, in bytes, of one file of the store's journal (KahaDB)."""
SHORTEST = 50
"""A time below this, in ms, is more likely meant in seconds."""
FIRST_WITH_STORES = "5.15.0"
"""The release since which a store of a mKahaDB may have a limit."""
FIRST_WITH_TIMEOUT = "5.3.1"
"""The release since which a send can fail after a timeout (CLASSIC-FAIL-3)."""


def findings(read: ClassicFile, version: Version, traffic: Traffic) -> tuple[Finding, ...]:
    """All findings by line."""
    found = [*_shared(read), *_failing(read, version), *classic_matches.findings(read), *_disk(read, traffic)]
    found += [*_together(read, version)]
    found += [*_of_a_database(read), *_left_out(read, version)]
    removed_in = "" if read.old_store is None else REMOVED_IN[read.old_store.part]
    if read.old_store is not None and version.taken and not version.is_before(removed_in):
        says = f"{read.old_store.part} is not known since {removed_in}: a broker refuses to start with it."
        found.append(Finding(read.old_store, "", Stopping(says)))
    found += [*_stores(read, version), *_split(read), *_of_virtual_ones(read)]
    found += [Finding(origin, "CLASSIC-MEMORY-1", says) for origin, says in read.misnamed]
    for entry in read.entries:
        found += _entry(read, entry, version, traffic)
    once: dict[tuple[int, str, str], Finding] = {}
    for each in found:  # the entry of all others counts for queues and for topics
        once.setdefault((each.origin.line, each.rule, each.sentence), each)
    return tuple(sorted(once.values(), key=lambda each: (each.origin.line, each.rule)))


def _of_virtual_ones(read: ClassicFile) -> Iterator[Finding]:
    """Memory limits of destinations that keep no message."""
    for entry in read.entries:
        if entry.memory is not None and keeps_nothing(read, entry.kind, entry.match):
            sentence = (
                f"memoryLimit stops nobody at {entry.kind} {entry.match}, which passes each message on and keeps none: "
                "the limits of the destinations behind it count."
            )
            yield Finding(entry.memory.origin, "", sentence)


def _of_a_database(read: ClassicFile) -> Iterator[Finding]:
    store = read.usage.get("storeUsage", read.heap_percent.get("storeUsage"))
    if read.database is not None and store is not None:
        sentence = (
            f"storeUsage has no effect: messages are stored {WITHOUT_SIZE[read.database.part]} (line "
            f"{read.database.line}), whose size the broker takes for 0."
        )
        yield Finding(store.origin, "CLASSIC-USAGE-1", sentence)


def _left_out(read: ClassicFile, version: Version) -> Iterator[Finding]:
    """The limits that the systemUsage of the file leaves out, and which therefore do not exist."""
    missing = [key for key in ("memoryUsage", *_files_of(read)) if compose.leaves_out(read, key, version)]
    if missing and read.system is not None:
        names = " and no ".join(missing)
        sentence = f"this systemUsage has no {names}, so there is no such limit: the defaults count only without one."
        yield Finding(read.system, "", sentence)


def _files_of(read: ClassicFile) -> tuple[str, ...]:
    """The limits of files that a broker watches: none if it is not persistent."""
    if read.persistent is not None and read.persistent.value == "false":
        return ()
    return ("tempUsage",) if read.database is not None else ("storeUsage", "tempUsage")


def _split(read: ClassicFile) -> Iterator[Finding]:
    share = read.producers
    if share is not None and share.value is not None and not 0 < share.value <= WHOLE:
        does = "producers may fill the whole memory" if share.value <= 0 else "it is more than the whole memory"
        yield Finding(share.origin, "CLASSIC-MEMORY-9", f"{PORTION} is {share.value} %: {does}.")


def _together(read: ClassicFile, version: Version) -> Iterator[Finding]:
    """Named queues and topics whose limits add up to more than the shared memory."""
    shared, total = compose.shared_memory(read, version), 0
    for entry in read.entries:
        is_one = not {"*", REST} & set(entry.match)
        own = entry.memory.value if entry.memory is not None and is_one else None
        force = compose.in_force(read, entry.kind, entry.match, version)
        if not own or not force.in_memory or force.controlled.value == "false" or entry.memory is None:
            continue
        before, total = total, total + own
        if shared.value is not None and own <= shared.value != NO_LIMIT and before <= shared.value < total:
            sentence = (
                f"with this one the memoryLimits of named destinations are {shown(total)} together, more than all may "
                f"have ({shown(shared.value)}): some of them, when full, hold back every other one."
            )
            yield Finding(entry.memory.origin, "CLASSIC-MEMORY-9", sentence)


def _disk(read: ClassicFile, traffic: Traffic) -> Iterator[Finding]:
    rules = {"memoryUsage": "CLASSIC-MEMORY-9", "storeUsage": "CLASSIC-USAGE-1", "tempUsage": "CLASSIC-USAGE-2"}
    for key, figure in read.usage.items():
        if figure.value == 0:
            sentence = f"{key} 0 is no limit: released brokers take it for not set."
            yield Finding(figure.origin, rules[key], sentence)
        elif figure.value is not None and is_tiny(figure.value, traffic):
            sentence = f"{key} ({shown(figure.value)}) is less than one message of {shown(traffic.size)}."
            yield Finding(figure.origin, rules[key], f"{sentence} Is a unit missing?")
    for key, percent in read.heap_percent.items():
        if percent.value == WHOLE and key == "memoryUsage":
            sentence = (
                "memoryUsage is the whole heap, and nothing is left for the broker itself: it runs out of memory "
                "before a send waits."
            )
            yield Finding(percent.origin, rules[key], sentence)
        if percent.value is not None and not 0 < percent.value <= WHOLE:
            sentence = f"{key} is {percent.value} %: expected a part of the whole, from 1 to {WHOLE}."
            yield Finding(percent.origin, rules[key], sentence)
    store = read.usage.get("storeUsage")
    is_stored = read.persistent is None or read.persistent.value != "false"
    most = max(map(_bytes_of_a_file, (each.journal_file for each in read.stores)), default=-1)
    most = _bytes_of_a_file(read.journal_file) if most < 0 else most
    if is_stored and store is not None and store.value is not None and LEAST <= store.value < most:
        sentence = (
            f"storeUsage ({shown(store.value)}) is less than one file of the journal ({shown(most)}): the store counts "
            "whole files, so that persistent sends may wait for an empty one."
        )
        yield Finding(store.origin, "CLASSIC-USAGE-1", sentence)
    temp = read.usage.get("tempUsage")
    if temp is not None and temp.value is not None and LEAST <= temp.value < JOURNAL_FILE:
        sentence = (
            f"tempUsage ({shown(temp.value)}) is less than one file of the temporary store ({shown(JOURNAL_FILE)}), "
            "which then takes no message."
        )
        yield Finding(temp.origin, "CLASSIC-USAGE-2", sentence)
    yield from in_bits(read.usage.values(), "CLASSIC-MEMORY-9")
    yield from in_bits((each.memory for each in read.entries if each.memory is not None), "CLASSIC-MEMORY-1")


def _bytes_of_a_file(journal: Figure | None) -> int:
    """The bytes of one file of a journal, 0 if they are unknown."""
    return JOURNAL_FILE if journal is None else journal.value or 0


def _stores(read: ClassicFile, version: Version) -> Iterator[Finding]:
    """Limits of the stores of a mKahaDB that stop nobody, or stop producers of an empty queue."""
    whole = read.usage.get("storeUsage")
    for store in read.stores:
        limit, most = store.limit, _bytes_of_a_file(store.journal_file)
        if limit is None:
            continue
        if version.is_before(FIRST_WITH_STORES):
            sentence = f"the usage of a filteredKahaDB is not known before {FIRST_WITH_STORES}."
            yield Finding(limit.origin, "CLASSIC-USAGE-1", sentence)
        elif limit.value == 0:
            yield Finding(limit.origin, "CLASSIC-USAGE-1", "a limit of 0 of a store is no limit.")
        elif limit.value is not None and whole is not None and whole.value and limit.value > whole.value:
            sentence = (
                f"the limit of this store ({shown(limit.value)}) has no effect: all stores together may have "
                f"{shown(whole.value)}."
            )
            yield Finding(limit.origin, "CLASSIC-USAGE-1", sentence)
        elif limit.value is not None and LEAST <= limit.value < most:
            sentence = (
                f"the limit of this store ({shown(limit.value)}) is less than one file of its journal ({shown(most)}): "
                "the store counts whole files, so that persistent sends may wait for an empty one."
            )
            yield Finding(limit.origin, "CLASSIC-USAGE-1", sentence)


def _entry(read: ClassicFile, entry: PolicyEntry, version: Version, traffic: Traffic) -> Iterator[Finding]:
    counts = compose.entry_for(read, entry.kind, entry.match)
    if counts is not None and counts is not entry:
        sentence = (
            f"line {counts.origin.line} has another entry for {entry.kind} {entry.match}: a broker takes either of the "
            "two, and which one is left to chance."
        )
        yield Finding(entry.origin, "CLASSIC-MEMORY-1", sentence)
        return
    mark = entry.store_mark
    if mark is not None and mark.value is not None and not 0 < mark.value <= WHOLE:
        does = "every persistent send waits" if mark.value <= 0 else "the store grows past its limit"
        yield Finding(mark.origin, "CLASSIC-USAGE-1", f"storeUsageHighWaterMark is {mark.value} %: {does}.")
    force = compose.in_force(read, entry.kind, entry.match, version)
    if entry.cursor is not None and entry.cursor.value == "file" and force.in_memory and entry.kind == QUEUE:
        sentence = "a cursor with files has no effect: the broker is not persistent and keeps everything in memory."
        yield Finding(entry.cursor.origin, "CLASSIC-MEMORY-7", sentence)
    memory, shared = entry.memory, compose.shared_memory(read, version)
    if force.controlled.value == "false":
        if memory is not None and memory.value:
            yield Finding(memory.origin, "CLASSIC-MEMORY-6", "memoryLimit stops nobody: producerFlowControl is false.")
        elif force.in_memory and entry.controlled is not None:
            sentence = (
                "producerFlowControl is false and messages are kept in memory: no limit of memory stops producers."
            )
            yield Finding(entry.controlled.origin, "CLASSIC-MEMORY-6", sentence)
        return
    if memory is None or memory.value is None:
        return
    if memory.value == 0:
        sentence = "memoryLimit 0 is no limit of this destination: released brokers take it for not set."
        yield Finding(memory.origin, "CLASSIC-MEMORY-1", sentence)
    elif not compose.takes_memory(read, force, version):
        sentence = (
            "memoryLimit stops hardly anybody: the file cursor moves messages that wait out of memory; with "
            "vmQueueCursor it would."
        )
        yield Finding(memory.origin, "CLASSIC-MEMORY-7", sentence)
    if is_tiny(memory.value, traffic) and (force.in_memory or compose.takes_memory(read, force, version)):
        sentence = (
            f"memoryLimit ({shown(memory.value)}) is less than one message of {shown(traffic.size)}: each message "
            "fills the destination. Is a unit missing?"
        )
        yield Finding(memory.origin, "CLASSIC-MEMORY-1", sentence)
    if shared.value is not None and memory.value > shared.value != NO_LIMIT:
        sentence = (
            f"memoryLimit ({shown(memory.value)}) is more than all destinations may have ({shown(shared.value)})."
        )
        yield Finding(memory.origin, "CLASSIC-MEMORY-9", sentence)


def _failing(read: ClassicFile, version: Version) -> Iterator[Finding]:
    at_once, after = read.fails_at_once, read.fails_after_ms
    is_at_once = at_once is not None and at_once.value == "true"
    nobody_waits = bool(read.entries) and all(
        compose.in_force(read, each.kind, each.match, version).controlled.value == "false" for each in read.entries
    )
    if after is not None and is_at_once and after.value:
        sentence = f"{TIMEOUT} has no effect: sendFailIfNoSpace lets sends fail at once."
        yield Finding(after.origin, "CLASSIC-FAIL-5", sentence)
    if after is not None and after.value and version.is_before(FIRST_WITH_TIMEOUT):
        sentence = f"{TIMEOUT} is not known before {FIRST_WITH_TIMEOUT}."
        yield Finding(after.origin, "CLASSIC-FAIL-3", sentence)
    is_late = after is not None and _is_time(after) and not is_at_once
    if after is not None and is_late and _is_without_time_on_topics(read, version):
        sentence = f"{TIMEOUT} has no effect on topics: a send that waits for space on one never fails."
        yield Finding(after.origin, "CLASSIC-FAIL-3", sentence)
    for each in (after, *(entry.fails_after_ms for entry in read.entries)):
        if each is not None and each.value and 0 < each.value < SHORTEST:
            sentence = f"{TIMEOUT} is {each.value} ms: is it meant in seconds?"
            yield Finding(each.origin, "CLASSIC-FAIL-3", sentence)
        elif each is not None and each.value and each.value < 0:
            sentence = f"{TIMEOUT} has no effect: {each.value} ms is no time, and a send without space waits for ever."
            yield Finding(each.origin, "CLASSIC-FAIL-3", sentence)
    yield from _some_senders(read)
    if at_once is not None and is_at_once:
        if nobody_waits:
            sentence = "sendFailIfNoSpace has no effect on memory: no destination of the file has flow control."
            yield Finding(at_once.origin, "CLASSIC-FAIL-1", sentence)
        else:
            sentence = (
                "sendFailIfNoSpace concerns synchronous sends only: non-persistent messages are sent without waiting "
                "for an answer, and their senders are not told."
            )
            yield Finding(at_once.origin, "CLASSIC-SEND-2", sentence)


def _is_without_time_on_topics(read: ClassicFile, version: Version) -> bool:
    """Whether sends to a topic with its own entry wait for ever, even with a configured timeout."""
    has_topics = any(entry.kind == TOPIC for entry in read.entries)
    return has_topics and not version.model().linked(time_counts)(True)


def _some_senders(read: ClassicFile) -> Iterator[Finding]:
    """Entries whose sends fail while sends to other destinations wait."""
    of_all = read.fails_at_once is not None and read.fails_at_once.value == "true"
    of_all = of_all or _is_time(read.fails_after_ms)
    own = [(entry, _fails(entry)) for entry in read.entries]
    if of_all or all(figure is not None for _, figure in own):
        return
    for entry, origin in own:
        if origin is not None:
            sentence = (
                f"sends to {entry.match} fail for want of space while sends to every other destination wait without "
                "end: systemUsage says nothing for them."
            )
            rule = (
                "CLASSIC-FAIL-1" if entry.fails_at_once and origin == entry.fails_at_once.origin else "CLASSIC-FAIL-3"
            )
            yield Finding(origin, rule, sentence)


def _fails(entry: PolicyEntry) -> Origin | None:
    if entry.fails_at_once is not None and entry.fails_at_once.value == "true":
        return entry.fails_at_once.origin
    after = entry.fails_after_ms
    return after.origin if after is not None and _is_time(after) else None


def _is_time(after: Figure | None) -> bool:
    """Whether sends fail after a time; a time of 0 or less lets them wait for ever."""
    return after is not None and after.value is not None and after.value > 0


def _shared(read: ClassicFile) -> Iterator[Finding]:
    is_stored = read.persistent is None or read.persistent.value != "false"
    for key, rule in (("storeUsage", "CLASSIC-USAGE-1"), ("tempUsage", "CLASSIC-USAGE-2")):
        figure = read.usage.get(key) or read.heap_percent.get(key)
        if figure is not None and not is_stored:
            sentence = f"{key} has no effect: the broker is not persistent and keeps everything in memory."
            yield Finding(figure.origin, rule, sentence)
    memory, temp = read.usage.get("memoryUsage"), read.usage.get("tempUsage")
    if (
        memory is not None
        and temp is not None
        and memory.value
        and temp.value
        and JOURNAL_FILE <= temp.value < memory.value
    ):
        sentence = (
            f"tempUsage ({shown(temp.value)}) is less than memoryUsage ({shown(memory.value)}): what leaves memory "
            "does not fit into files, and producers of non-persistent messages wait early."
        )
        yield Finding(temp.origin, "CLASSIC-USAGE-2", sentence)
