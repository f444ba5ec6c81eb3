"""Shows an explanation on a terminal of 80 columns, and gives it as data."""

import textwrap
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import asdict, replace
from typing import Any, TypeVar

from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Bound, Destination, Explanation, Limit, Origin, Traffic
from tidegate.record.counts import counted

WIDTH = 80
MOST_NAMES = 12
"""The most names of destinations with the same limits that the text lists; `--json` has all of them."""
Said = TypeVar("Said", bound=Hashable)


def lines(explanation: Explanation, traffic: Traffic, targets: dict[tuple[str, str], str]) -> Iterator[str]:
    """A line with the verdict for each destination, then findings and notes, other releases, and the details."""
    yield from _wrapped(f"{explanation.file}: {explanation.broker}")
    yield ""
    if explanation.refused_at:
        yield from _refused(explanation)
        yield ""
    for verdict, names in _together((each.verdict, each.name) for each in explanation.destinations):
        yield from _wrapped(f"{_of_several(names)}  {verdict}")
    if explanation.destinations:
        yield ""
    yield from _findings(explanation)
    for note in explanation.notes:
        yield from _wrapped(f"Note: {note}")
    if explanation.otherwise:
        yield ""
        yield "Another release would treat this file differently (name yours with --broker):"
    for other in explanation.otherwise:
        yield from _wrapped(other, 2)
    alike = [(_without_name(each, targets), each.name) for each in explanation.destinations]
    for (destination, aims), names in _together(alike):
        yield ""
        yield from _wrapped(_of_several(names))
        yield from _details(destination, traffic, dict(aims))


def _refused(explanation: Explanation) -> Iterator[str]:
    """The lines that keep a broker from starting, before everything else."""
    of_one_file = len({each.rpartition(":")[0] for each in explanation.refused_at}) == 1
    places = [each.rpartition(":")[2] if of_one_file else each for each in explanation.refused_at]
    where = f"line{'s' * (len(places) > 1)} {', '.join(places)}" if of_one_file else ", ".join(places)
    then = "What follows holds once that is mended." if explanation.destinations else "No limit of it is in force."
    yield from _wrapped(f"A broker refuses to start with this file, because of {where}. {then}")


def _of_several(names: list[str]) -> str:
    """Names of destinations with the same limits; of very many only the first ones, with their number."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more with the same limits"


def _findings(explanation: Explanation) -> Iterator[str]:
    if not explanation.findings and not explanation.destinations:
        return
    if not explanation.findings:
        yield from _wrapped(
            "Nothing found: each setting has an effect, none contradicts another, and none stops producers for good."
        )
        return
    yield "Found: settings without effect, contradictions, or producers stopped for good:"
    for finding in explanation.findings:
        yield from _wrapped(f"{finding.origin.file}:{finding.origin.line}  {finding.sentence}{_cited(finding.rule)}", 2)


def _cited(*rules: str) -> str:
    """The rules in brackets, behind a blank; empty if no rule speaks of it."""
    found = [rule for rule in rules if rule]
    return f" [{', '.join(found)}]" if found else ""


def _together(said: Iterable[tuple[Said, str]]) -> Iterator[tuple[Said, list[str]]]:
    """Each text about destinations once, with the names of all of them, in the order of the first ones."""
    found: dict[Said, list[str]] = {}
    for words, name in said:
        found.setdefault(words, []).append(name)
    yield from found.items()


def _without_name(
    destination: Destination, targets: dict[tuple[str, str], str]
) -> tuple[Destination, tuple[tuple[str, str], ...]]:
    """The text about a destination, and its targets by kind of producers."""
    aims = tuple((kind, says) for (name, kind), says in targets.items() if name == destination.name)
    return replace(destination, name=""), aims


def _details(destination: Destination, traffic: Traffic, targets: dict[str, str]) -> Iterator[str]:
    yield "  Limits"
    for limit in destination.limits:
        yield from _limit(limit)
    yield f"  Worst case for {counted(traffic.producers, 'producers')} of {counted(traffic.size, 'bytes')} a message"
    for flow in destination.flows:
        yield from _wrapped(f"{flow.producers}: {_worst(flow.bound)}", 4)
        yield from _wrapped(f"reached first: {flow.first}", 6)
        yield from _wrapped(f"{flow.bound.because}{_cited(*flow.bound.rules)}", 6)
        yield from _shown_by(flow.bound)
        target = targets.get(flow.producers)
        if target is not None:
            yield from _wrapped(target, 6)


def _shown_by(bound: Bound) -> Iterator[str]:
    for number, step in enumerate(bound.witness, 1):
        yield from _wrapped(f"{number}. {step}", 8)
    if bound.reached is not None and bound.bytes is not None:
        is_all = bound.reached == bound.bytes
        share = "the bound itself" if is_all else f"{100 * bound.reached / max(bound.bytes, 1):.1f} % of the bound"
        yield from _wrapped(f"reached by these steps: {shown(bound.reached)}, {share}", 6)
    if bound.proved:
        yield from _wrapped(f"proved for any number of producers, limit and size: {', '.join(bound.proved)}", 6)


def _limit(limit: Limit) -> Iterator[str]:
    yield from _wrapped(f"{limit.name} = {limit.shown}  ({limit.origin})", 4)
    released = f" Producers are released by {limit.frees}." if limit.frees else ""
    yield from _wrapped(f"{limit.does}{released}{_cited(*limit.rules)}", 6)


def _worst(bound: Bound) -> str:
    if bound.bytes is None or bound.messages is None:
        return "no bound" if bound.witness else "not known"
    return f"{shown(bound.bytes)}, {counted(bound.messages, 'messages')}"


def _wrapped(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + 2),
        break_long_words=True,
        break_on_hyphens=False,
    ) or [""]


def data(explanation: Explanation, targets: dict[tuple[str, str], str]) -> dict[str, Any]:
    """The explanation as data: origins as texts, bounds in bytes and messages (null for none)."""
    found = _plain(asdict(explanation), explanation)
    found["targets"] = [
        {"destination": name, "producers": kind, "says": says} for (name, kind), says in targets.items()
    ]
    return found


def _plain(found: dict[str, Any], explanation: Explanation) -> dict[str, Any]:
    for destination in found["destinations"]:
        for limit in destination["limits"]:
            limit["origin"] = str(Origin(**limit["origin"]))
    for finding, own in zip(found["findings"], explanation.findings, strict=True):
        finding["origin"] = str(own.origin)
        finding["line"] = own.origin.line
    return found
