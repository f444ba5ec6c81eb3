"""Finds matches of a broker.xml that stand for other addresses than they seem to."""

from collections.abc import Iterator
from itertools import combinations

from tidegate.explain.compose import artemis as compose
from tidegate.explain.matching.artemis import (
    REST,
    is_left_to_chance,
    is_refused,
    stands_for,
)
from tidegate.explain.matching.spelling import respelt
from tidegate.explain.read.artemis_file import FIRST_COUNTS, AddressSetting, ArtemisFile
from tidegate.explain.versions import Version
from tidegate.explain.vocabulary import Figure, Finding, Stopping, Word

RULE = "ARTEMIS-BLOCK-1"
_PREFIXES = ("jms.queue.", "jms.topic.")
"""Prefixes that clients of Artemis 1 put before the names of addresses."""


def findings(read: ArtemisFile, version: Version) -> Iterator[Finding]:
    """The findings about matches, in no order."""
    yield from _matches(read)
    for name in compose.names(read):
        yield from _left_to_chance(read, name)


def _left_to_chance(read: ArtemisFile, name: str) -> Iterator[Finding]:
    """Two matches that set the same key of an address differently, if the broker may take either of them first."""
    decided: set[str] = set()
    chain = compose.chain(read, name)
    for one, other in combinations(chain, 2):
        ours: dict[str, Figure | Word] = {**one.figures, **one.policies}
        theirs: dict[str, Figure | Word] = {**other.figures, **other.policies}
        if is_left_to_chance(one.match, other.match):
            for key in ours.keys() & theirs.keys() - decided:
                if ours[key].value != theirs[key].value:
                    first, second = sorted((ours[key].origin, theirs[key].origin), key=lambda each: each.line)
                    sentence = (
                        f"{key} of {name} is left to chance: {one.match} and {other.match} are equally specific, and "
                        f"line {first.line} sets another value."
                    )
                    yield Finding(second, RULE, sentence)
        decided |= ours.keys()


def _matches(read: ArtemisFile) -> Iterator[Finding]:
    for setting, other in read.overridden:
        sentence = (
            f"the settings of {setting.match} have no effect: line {other.line} sets others for the same match, and "
            f"the first ones count (before {FIRST_COUNTS} the last ones)."
        )
        yield Finding(setting.origin, RULE, sentence)
    for setting in read.settings:
        words = setting.match.split(".")
        if is_refused(setting.match):
            sentence = f"a broker refuses to start with {setting.match}: # may stand at the end of a match only."
            yield Finding(setting.origin, RULE, Stopping(sentence))
        elif ">" in words:
            sentence = f"{setting.match} is the name of one address: > stands for nothing, # for any number of words."
            yield Finding(setting.origin, RULE, sentence)
        governed = [name for name, _ in read.addresses if stands_for(setting.match, name)]
        meant = next((name for name, _ in read.addresses if not governed and _is_near(setting.match, name)), None)
        if meant is not None:
            sentence = (
                f"{setting.match!r} does not stand for the address {meant!r}: names are told apart by capital letters, "
                "blanks and prefixes."
            )
            yield Finding(setting.origin, RULE, sentence)
        near = None if governed or meant is not None else _misspelt(read, setting.match)
        if near is not None:
            sentence = f"{setting.match!r} stands for no address of the file: is {near!r} meant?"
            yield Finding(setting.origin, RULE, sentence)
        others = {name: _more_specific(read, name, setting) for name in governed}
        if governed and setting.match != REST and all(others.values()):
            lines = ", ".join(sorted({f"line {other.origin.line}" for other in others.values() if other}))
            sentence = (
                f"the settings for {setting.match} are in force at no address of the file: each address has "
                f"more specific settings ({lines})."
            )
            yield Finding(setting.origin, RULE, sentence)


def _misspelt(read: ArtemisFile, match: str) -> str | None:
    """The address of the file that a match stands for but for a letter or two, if only # stands for it."""
    for name, _ in read.addresses:
        is_free = all(each.match in (REST, match) for each in compose.chain(read, name))
        if is_free and any(stands_for(each, name) for each in respelt(match, name)):
            return name
    return None


def _is_near(match: str, name: str) -> bool:
    """Whether a match would stand for a name, but for capitals, blanks or the prefix of an old client."""
    plain = match.strip().lower()
    short = next((plain.removeprefix(each) for each in _PREFIXES if plain.startswith(each)), plain)
    return any(each != REST and stands_for(each, name.lower()) for each in (plain, short))


def _more_specific(read: ArtemisFile, name: str, setting: AddressSetting) -> AddressSetting | None:
    """The more specific setting that sets everything that `setting` sets for a name; None if there is none."""
    before = compose.chain(read, name)
    before = [each for each in before[: before.index(setting)] if not is_left_to_chance(each.match, setting.match)]
    keys = {*setting.figures, *setting.policies}
    return next((each for each in before if keys and keys <= {*each.figures, *each.policies}), None)
