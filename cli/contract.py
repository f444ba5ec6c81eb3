"""The adapter contract on the terminal, in plain text of at most 80 columns."""

import textwrap
from collections.abc import Iterable, Iterator

from tidegate.adapters import contract
from tidegate.record.docstrings import WrittenField, WrittenMethod

WIDTH = 80
HARD_SPACE = "\N{NO-BREAK SPACE}"
NAMES = 25
"""The columns for names before their meanings."""


def lines() -> Iterator[str]:
    """The whole contract: verbs, groups, capabilities, outcomes, fields without a figure, and values."""
    yield from _section("Every adapter", contract.about_adapters())
    yield from _fields(contract.attributes())
    for verb in contract.verbs():
        yield from _verb(verb)
    yield from _section("Groups", "Verbs that come with a capability; without it none of them is called.")
    for group in contract.optional_groups():
        yield ""
        yield from _filled(f"{group.name}: {', '.join(group.capabilities) or 'offered by having it'}")
        yield from _filled(group.about, indent=2)
        yield from _fields(group.attributes)
        for verb in group.verbs:
            yield from _verb(verb)
    yield from _section("Capabilities", "What an adapter claims. Each claim adds the rules that need it.")
    yield from _named(contract.capabilities().items())
    yield from _section("Outcomes of a send", "The outcome of a send, for the sender of the message.")
    yield from _named(contract.outcomes().items())
    yield from _section("A field without a figure", "What a field of the values below means.")
    for field, meaning in contract.without_figure().items():
        yield from _filled(f"{field}:", indent=2)
        yield from _filled(meaning, indent=6)
    yield from _section("Values", "Each field with its type and its default.")
    for value in contract.values():
        yield ""
        yield value.name
        yield from _filled(value.about, indent=2)
        yield from _fields(value.fields)


def _section(title: str, about: str) -> Iterator[str]:
    yield from ("", title.upper(), "")
    yield from _filled(about)


def _verb(verb: WrittenMethod) -> Iterator[str]:
    answer = f"{HARD_SPACE}->{HARD_SPACE}{verb.answer}" if verb.answer else ""
    arguments = ", ".join(argument.replace(" ", HARD_SPACE) for argument in verb.arguments)
    line = textwrap.wrap(
        f"{verb.name}({arguments}){answer}", WIDTH,
        initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    yield ""
    yield from (part.replace(HARD_SPACE, " ") for part in line)
    yield from _filled(verb.meaning, indent=6)


def _fields(fields: Iterable[WrittenField]) -> Iterator[str]:
    for number, field in enumerate(fields):
        if number == 0:
            yield ""
        default = f" = {field.default}" if field.default else ""
        yield f"  {field.name}: {field.type}{default}"
        yield from _filled(field.meaning, indent=6)


def _named(meanings: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield ""
    for name, meaning in meanings:
        yield from textwrap.wrap(
            f"{name:<{NAMES}}{meaning}", WIDTH, initial_indent="  ", subsequent_indent=" " * (NAMES + 2)
        )


def _filled(text: str, indent: int = 0) -> Iterator[str]:
    """Paragraphs, filled; marks of code are removed, since they are for pages."""
    margin = " " * indent
    for number, paragraph in enumerate(text.replace("`", "").split("\n\n")):
        if number:
            yield ""
        yield from textwrap.wrap(
            paragraph, WIDTH, initial_indent=margin, subsequent_indent=margin, break_on_hyphens=False
        )
