"""Numbers with their nouns: 1 byte, 2,000 messages."""

import re

_ENDS = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("s", ""))
"""By end of a plural, the end of the singular."""
_COUNTED = re.compile(
    r"""'[^']*'|"[^"]*"|`[^`]*`"""  # a quotation keeps its words
    r"|(?<![\w,.:/-])1 (?P<nouns>bytes|messages|producers|consumers|credits|queues|lines|times|seconds|minutes|events"
    r"|rounds|scenarios|checks|rules|files)\b(?: (?P<verb>are|were|have)\b)?"
)
_VERBS = {"are": " is", "were": " was", "have": " has", None: ""}


def counted(count: int, nouns: str) -> str:
    """A number with its noun, which is given in the plural."""
    return f"{count:,} {nouns}" if count != 1 else f"1 {_singular(nouns)}"


def in_singular(text: str) -> str:
    """The text of a scenario or a check, with the singular behind each 1; a template writes `1 messages`."""
    return _COUNTED.sub(
        lambda found: f"1 {_singular(found['nouns'])}{_VERBS[found['verb']]}" if found["nouns"] else found[0], text
    )


def _singular(nouns: str) -> str:
    plural, singular = next(ends for ends in _ENDS if nouns.endswith(ends[0]))
    return f"{nouns.removesuffix(plural)}{singular}"
