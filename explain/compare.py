"""Compares two versions under one configuration: limits, worst cases and findings that an upgrade changes.

Whether differing rules can differ under this configuration is a question for the solver, which is not asked here;
`known` gives the solver its figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tidegate.explain import bounds, explaining
from tidegate.explain.compose import qpid as qpid_limits
from tidegate.explain.compose.artemis import takes, takes_core
from tidegate.explain.machine import Machine, on_machine
from tidegate.explain.read.artemis_file import ArtemisFile
from tidegate.explain.read.classic import ClassicFile
from tidegate.explain.read.qpid_file import QpidFile
from tidegate.explain.read.reading import Read
from tidegate.explain.sizes import shown
from tidegate.explain.versions import CORE, Version
from tidegate.explain.vocabulary import Bound, Destination, Explanation, Traffic
from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.linker import Linker
from tidegate.model.mechanisms import classic, qpid
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits
from tidegate.model.mechanisms.credit import Window
from tidegate.model.mechanisms.general_address import FurtherCauses
from tidegate.record.counts import counted


@dataclass(frozen=True)
class Change:
    """A difference under the rules of the later version."""

    where: str
    """The destination, or the file and its line."""
    what: str
    before: str
    after: str
    why: str = ""

    def __str__(self) -> str:
        reason = f" ({self.why})" if self.why else ""
        return f"{self.where}: {self.what}: before {self.before}; after {self.after}{reason}"


def changes(
    read: Read,
    before: Version,
    after: Version,
    traffic: Traffic,
    wanted: tuple[str, ...] = (),
    machine: Machine = explaining.UNKNOWN,
) -> tuple[Change, ...]:
    """Every limit, worst case and finding that differs between two versions."""
    one = explaining.explain(read, before, traffic, wanted, machine)
    other = explaining.explain(read, after, traffic, wanted, machine)
    found = [change for pair in _pairs(one, other) for change in _of_destination(*pair)]
    return tuple(dict.fromkeys([*found, *_findings(one, other)]))


def cited(
    read: Read, before: Version, after: Version, traffic: Traffic, wanted: tuple[str, ...], machine: Machine
) -> frozenset[str]:
    """The rules on which the limits and worst cases of the configuration rest, in either version."""
    rules: set[str] = set()
    for version in (before, after):
        for each in explaining.explain(read, version, traffic, wanted, machine).destinations:
            rules.update(rule for limit in each.limits for rule in limit.rules)
            rules.update(rule for flow in each.flows for rule in flow.bound.rules)
    return frozenset(rules)


def _pairs(one: Explanation, other: Explanation) -> Iterator[tuple[Destination, Destination]]:
    later = {each.name: each for each in other.destinations}
    return ((each, later[each.name]) for each in one.destinations if each.name in later)


def _of_destination(one: Destination, other: Destination) -> Iterator[Change]:
    limits = {limit.name: limit for limit in other.limits}
    for limit in one.limits:
        now = limits.get(limit.name)
        if now is not None and now.shown != limit.shown:
            why = "" if limit.origin.line else "nothing is set, so the default counts"
            yield Change(one.name, limit.name, limit.shown, now.shown, why)
        elif now is not None and now.frees != limit.frees and limit.frees and now.frees:
            yield Change(one.name, f"producers that {limit.name} holds back are released by", limit.frees, now.frees)
    flows = {flow.producers: flow for flow in other.flows}
    for flow in one.flows:
        later = flows.get(flow.producers)
        if later is None:
            now_met = "; ".join(f"{each.producers}: {_worst(each.bound)}" for each in other.flows)
            yield Change(one.name, f"worst case of {flow.producers}", _worst(flow.bound), now_met)
        elif later.bound.bytes != flow.bound.bytes:
            why = "" if later.bound.because == flow.bound.because else later.bound.because
            yield Change(one.name, f"worst case of {flow.producers}", _worst(flow.bound), _worst(later.bound), why)


def _worst(bound: Bound) -> str:
    if bound.bytes is None or bound.messages is None:
        return "no bound" if bound.witness else "not known"
    return f"{shown(bound.bytes)}, {counted(bound.messages, 'messages')}"


def _findings(one: Explanation, other: Explanation) -> Iterator[Change]:
    was, now = ({(each.origin.line, each.rule): each for each in found.findings} for found in (one, other))
    for key, finding in now.items():
        if key not in was:
            where = f"{finding.origin.file}:{finding.origin.line}"
            yield Change(where, finding.rule or "found", "nothing to find", finding.sentence)
    for key, finding in was.items():
        if key not in now:
            where = f"{finding.origin.file}:{finding.origin.line}"
            yield Change(where, finding.rule or "found", finding.sentence, "nothing to find")


def known(
    read: Read, before: Version, after: Version, traffic: Traffic, wanted: tuple[str, ...], machine: Machine
) -> Mapping[type | str, list[Any]]:
    """The figures of the configuration for dataclasses of the model, and for parameters by name, in either version.

    A figure that some case leaves open is left out.
    """
    found: dict[type | str, list[Any]] = {}
    for version in (before, after):
        for _, _, case in explaining.cases(on_machine(read, machine), version, traffic, wanted):
            for kind, figures in _figures(case):
                if figures not in found.setdefault(kind, []):
                    found[kind].append(figures)
        if isinstance(read, QpidFile):
            for limits in qpid_limits.set_limits(read, version):
                for name in ("capacity", "resume"):
                    found.setdefault(name, []).append(getattr(limits, name))
                found.setdefault(qpid.Limits, []).append(_fields(limits))
    return {kind: figures for kind, figures in found.items() if OPEN not in figures}


def unused(read: Read) -> frozenset[str]:
    """The names of rules about a setting that the file does not make, so that no state of it shows a difference."""
    if not isinstance(read, ClassicFile):
        return frozenset()
    times = (read.fails_after_ms, *(each.fails_after_ms for each in read.entries))
    is_timed = any(each is not None and each.value != 0 for each in times)
    return frozenset() if is_timed else frozenset({classic.time_counts.__name__})


OPEN = None
"""A figure that the configuration does not settle."""
NEVER_PAGES: Sequence[tuple[str, Any]] = (("page_limit", NO_LIMIT), ("began", False))
"""The values of parameters of the rules about pages for an address that does not page."""


def _figures(case: bounds.Case) -> Iterator[tuple[type | str, Any]]:
    match case:
        case bounds.Amqp(limits, window):
            yield from NEVER_PAGES
            yield AddressLimits, _fields(limits)
            yield FurtherCauses, {"most_messages": case.most_messages}
            yield Window, _fields(window)
        case bounds.Core(limits, size):
            yield from NEVER_PAGES
            yield AddressLimits, _fields(limits)
            yield FurtherCauses, {"most_messages": case.most_messages}
            yield "producer_window", size
        case bounds.Paging(limit=limit):
            yield "page_limit", case.page_limit
            yield "page", case.page
            yield "began", True
            # no page is ever written only if the limit has no room for a page
            yield "written", 1 if case.has_room_for_a_page else OPEN
            yield AddressLimits, {"max_size": limit, "blocks": False}
            yield FurtherCauses, {"most_messages": case.most_messages}
        case bounds.Refusing(limit=limit):
            yield from NEVER_PAGES
            yield AddressLimits, {"max_size": limit, "blocks": False}
            yield FurtherCauses, {"most_messages": case.most_messages}
        case bounds.Open(limit=limit):
            yield from NEVER_PAGES
            yield AddressLimits, {"max_size": limit, "blocks": False}
        case bounds.Gate(queue):
            yield qpid.Queue, {"capacity": queue.capacity, "resume": queue.resume}
        case bounds.Memory(limit, controlled):
            yield classic.Destination, {"limit": limit, "controlled": controlled}


def _fields(value: object) -> Mapping[str, Any]:
    return dict(vars(value))


OF_JSON: Mapping[str, str] = {
    "capacity": "maximumQueueDepthBytes",
    "flowResumeCapacity": "level of queue.queueFlowResumeLimit",
}
"""By the name of a setting in virtualhosts.xml, its name in the JSON of Broker-J."""


def named(read: Read) -> Mapping[str, str]:
    """The names of settings in this file that differ from their usual names."""
    return OF_JSON if isinstance(read, QpidFile) and read.is_json else {}


SHOWN = ("DEFAULT_LIMITS", "DEFAULT_WINDOW", "DEFAULT_DISK", "DEFAULT_MEMORY", "NO_LIMIT")
"""The defaults that are shown among the limits of a destination, if they apply."""


def further_defaults(before: Version, after: Version) -> Iterator[str]:
    """Other defaults that differ in the later version, such as the exception that a send raises."""
    profile = PROFILES.get(f"{after.broker}-{after.taken}")
    for each in profile.replacements if profile else ():
        if isinstance(each.stands_for, tuple) and each.stands_for[1] not in SHOWN:
            module, name = each.stands_for
            if before.model().default(module, name) != each.instead:
                yield each.sentence


def models(read: Read, before: Version, after: Version) -> Iterator[tuple[Linker, Linker]]:
    """The models of both versions that apply to the file; Artemis' Core clients have a model of their own."""
    if (
        not isinstance(read, ArtemisFile)
        or not read.acceptors
        or any(takes(each.protocols, "AMQP") for each in read.acceptors)
    ):
        yield before.model(), after.model()
    if isinstance(read, ArtemisFile) and takes_core(read):
        yield before.model(CORE), after.model(CORE)
