"""Settings of a broker.xml that are misspelt, or stand where they have no effect or where its schema refuses them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tidegate.explain.names import ACCEPTOR, ADDRESS, CORE, OF_ARTEMIS, Place, wrong
from tidegate.explain.read.artemis_properties import OTHER_NAMES
from tidegate.explain.read.urls import parameters
from tidegate.explain.read.xml_tree import Element
from tidegate.explain.vocabulary import Origin

SETTINGS = "address-settings"
NEVER_READ, USUAL_LOW = "amqpMinCredits", "300"
"""The name of the low mark of credits in files created by early releases, and the mark in force without it."""


def misnamed(root: Element, core: Element) -> Iterator[tuple[Origin, str]]:
    """Settings that stand where they have no effect, or where the schema of a broker.xml does not allow them."""
    for setting in core.all("address-setting"):
        names = [(each, setting.origin(setting.name, each)) for each in setting.attributes]
        yield from _wrong_children(setting, ADDRESS, has_schema=core.name == "core")
        yield from _wrong(names, ADDRESS, has_schema=core.name == "core")
    for place, elements in (
        (CORE, [core] if core.name == "core" else []),
        (replace(ADDRESS, words="address-settings", limits=frozenset({"address-setting"})), core.all(SETTINGS)),
        (replace(ADDRESS, words="an address", limits=frozenset({"queue"})), _addresses(core)),
    ):
        for element in elements:
            yield from _wrong_children(element, place, has_schema=core.name == "core")
    for acceptor in core.all("acceptor", "remote-acceptor"):
        names = [(each, acceptor.origin("acceptor")) for each in parameters(acceptor.text.strip())]
        names += [
            (each.attributes.get("key") or each.attributes.get("name", ""), each.origin("acceptor"))
            for each in acceptor.all("param")
        ]
        yield from _wrong(names, ACCEPTOR)
        if parameters(acceptor.text.strip()).get(NEVER_READ, USUAL_LOW) != USUAL_LOW:
            yield (
                acceptor.origin("acceptor"),
                f"{NEVER_READ} has no effect: no release reads it; is amqpLowCredits meant?",
            )
    if root.name == "configuration" and core is root:
        for each in root.children:
            if each.name in (SETTINGS, "acceptors", *CORE.limits):
                yield each.origin("configuration"), f"{each.name} has no effect outside the element core."


def _wrong_children(element: Element, place: Place, *, has_schema: bool) -> Iterator[tuple[Origin, str]]:
    for each in element.children:
        # a label is the name in a file that is no XML, which no schema checks
        names = [(each.name, each.origin(element.name))]
        for origin, says in _wrong(names, place, has_schema=has_schema and not each.label):
            yield origin, _in_words_of_the_file(says, each) if each.label else says


def _in_words_of_the_file(says: str, element: Element) -> str:
    """A sentence about a name of a file that is no XML, with the spelling of that file."""
    spelt = {name: other for other, name in OTHER_NAMES.items()} if element.is_property else {}
    meant = re.sub(r"(?<=: is )[\w-]+(?= meant)", lambda found: in_camel_case(spelt.get(found[0], found[0])), says)
    return meant.replace(element.name, element.label, 1)


def in_camel_case(name: str) -> str:
    """The name of a setting as broker properties and resources write it."""
    first, *others = name.split("-")
    return first + "".join(each.capitalize() for each in others)


def _wrong(names: list[tuple[str, Origin]], place: Place, *, has_schema: bool = False) -> Iterator[tuple[Origin, str]]:
    for name, origin in names:
        says = wrong(name, place, OF_ARTEMIS, has_schema=has_schema)
        if says is not None:
            yield origin, says


def _addresses(core: Element) -> Iterator[Element]:
    for group in core.all("addresses"):
        yield from group.all("address", "queue")
