"""The adapter contract as data, read from its own modules, for the reference page and `tidegate adapter contract`."""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tidegate.adapters import base, groups
from tidegate.adapters.capabilities import GROUPS, MECHANISMS
from tidegate.record.docstrings import WrittenField, WrittenMethod, described, written_fields, written_methods

VALUES = (
    *(base.Limits, groups.Usage, base.ProducerOptions, groups.ConsumerOptions),
    *(base.Depth, base.Standing, base.Delivery, groups.Traffic, groups.Settlement, groups.ClientState),
    *(base.Identity, base.Parameters, base.Call),
)
"""The arguments and answers of verbs: first configuration, then answers, then the rest."""
WITHOUT_CAPABILITY = (groups.WritesReproducers, groups.DeclinesRules)
"""Groups that an adapter offers just by having their verbs."""


@dataclass(frozen=True)
class Group:
    """A group of verbs, or of attributes, and the capabilities that it comes with."""

    name: str
    capabilities: tuple[str, ...]
    about: str
    attributes: tuple[WrittenField, ...]
    verbs: tuple[WrittenMethod, ...]


@dataclass(frozen=True)
class Value:
    """A value of the contract with its fields."""

    name: str
    about: str
    fields: tuple[WrittenField, ...]


def about_adapters() -> str:
    """The text about every adapter."""
    return inspect.getdoc(base.Adapter) or ""


def attributes() -> tuple[WrittenField, ...]:
    """The attributes of every adapter."""
    return tuple(written_fields(base.Adapter))


def verbs() -> tuple[WrittenMethod, ...]:
    """The verbs of every adapter."""
    return tuple(written_methods(base.Adapter))


def optional_groups() -> Iterator[Group]:
    """The groups that an adapter may offer besides."""
    for group in dict.fromkeys((*GROUPS.values(), *WITHOUT_CAPABILITY)):
        capabilities = tuple(name for name, its in GROUPS.items() if its is group)
        about = inspect.getdoc(group) or ""
        yield Group(group.__name__, capabilities, about, tuple(written_fields(group)), tuple(written_methods(group)))


def capabilities() -> Mapping[str, str]:
    """Every capability and its meaning; for a capability with verbs, the text of its group."""
    abouts = {name: (inspect.getdoc(group) or "").splitlines()[0] for name, group in GROUPS.items()}
    of_groups = {name: about.partition(": ")[2].removesuffix(".") for name, about in abouts.items()}
    return {**MECHANISMS, **of_groups}


def without_figure() -> Mapping[str, str]:
    """The meanings of fields without a figure."""
    return base.WITHOUT_FIGURE


def values() -> Iterator[Value]:
    """The values in arguments and answers."""
    for value in VALUES:
        yield Value(value.__name__, inspect.getdoc(value) or "", tuple(written_fields(value)))


def outcomes() -> Mapping[str, str]:
    """The outcomes that a sender may get, and their meanings."""
    texts = described(base.Outcome)
    return {outcome.value: texts[outcome.name] for outcome in base.Outcome}
