"""Settings of an activemq.xml that are misspelt, or stand where they have no effect or keep a broker from starting."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import replace

from tidegate.explain.names import ENTRY, MEMORY, OF_CLASSIC, STOPS, STORE, SYSTEM, Place, wrong
from tidegate.explain.read.classic_virtual import QUEUE, TOPIC
from tidegate.explain.read.xml_tree import UNBOUND, Element
from tidegate.explain.vocabulary import Origin, Stopping

USAGES = ("memoryUsage", "storeUsage", "tempUsage")
_NAMESPACES = ("http://activemq.apache.org/schema/core", "http://activemq.org/config/1.0")
"""The namespaces of a broker, the newer one first."""
_PLACES = {
    "policyEntry": ENTRY,
    "systemUsage": SYSTEM,
    "memoryUsage": MEMORY,
    "storeUsage": STORE,
    "tempUsage": replace(STORE, words="tempUsage"),
}
_ENTRIES = Place("policyEntries", frozenset({"policyEntry"}), frozenset())
OF_CLIENTS = re.compile(r"\bjms\.(?P<name>useAsyncSend|alwaysSyncSend|producerWindowSize|sendTimeout)\b")
"""Options of a client's URL about sends."""
_WORDS = {*USAGES, "limit", "total", QUEUE, TOPIC, "tempQueue", "tempTopic"}
"""Names of limits that other elements also have."""


def of_another_namespace(broker: Element) -> Iterator[tuple[Origin, str]]:
    """Prefixes that the file does not declare, and the namespace of a broker, which keep it from starting."""
    known = {*broker.prefix.split(), ""}
    for each in _below(broker) if broker.name == "broker" else ():
        if each.namespace == UNBOUND and each.prefix not in known:
            known.add(each.prefix)
            has = f"the prefix {each.prefix}, which no xmlns:{each.prefix} declares"
            says = f"{each.prefix}:{each.name} has {has}: a broker refuses to start with it."
            yield each.origin(broker.name), Stopping(says)
    if broker.name == "broker" and not broker.label and broker.namespace not in ("", *_NAMESPACES):
        undeclared = f"the prefix {broker.prefix}, which no xmlns:{broker.prefix} declares,"
        has = undeclared if broker.namespace == UNBOUND else f"the namespace {broker.namespace}"
        says = f"broker has {has} where ActiveMQ expects {_NAMESPACES[0]}: it refuses to start."
        yield broker.origin("broker"), Stopping(says)


def _below(parent: Element) -> Iterator[Element]:
    for each in parent.children:
        yield each
        yield from _below(each)


def of_another_encoding(data: bytes, file: str) -> Iterator[tuple[Origin, str]]:
    """The first line of an activemq.xml with bytes that its encoding does not have, which keep a broker from
    starting."""
    declared = re.match(rb"\s*<\?xml[^>]*encoding=[\"']([\w.-]+)[\"']", data)
    name = declared[1].decode("ascii") if declared else "UTF-8"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return  # the parser knows it by these bytes
    try:
        data.decode(name)
    except UnicodeDecodeError as error:
        says = f"this line has bytes that are no {name}: a broker refuses to start with them; save the file as UTF-8."
        yield Origin(file, data.count(b"\n", 0, error.start) + 1, "the file"), Stopping(says)
    except LookupError:
        says = f"the encoding {name} is not known: a broker refuses to start with it; save the file as UTF-8."
        yield Origin(file, 1, "the file"), Stopping(says)


def misnamed(broker: Element) -> Iterator[tuple[Origin, str]]:
    """Settings that stand where they have no effect, and policies of the other kind of destination."""
    for element in (broker, *broker.all(*_elements(broker))):
        for name in element.attributes:
            says = _wrong_in(element, name)
            if says is not None:
                yield element.origin(element.name, name), says
        if element.name == "policyEntry":
            yield from _of_the_other_kind(element)
            if {QUEUE, TOPIC} <= {*element.attributes} and not element.label:
                yield element.origin("policyEntry", QUEUE), "queue has no effect in an entry that names a topic too."
    for each in broker.children if broker.name == "broker" else ():
        if each.name in USAGES:
            says = f"{each.name} may not stand in broker: it belongs in systemUsage. {STOPS}"
            yield each.origin(each.name), Stopping(says)
    yield from _without_inner(broker)
    if broker.name == "broker" and broker.attributes.get("schedulerSupport", "").strip() not in ("true", "1"):
        for each in broker.all("jobSchedulerUsage"):
            if each.attributes:
                says = "jobSchedulerUsage has no effect: without schedulerSupport no message is delivered later."
                yield each.origin("jobSchedulerUsage"), says
    for each in broker.all("transportConnector"):
        for option in OF_CLIENTS.finditer(each.attributes.get("uri", "")):
            says = f"jms.{option['name']} has no effect in a transportConnector: it belongs in the URL of a client."
            yield each.origin("transportConnector", "uri"), says
    for group in broker.all("policyEntries", "systemUsage"):
        place = _ENTRIES if group.name == "policyEntries" else SYSTEM
        for each in group.children:
            says = wrong(each.name, place, OF_CLASSIC, has_schema=True)
            if says is not None:
                yield each.origin(group.name), says


def _without_inner(broker: Element) -> Iterator[tuple[Origin, str]]:
    """Properties of beans that hold their figures themselves, where a bean of the same name must stand in between."""
    outer = [each for each in broker.children if each.name == "systemUsage" and broker.name == "broker"]
    inner = [each for group in outer for each in group.children if each.name == "systemUsage"]
    for each in (*outer, *(usage for group in inner for usage in group.children if usage.name in USAGES)):
        if not each.label and each.child(each.name, "bean") is None and (each.attributes or each.children):
            says = f"{each.name} needs an inner {each.name} around its settings: a broker refuses to start without it."
            yield each.origin(each.name), Stopping(says)


def _wrong_in(element: Element, name: str) -> str | None:
    """The error of an attribute with this name; None if there is none."""
    place = _PLACES.get(element.name)
    is_outer = element.child(element.name) is not None  # its attributes are dropped with it (a run of 6.1.8)
    if place is not None:
        return wrong(name, place, OF_CLASSIC, has_schema=not is_outer)
    home = next((each for each in OF_CLASSIC if name in each.limits - _WORDS), None)
    if home is None:
        return None
    return Stopping(f"{name} may not stand in {element.name}: it belongs in {home.words}. {STOPS}")


def _of_the_other_kind(entry: Element) -> Iterator[tuple[Origin, str]]:
    kinds = {QUEUE, TOPIC} & set(entry.attributes)
    for kind, policy, right in (
        (QUEUE, "pendingSubscriberPolicy", "pendingQueuePolicy"),
        (TOPIC, "pendingQueuePolicy", "pendingSubscriberPolicy"),
    ):
        found = entry.child(policy) if kinds == {kind} else None
        if found is not None:
            yield found.origin("policyEntry"), f"{policy} has no effect on a {kind}: {right} is what a {kind} has."


def _elements(broker: Element) -> set[str]:
    """The names of all elements, except within network connectors and plugins, which have other attributes."""
    names: set[str] = set()
    for each in broker.children:
        names.add(each.name)
        names |= _elements(each)
    return names
