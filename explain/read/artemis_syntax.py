"""The syntax of addresses of an Artemis broker, which a broker.xml may change with `wildcard-addresses`."""

import re
from dataclasses import dataclass

USUAL = {"delimiter": ".", "single-word": "*", "any-words": "#"}
"""By element of `wildcard-addresses`, the default sign."""
PLAIN = {"*": "(asterisk)", "#": "(number sign)", ".": "(dot)"}
"""The default signs as plain words, for a file in which they have no meaning."""


@dataclass(frozen=True)
class Syntax:
    """The syntax of addresses: the delimiter of words, and the wildcards for one word and for any number of words."""

    delimiter: str = "."
    one: str = "*"
    rest: str = "#"

    def usual(self, match: str) -> str:
        """A match in the default syntax; a default sign without a meaning in the file becomes a plain word."""
        if self == Syntax():
            return match
        signs = {**PLAIN, self.delimiter: ".", self.one: "*", self.rest: "#"}
        longest_first = sorted(filter(None, signs), key=len, reverse=True)
        return re.sub("|".join(map(re.escape, longest_first)), lambda found: signs[found[0]], match)

    def plain(self, match: str) -> tuple[str, ...]:
        """The default signs in a match that have no meaning in the file."""
        return tuple(sign for sign in PLAIN if sign in match and sign not in (self.delimiter, self.one, self.rest))
