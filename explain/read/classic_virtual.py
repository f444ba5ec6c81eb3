"""Reads the virtual destinations of ActiveMQ Classic, which pass each message on to other destinations."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.explain.placeholders import filled
from tidegate.explain.read.xml_tree import Element
from tidegate.explain.vocabulary import Origin

QUEUE, TOPIC = "queue", "topic"
COMPOSITES = {"compositeQueue": QUEUE, "compositeTopic": TOPIC}
"""By element, the kind of the destination that passes messages on."""
VIRTUAL_TOPIC = "virtualTopic"
_INTERCEPTORS = "destinationInterceptors"
_USUAL_NAME, _USUAL_PREFIX = "VirtualTopic.>", "Consumer.*."


@dataclass(frozen=True)
class Target:
    """A destination to which messages are passed on."""

    kind: str
    """QUEUE or TOPIC."""
    name: str
    is_filtered: bool
    """Whether a selector chooses the messages that go there."""


@dataclass(frozen=True)
class Forward:
    """A destination, or a pattern of them, that passes each message on to others."""

    element: str
    kind: str
    name: str
    origin: Origin
    """Without a line for the virtual topics that a broker has by default."""
    targets: tuple[Target, ...]
    """The targets of a composite destination."""
    keeps: bool
    """Whether the messages are also stored under the name to which they were sent."""
    prefix: str = ""
    """The text in front of the name of a virtual topic in the names of its queues."""
    postfix: str = ""
    drops: bool = False
    """Whether a message that would fail for want of space at a target is dropped there, and its send goes on."""

    def targets_of(self, name: str) -> tuple[Target, ...]:
        """The targets of a message to a destination of this name; a virtual topic makes them from the name."""
        if self.element != VIRTUAL_TOPIC:
            return self.targets
        return (Target(QUEUE, f"{self.prefix}{name}{self.postfix}", is_filtered=False),)


def forwards(broker: Element) -> Iterator[Forward]:
    """The virtual destinations of a broker; without interceptors of its own, it has virtual topics by default."""
    groups = list(broker.all(_INTERCEPTORS))
    for group in groups:
        for each in group.all(*COMPOSITES, VIRTUAL_TOPIC):
            yield _topic(each) if each.name == VIRTUAL_TOPIC else _composite(each)
    if not groups and _said(broker, "useVirtualTopics", "true") != "false":
        usual = Origin(part="default of the broker")
        yield Forward(VIRTUAL_TOPIC, TOPIC, _USUAL_NAME, usual, (), keeps=True, prefix=_USUAL_PREFIX)


def _said(element: Element, key: str, usual: str) -> str:
    """The text of an attribute with the defaults of its placeholders."""
    text = element.attributes.get(key, usual)
    return filled(text).text or text


def _topic(element: Element) -> Forward:
    name = _said(element, "name", ">")
    prefix, postfix = _said(element, "prefix", _USUAL_PREFIX), _said(element, "postfix", "")
    origin = element.origin(f"{VIRTUAL_TOPIC} {name}")
    drops = _said(element, "dropOnResourceLimit", "false").strip() in ("true", "1")
    return Forward(VIRTUAL_TOPIC, TOPIC, name, origin, (), keeps=True, prefix=prefix, postfix=postfix, drops=drops)


def _composite(element: Element) -> Forward:
    name = _said(element, "name", "")
    targets = tuple(target for group in element.all("forwardTo") for target in _targets(group))
    if _said(element, "sendWhenNotMatched", "false").strip() in ("true", "1"):
        keeps = all(each.is_filtered for each in targets)
    else:
        keeps = _said(element, "forwardOnly", "true").strip() in ("false", "0")
    return Forward(
        element.name, COMPOSITES[element.name], name, element.origin(f"{element.name} {name}"), targets, keeps
    )


def _targets(group: Element) -> Iterator[Target]:
    """The targets in a forwardTo, which beans of Spring wrap into a list."""
    for each in group.children:
        yield from _targets(each) if each.name in ("list", "set") else _target(each)


def _target(element: Element) -> Iterator[Target]:
    """The targets that an element of a forwardTo names."""
    if element.name in (QUEUE, TOPIC) and element.attributes.get("physicalName"):
        name = _said(element, "physicalName", "").partition("?")[0].strip()
        yield Target(element.name, name, is_filtered=False)
    elif element.name == "filteredDestination":
        for kind in (QUEUE, TOPIC):
            if kind in element.attributes:
                yield Target(kind, _said(element, kind, "").strip(), is_filtered="selector" in element.attributes)
        for each in element.all(QUEUE, TOPIC):
            for target in _target(each):
                yield replace(target, is_filtered="selector" in element.attributes)
