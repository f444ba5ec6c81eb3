"""The limits that a send to a virtual destination of ActiveMQ Classic meets: the limits of each destination behind it.

A composite destination sends a copy of the message to each of its targets, one after another, on the thread of the
producer. So the producer waits, or its send fails, at each target as it would in a send to the target itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tidegate.explain.matching.classic import common, stands_for
from tidegate.explain.read.classic import ClassicFile
from tidegate.explain.read.classic_virtual import COMPOSITES, QUEUE, VIRTUAL_TOPIC, Forward, Target
from tidegate.explain.vocabulary import Bound, Destination, Flow, Limit

Explain = Callable[[str, str], Destination]
"""The explanation of a destination, by kind and name, as if it passed nothing on."""
SHARED = ("memoryUsage", "storeUsage", "tempUsage")
"""The limits that all destinations share."""


def forwards_of(read: ClassicFile, kind: str, name: str) -> list[Forward]:
    """The virtual destinations whose name or pattern stands for a destination: a broker obeys all of them."""
    return [each for each in read.forwards if each.kind == kind and stands_for(each.name, name)]


def keeps_nothing(read: ClassicFile, kind: str, name: str) -> bool:
    """Whether no message that is sent to a destination is stored there."""
    found = forwards_of(read, kind, name)
    return bool(found) and not any(each.keeps for each in found)


def with_targets(read: ClassicFile, kind: str, name: str, explain: Explain) -> Destination:
    """The explanation of a destination; for a virtual destination, with the limits of its targets."""
    own = explain(kind, name)
    found = forwards_of(read, kind, name)
    behind = _behind(read, found, name, explain, {(kind, name)})
    if not found or (not behind and any(each.keeps for each in found)):
        return own
    return _passed_on(own, found, behind)


def _behind(
    read: ClassicFile, forwards: list[Forward], name: str, explain: Explain, seen: set[tuple[str, str]]
) -> list[tuple[Target, Destination]]:
    """Each target of virtual destinations with its explanation, also through further virtual destinations."""
    found: list[tuple[Target, Destination]] = []
    for target in (target for each in forwards for target in _named(read, each, name)):
        if (target.kind, target.name) in seen:
            continue
        seen.add((target.kind, target.name))
        inner = forwards_of(read, target.kind, target.name)
        if not inner or any(each.keeps for each in inner):
            found.append((target, explain(target.kind, target.name)))
        further = _behind(read, inner, target.name, explain, seen)
        found += [(replace(each, is_filtered=each.is_filtered or target.is_filtered), of) for each, of in further]
    return found


def _named(read: ClassicFile, forward: Forward, name: str) -> Iterator[Target]:
    """The targets of a forward; for a pattern of queues also each queue that the file configures or declares."""
    for target in forward.targets_of(name):
        yield target
        if forward.element == VIRTUAL_TOPIC:
            known = [each.match for each in read.entries if each.kind == QUEUE]
            known += [each for kind, each in read.declared if kind == QUEUE]
            shared = dict.fromkeys(common(target.name, each) for each in known)
            yield from (replace(target, name=each) for each in shared if each is not None and each != target.name)


def _passed_on(own: Destination, forwards: list[Forward], behind: Sequence[tuple[Target, Destination]]) -> Destination:
    keeps = any(each.keeps for each in forwards)
    names = ", ".join(each.name + (" (as a selector chooses)" if target.is_filtered else "") for target, each in behind)
    names = names or "no destination"
    flows = tuple(_flow(flow, number, behind, keeps=keeps) for number, flow in enumerate(own.flows))
    firsts = list(dict.fromkeys(flow.first for flow in flows))
    first = firsts[0] if len(firsts) == 1 else f"{firsts[0]} (persistent) or {firsts[1]} (other sends)"
    meets = f"where a send waits or fails as one to them does; first reached: {first}"
    if keeps:
        verdict = f"{own.verdict}; each message also goes to {names}, {meets}"
    else:
        verdict = f"keeps nothing: each message goes on to {names}, {meets}"
        if behind and all(target.is_filtered for target, _ in behind):
            verdict += "; a message that no selector chooses is lost without a word"
    kept = own.limits if keeps else tuple(each for each in own.limits if each.name in SHARED)
    does = "A send to it is also a send to each of these, one after another, and waits or fails there."
    if not keeps:
        does = "A send to it is a send to each of these, one after another, and waits or fails there, never here."
    if any(each.drops for each in forwards):
        does += " A copy that would fail there is dropped without a word instead (dropOnResourceLimit)."
    copies = len(behind) + keeps
    if copies > 1:
        does += f" Up to {copies} copies of a message count against the limits that all destinations share."
    whose = (Limit(each.element, names, each.origin, does, "", ()) for each in forwards)
    return replace(own, verdict=verdict, limits=(*whose, *kept, *_limits_behind(behind)), flows=flows)


def _limits_behind(behind: Sequence[tuple[Target, Destination]]) -> Iterator[Limit]:
    """The limits of each target, with its name, except the limits that all destinations share."""
    for _, each in behind:
        for limit in each.limits:
            if limit.name not in (*SHARED, *COMPOSITES, VIRTUAL_TOPIC):
                yield replace(limit, name=f"{limit.name} of {each.name}")


def _flow(own: Flow, number: int, behind: Sequence[tuple[Target, Destination]], *, keeps: bool) -> Flow:
    """The flow of a virtual destination: the limit that is reached first, and the most that its own name holds."""
    there = [("", own)] if keeps else []
    there += [(f" of {each.name}", each.flows[number]) for target, each in behind if not target.is_filtered]
    chosen = [(f" of {each.name}", each.flows[number]) for target, each in behind if target.is_filtered]
    first = _first(there)
    for where, flow in chosen:  # a selector decides whether messages go there
        if flow.bound.bytes is not None and _is_less(flow, there):
            of_chosen = f"{_short(flow)}{where}, for messages that its selector chooses"
            first = of_chosen if first == "none" else f"{first}; {of_chosen}"
    bound = own.bound
    if not keeps:
        bound = Bound(0, 0, "nothing stays under this name: each message is stored at the destinations behind it", ())
    return Flow(own.producers, first, bound)


def _is_less(flow: Flow, others: Sequence[tuple[str, Flow]]) -> bool:
    known = [each.bound.bytes for _, each in others if each.bound.bytes is not None]
    return flow.bound.bytes is not None and (not known or flow.bound.bytes < min(known))


def _first(there: Sequence[tuple[str, Flow]]) -> str:
    """The limit that is reached first if nothing is consumed; limits without a figure may be reached before."""
    hidden = [f"{_short(flow)}{where}" for where, flow in there if flow.bound.bytes is None and not flow.bound.witness]
    known = [(flow.bound.bytes, where, flow) for where, flow in there if flow.bound.bytes is not None]
    least = min(known, key=lambda each: each[0], default=None)
    if least is not None:
        hidden.append(f"{_short(least[2])}{least[1]}")
    return " or ".join(dict.fromkeys(hidden)) or "none"


def _short(flow: Flow) -> str:
    """The limit that is reached first at a destination, without the order of the others."""
    return flow.first.partition(";")[0]
