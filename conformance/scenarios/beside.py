"""Steps about several producers of one destination while one producer is stopped, and about two full destinations."""

from collections.abc import Mapping
from itertools import cycle, islice

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import DEFAULT_OPTIONS, Outcome, ProducerOptions
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import is_accepted, must_be, only_destination, send_until_refused
from tidegate.conformance.scenarios.general import all_stand

LATECOMER = "latecomer"
LINE = "line"
ORDINALS = ("first", "second", "third", "fourth")
PERSISTENT = ProducerOptions(persistent=True)


def named(which: str) -> str:
    """The name of the producer that was attached as the first, the second, …"""
    return f"producer {ORDINALS.index(which) + 1}"


def others_than(lab: Lab, which: str) -> list[str]:
    """The names of the producers that were attached with it."""
    return [name for name in map(named, ORDINALS) if name in lab.producers and name != named(which)]


@given(parsers.re(r'(?P<count>\d+) producers are attached(?: to "(?P<name>\w+)")?'), converters={"count": int})
def attached(lab: Lab, count: int, name: str | None) -> None:
    for which in ORDINALS[:count]:
        lab.open_producer(named(which), name or only_destination(lab))


@given(parsers.parse("{count:d} producers with windows of {window:d} bytes are attached"))
def windowed_attached(lab: Lab, count: int, window: int) -> None:
    for which in ORDINALS[:count]:
        lab.open_producer(named(which), only_destination(lab), options=ProducerOptions(window_bytes=window))


@given(parsers.parse("{count:d} producers are attached, the {which} of which sends persistent messages"))
def one_persistent_attached(lab: Lab, count: int, which: str) -> None:
    for each in ORDINALS[:count]:
        options = PERSISTENT if each == which else DEFAULT_OPTIONS
        lab.open_producer(named(each), only_destination(lab), options=options)


@given(parsers.parse('{count:d} producers are attached to "{name}", the {which} of which is on "{line}"'))
def one_on_connection_attached(lab: Lab, count: int, name: str, which: str, line: str) -> None:
    for each in ORDINALS[:count]:
        lab.open_producer(named(each), name, connection=line if each == which else None)


@given(parsers.re(r"a producer of (?P<kind>persistent|non-persistent) messages for each, both on one connection"))
def on_one_connection(lab: Lab, kind: str) -> None:
    for destination in lab.destinations:
        options = ProducerOptions(persistent=kind == "persistent")
        lab.open_producer(producer_of(destination), destination, connection=LINE, options=options)


@given(parsers.parse("each of them sent {count:d} messages of {size:d} bytes"))
def each_sent(lab: Lab, count: int, size: int) -> None:
    for name in lab.producers:
        for _ in range(count):
            is_accepted(lab, name, size)


def producer_of(destination: str) -> str:
    """The name of the producer that sends to a destination."""
    return f"producer of {destination}"


@when(
    parsers.re(r"the (?P<which>first|second|third|fourth) of them sends a message of (?P<size>\d+) bytes"),
    converters={"size": int},
)
def one_sends(lab: Lab, which: str, size: int) -> None:
    lab.send(named(which), size)


@when(parsers.parse("the {which} of them sends messages of {size:d} bytes until it may not"))
def one_sends_on(lab: Lab, which: str, size: int) -> None:
    send_until_refused(lab, named(which), size)


@when(
    parsers.parse("a producer of each sends messages of {size:d} bytes until its sends are held back"),
    target_fixture="taken_of_each",
)
def each_is_filled(lab: Lab, size: int) -> dict[str, int]:
    """For each destination, the number of messages that it took."""
    for destination in lab.destinations:
        lab.open_producer(producer_of(destination), destination)
    return {destination: send_until_refused(lab, producer_of(destination), size) for destination in lab.destinations}


@when(parsers.parse("they send messages of {size:d} bytes in turn, until one waits or {most:d} were taken"))
def send_in_turn(lab: Lab, size: int, most: int) -> None:
    for name in islice(cycle(lab.producers), most):
        if lab.send(name, size) is not Outcome.ACCEPTED:
            return


@then(parsers.re(r"the (?P<which>first|second|third|fourth) of them is stopped"))
def one_is_stopped(lab: Lab, which: str) -> None:
    must_be(lab, named(which), stopped=True)


@then(parsers.re(r"the (?P<which>first|second|third|fourth) of them is stopped, and nobody else, not even a latecomer"))
def it_alone_is_stopped(lab: Lab, which: str) -> None:
    one_is_stopped(lab, which)
    nobody_else_is_stopped(lab, which)


@then(parsers.re(r"none but the (?P<which>first|second|third|fourth) of them is stopped, not even a latecomer"))
def nobody_else_is_stopped(lab: Lab, which: str) -> None:
    lab.open_producer(LATECOMER, lab.destinations[-1])
    all_stand(lab, LATECOMER, *others_than(lab, which), stopped=False)


@then(parsers.parse("a message of {size:d} bytes of each but the {which} is accepted, and one of a latecomer"))
def accepted_of_all_others(lab: Lab, size: int, which: str) -> None:
    lab.open_producer(LATECOMER, lab.destinations[-1])
    told = {name: lab.send(name, size) for name in (*others_than(lab, which), LATECOMER)}
    seen = ", ".join(f"that of the {name} was {outcome}" for name, outcome in told.items())
    lab.verify(set(told.values()) == {Outcome.ACCEPTED}, f"a message of {size} bytes of each accepted", seen)


@then(parsers.re(r"each took (?P<bound>at most )?(?P<count>\d+) messages"), converters={"count": int})
def each_took(lab: Lab, taken_of_each: Mapping[str, int], bound: str | None, count: int) -> None:
    kept = all(taken <= count if bound else taken == count for taken in taken_of_each.values())
    lab.verify(kept, f"{bound or ''}{count} messages taken by each", _in_words(taken_of_each))


@then(
    parsers.re(r"each took as many messages, from (?P<least>\d+) to (?P<most>\d+)"),
    converters={"least": int, "most": int},
)
def each_took_as_many(lab: Lab, taken_of_each: Mapping[str, int], least: int, most: int) -> None:
    taken = set(taken_of_each.values())
    kept = len(taken) == 1 and taken <= set(range(least, most + 1))
    lab.verify(kept, f"as many messages taken by each, from {least} to {most}", _in_words(taken_of_each))


def _in_words(taken_of_each: Mapping[str, int]) -> str:
    return ", ".join(f"{name} took {taken}" for name, taken in taken_of_each.items())


@then(parsers.re(r"(?:at least (?P<least>\d+) and )?at most (?P<most>\d+) of their messages were taken"))
def taken_together(lab: Lab, least: str | None, most: str) -> None:
    taken = sum(call.verb == "send" and call.answer is Outcome.ACCEPTED for call in lab.own_calls)
    lab.verify(int(least or 0) <= taken <= int(most), f"from {least or 0} to {most} messages taken", f"{taken}")
