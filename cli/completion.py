"""Completion in shells: names of adapters, ids of rules; and, in Bash, words with a colon, as most adapters have."""

import os
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

BREAKS = (":", "=")
"""Signs at which Bash breaks a word in two."""


def adapters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Adapters whose names begin with the text, and after the colon of a broker the versions that the suite was run
    on."""
    from tidegate.adapters.resolver import names, tried_versions

    found = [*names()]
    broker, colon, _ = incomplete.partition(":")
    if colon and broker in found and not any(name.startswith(f"{broker}:") for name in found):
        found += [f"{broker}:{version}" for version in tried_versions(broker)]
    return [name for name in found if name.startswith(incomplete)]


def rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of rules that begin with the text, in either case."""
    from tidegate.catalogue import catalogue

    return [rule for rule in catalogue() if rule.startswith(incomplete.upper())]


class WordsWithColons(BashComplete):
    """Completion in Bash, which breaks words at colons: this class joins them again and answers only the last part."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self._there = ""
        """The part of the word up to its last break, which is not part of the answer."""

    def get_completion_args(self) -> tuple[list[str], str]:
        typed = split_arg_string(os.environ["COMP_WORDS"])[1:]
        place = int(os.environ["COMP_CWORD"]) - 1
        words: list[str] = []
        for word in (*typed[:place], typed[place] if place < len(typed) else ""):
            if words and (word in BREAKS or words[-1].endswith(BREAKS)):
                words[-1] += word
            else:
                words.append(word)
        incomplete = words.pop() if words else ""
        value = incomplete.partition("=")[2] if incomplete.startswith("--") else incomplete
        whole = place < len(typed) and typed[place] == incomplete
        self._there = "" if whole else value[: value.rfind(":") + 1]
        return words, incomplete

    def format_completion(self, item: "CompletionItem[Any]") -> str:
        item.value = item.value.removeprefix(self._there)
        return super().format_completion(item)


def register() -> None:
    """Enable completion of words with a colon in Bash."""
    add_completion_class(WordsWithColons)
