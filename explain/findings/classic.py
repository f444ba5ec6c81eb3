"""What is wrong in an activemq.xml."""

from collections.abc import Iterator

from tidegate.explain.compose import classic as compose
from tidegate.explain.read.classic import TIMEOUT, ClassicFile, PolicyEntry
from tidegate.explain.sizes import shown
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Finding, Traffic

FIRST_WITH_TIMEOUT = "5.3.1"
"""The release since which a send can fail after a time (CLASSIC-FAIL-3)."""


def findings(read: ClassicFile, version: Version, traffic: Traffic) -> tuple[Finding, ...]:
    """Everything that is found, by line."""
    found = [*_shared(read), *_failing(read, version)]
    for entry in read.entries:
        found += _entry(read, entry, version)
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.origin.line, each.rule)))


def _entry(read: ClassicFile, entry: PolicyEntry, version: Version) -> Iterator[Finding]:
    counts = compose.entry_for(read, entry.kind, entry.match)
    if counts is not None and counts is not entry:
        sentence = (
            f"the entry has no effect: line {counts.origin.line} sets another one for {entry.kind} {entry.match}."
        )
        yield Finding(entry.origin, "CLASSIC-MEMORY-1", sentence)
        return
    force = compose.in_force(read, entry.kind, entry.match, version)
    memory, shared = entry.memory, compose.shared_memory(read, version)
    if force.controlled.value == "false":
        if memory is not None and memory.value:
            yield Finding(memory.origin, "CLASSIC-MEMORY-6", "memoryLimit stops nobody: producerFlowControl is false.")
        elif force.in_memory and entry.controlled is not None:
            sentence = "producerFlowControl is false and messages are kept in memory: nothing stops producers."
            yield Finding(entry.controlled.origin, "CLASSIC-MEMORY-6", sentence)
        return
    if memory is None or memory.value is None:
        return
    if memory.value == 0:
        sentence = "memoryLimit 0 is no limit of this destination: released brokers take it for not set."
        yield Finding(memory.origin, "CLASSIC-MEMORY-1", sentence)
    elif not force.in_memory:
        sentence = (
            "memoryLimit stops hardly anybody: the file cursor moves messages that wait out of memory; with "
            "vmQueueCursor it would."
        )
        yield Finding(memory.origin, "CLASSIC-MEMORY-7", sentence)
    if shared.value is not None and memory.value > shared.value:
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


def _shared(read: ClassicFile) -> Iterator[Finding]:
    for key, percent in read.heap_percent.items():
        if key in read.usage:
            rule = "CLASSIC-MEMORY-9" if key == "memoryUsage" else "CLASSIC-USAGE-1"
            sentence = f"{key} is given in bytes and in percent; only one of the two is taken."
            yield Finding(percent.origin, rule, sentence)
    if read.persistent is not None and read.persistent.value == "false" and "storeUsage" in read.usage:
        sentence = "storeUsage has no effect: the broker is not persistent and stores nothing."
        yield Finding(read.usage["storeUsage"].origin, "CLASSIC-USAGE-1", sentence)
    memory, temp = read.usage.get("memoryUsage"), read.usage.get("tempUsage")
    if memory is not None and temp is not None and memory.value and temp.value and temp.value < memory.value:
        sentence = (
            f"tempUsage ({shown(temp.value)}) is less than memoryUsage ({shown(memory.value)}): what leaves memory "
            "does not fit into files, and producers of non-persistent messages wait early."
        )
        yield Finding(temp.origin, "CLASSIC-USAGE-2", sentence)
