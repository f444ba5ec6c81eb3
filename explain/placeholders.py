"""Placeholders in a configuration: ${name}, ${name:default}, and @NAME@ of templates. Their values stand elsewhere."""

import re
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"\$\{([^${}]*)\}")
_OF_A_TEMPLATE = re.compile(r"@(\w+)@")


@dataclass(frozen=True)
class Filled:
    """A text with its placeholders' defaults filled in; `text` is None where one has no default."""

    text: str | None
    names: tuple[str, ...]
    """The placeholders in it."""


def filled(text: str) -> Filled:
    """Fill in the defaults that stand after the first colon of each placeholder, innermost first."""
    names = _OF_A_TEMPLATE.findall(text)
    unknown = bool(names)
    while found := _PLACEHOLDER.search(text):
        name, colon, default = found[1].partition(":")
        names.append(name)
        unknown |= not colon
        text = text[: found.start()] + default + text[found.end() :]
    return Filled(None if unknown else text, tuple(names))
