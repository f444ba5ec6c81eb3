"""Shows a comparison of two versions under one configuration on a terminal of 80 columns."""

import textwrap
from collections.abc import Iterator
from typing import Any

from tidegate.explain.show import WIDTH


def lines(compared: dict[str, Any]) -> Iterator[str]:
    """The changes for this configuration, the rules that show a difference, and the rules that cannot."""
    yield from _wrapped(f"{compared['file']}: from {compared['before']} to {compared['after']}")
    if compared["same_model"]:
        yield from _wrapped("The model of both versions is the same, so it shows no difference.")
        yield from _seen(compared)
        return
    yield ""
    yield "Limits, worst cases and findings that change:"
    yield from _items(compared["changes"])
    if compared["defaults"]:
        yield ""
        yield "Defaults that differ, whatever the file sets:"
        yield from _items(compared["defaults"])
    yield ""
    yield from _wrapped(
        "Rules that give another answer in a state that this configuration allows, with the smallest such state:"
    )
    for each in compared["met"]:
        yield from _wrapped(f"{each['rule']}: {each['sentence']}", 2)
        for fact in (*each["given"], f"before: {each['before']}", f"after: {each['after']}"):
            yield from _wrapped(fact, 6)
    if not compared["met"]:
        yield from _items([])
    for key, words in (
        ("not_met", "Rules that differ, but never under this configuration (proved)"),
        ("not_known", "Rules that the solver could not compare"),
    ):
        if compared[key]:
            yield ""
            yield from _wrapped(f"{words}: {', '.join(compared[key])}")
    yield from _seen(compared)


def _seen(compared: dict[str, Any]) -> Iterator[str]:
    if compared["seen"]:
        yield ""
        yield from _wrapped(
            "What runs of both versions showed differently, for rules that this configuration relies on:"
        )
        yield from _items(compared["seen"])


def _items(texts: list[str]) -> Iterator[str]:
    for text in texts or ["nothing"]:
        yield from _wrapped(text, 2)


def _wrapped(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 2), break_on_hyphens=False
    ) or [""]
