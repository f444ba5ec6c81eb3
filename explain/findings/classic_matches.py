"""Finds entries of an activemq.xml that stand for other destinations than they seem to."""

from collections.abc import Iterator
from itertools import combinations

from tidegate.explain.compose import classic as compose
from tidegate.explain.matching.classic import ONE, REST, is_left_to_chance, stands_for, that_counts
from tidegate.explain.matching.spelling import respelt
from tidegate.explain.read.classic import ClassicFile, PolicyEntry
from tidegate.explain.vocabulary import Finding

RULE = "CLASSIC-MEMORY-1"


def findings(read: ClassicFile) -> Iterator[Finding]:
    """The findings about patterns of entries, in no order."""
    yield from _matches(read)
    yield from _not_merged(read)
    yield from _of_the_other_kind(read)
    yield from _left_to_chance(read)


def _left_to_chance(read: ClassicFile) -> Iterator[Finding]:
    """Entries of which a broker may take either one for the destinations of both patterns."""
    for one, other in combinations(read.entries, 2):
        if one.kind != other.kind or one.match == other.match or _values(one) == _values(other):
            continue
        if is_left_to_chance(one.match, other.match):
            sentence = (
                f"for names that both {one.match} (line {one.origin.line}) and {other.match} stand for, a broker takes "
                f"either entry, and which one is left to chance."
            )
            yield Finding(other.origin, RULE, sentence)


def _values(entry: PolicyEntry) -> tuple[object, ...]:
    """The values that an entry sets, without their lines."""
    said = (entry.memory, entry.controlled, entry.cursor, entry.fails_at_once, entry.fails_after_ms, entry.store_mark)
    return tuple(None if each is None else each.value for each in said)


def _matches(read: ClassicFile) -> Iterator[Finding]:
    for origin in read.without_destination:
        yield Finding(origin, RULE, "the entry has no effect: it names no queue and no topic.")
    for entry in read.entries:
        words = entry.match.split(".")
        if "://" in entry.match:
            sentence = f"{entry.match} is no name of a {entry.kind}: the text before :// is no part of a name."
            yield Finding(entry.origin, RULE, sentence)
        elif "#" in words:
            sentence = (
                f"{entry.match} is the name of one {entry.kind}: # stands for nothing, > for any number of words."
            )
            yield Finding(entry.origin, RULE, sentence)
        elif REST in words[:-1]:
            says = (
                f"{entry.match} does not match the names that it seems to match: > means further words only at the end."
            )
            yield Finding(entry.origin, RULE, says)
        elif part := next((word for word in words if len(word) > 1 and set(word) & {ONE, REST}), None):
            sentence = f"{part} is a word like any other: * and > stand for whole words only."
            yield Finding(entry.origin, RULE, sentence)
        governed = [name for kind, name in read.declared if kind == entry.kind and stands_for(entry.match, name)]
        counts = [compose.entry_for(read, entry.kind, name) for name in governed]
        is_same = any(each is not None and each.match == entry.match for each in counts)
        if governed and entry.match != REST and not is_same:
            lines = ", ".join(sorted({f"line {each.origin.line}" for each in counts if each is not None}))
            sentence = (
                f"{entry.match} is in force at no {entry.kind} that the file names: a more specific entry counts for "
                f"each of them, and counts whole ({lines}). Other {entry.kind}s of {entry.match} do have its settings."
            )
            yield Finding(entry.origin, RULE, sentence)


def _not_merged(read: ClassicFile) -> Iterator[Finding]:
    """Entries that lack the memoryLimit of a wider entry, and therefore have none."""
    for entry in read.entries:
        if entry.memory is not None or (entry.controlled is not None and entry.controlled.value != "true"):
            continue
        wider = [
            each
            for each in read.entries
            if each.kind == entry.kind and each.match != entry.match
            and stands_for(each.match, entry.match)
        ]  # fmt: skip
        limited = that_counts(entry.match, (each for each in wider if each.memory is not None))
        if limited is not None and limited.memory is not None and limited.memory.value:
            sentence = (
                f"{entry.kind} {entry.match} has no memoryLimit: entries are not merged, so the memoryLimit of "
                f"{limited.match} (line {limited.memory.origin.line}) does not apply to it."
            )
            yield Finding(entry.origin, RULE, sentence)


def _of_the_other_kind(read: ClassicFile) -> Iterator[Finding]:
    """Entries for a queue that the file declares as a topic, or the reverse."""
    declared = set(read.declared)
    for entry in read.entries:
        other = {"queue": "topic", "topic": "queue"}[entry.kind]
        if (other, entry.match) in declared and (entry.kind, entry.match) not in declared:
            sentence = f"the entry is one for a {entry.kind}, and the file declares {entry.match} as a {other}."
            yield Finding(entry.origin, RULE, sentence)
        small = entry.match.lower()
        governed = any(kind == entry.kind and stands_for(entry.match, name) for kind, name in declared)
        meant = next(
            (
                name
                for kind, name in read.declared
                if kind == entry.kind and small != entry.match and stands_for(small, name.lower())
            ),
            None,
        )
        if meant is not None and not governed:
            sentence = f"{entry.match} does not stand for {meant}: names are told apart by capital letters."
            yield Finding(entry.origin, RULE, sentence)
        elif not governed and (near := _misspelt(read, entry)) is not None:
            sentence = f"{entry.match} stands for no {entry.kind} of the file: is {near} meant?"
            yield Finding(entry.origin, RULE, sentence)


def _misspelt(read: ClassicFile, entry: PolicyEntry) -> str | None:
    """The declared destination that an entry stands for but for a letter or two, if only > stands for it."""
    for kind, name in read.declared:
        counts = compose.entry_for(read, kind, name)
        is_free = counts is None or counts.match == REST
        if kind == entry.kind and is_free and any(stands_for(each, name) for each in respelt(entry.match, name)):
            return name
    return None
