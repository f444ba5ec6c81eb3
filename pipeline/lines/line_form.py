"""The form of a log message: reads its fields, or says which field is wrong.

`Message.parse` of the model only says that a line does not match its template. A person who must repair a log needs the
name of the wrong field; and a broker groups the digits of its figures as its locale does.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tidegate.model.language.message_text import CONTINUATION, PLACEHOLDER, Field
from tidegate.record.events import MOST

SEPARATORS = ",.'\u2019 \u00a0\u202f"
"""The separators of groups of three digits in locales. All figures are whole, so none of these begins a fraction."""
GROUPED = rf"\d{{1,3}}(?:(?P<separator>[{SEPARATORS}])\d{{3}})(?:(?P=separator)\d{{3}})*"


@dataclass(frozen=True)
class Shape:
    """The pattern of a field's type, and its description in words."""

    pattern: str
    words: str
    number: bool = False

    @cached_property
    def form(self) -> re.Pattern[str]:
        """The pattern that the whole field must match."""
        return re.compile(self.pattern, re.ASCII)


SHAPES: Mapping[str, Shape] = {
    "number": Shape(rf"\d+|{GROUPED}", "a whole number, if grouped then by one separator into threes", number=True),
    "limit": Shape(
        rf"-1|\d+|{GROUPED}", "a whole number, if grouped then by one separator into threes, or -1", number=True
    ),
    "plain": Shape(r"\d+", "a number of digits only", number=True),
    "level": Shape(r"-1|\d+", "a number of digits only, or -1", number=True),
    "name": Shape(r"[^()]+", "a name"),
    "quoted": Shape(r".+", "a name"),
    "rest": Shape(r".*", "anything"),
}
"""The types of fields."""


@dataclass(frozen=True)
class Unparsed:
    """A line with a mark that does not fit its form: what was expected, and in which field, if in one."""

    expected: str
    field: str | None = None


class LineForm:
    """The text of a message from its first literal piece on, with `{field:type}` placeholders.

    With `may_continue`, further fields after the text are allowed, as later versions append them.
    """

    def __init__(self, text: str, *, may_continue: bool = False):
        pieces = PLACEHOLDER.split(text)
        # split at a pattern of two groups gives: text, field, type, text, field, type, text
        self.text = text
        self.may_continue = may_continue
        self.literals: tuple[str, ...] = tuple(pieces[::3])
        self.types: Mapping[str, str] = dict(zip(pieces[1::3], pieces[2::3], strict=True))
        """The type of each field, in the order of the text."""
        if not self.opening:
            raise ValueError(f"expected a text that begins with more than a field, not {text!r}")

    @cached_property
    def _loose(self) -> re.Pattern[str]:
        """The literal pieces with anything between; compiled when needed, since most forms meet no line."""
        return re.compile(re.escape(self.opening) + self.behind_opening())

    def behind_opening(self, prefix: str = "") -> str:
        """The pattern of the text after the opening: a group for each field, named `prefix` and the field's name."""
        between = zip(self.types, self.literals[1:], strict=True)
        pieces = (f"(?P<{prefix}{name}>.*?){re.escape(literal)}" for name, literal in between)
        return "".join(pieces) + (CONTINUATION if self.may_continue else "")

    @property
    def opening(self) -> str:
        """The literal piece that the text begins with."""
        return self.literals[0]

    def parse(self, text: str) -> Mapping[str, Field] | Unparsed:
        """The fields of a text that begins with the opening; grouped figures must all use one separator."""
        found = self._loose.fullmatch(text.rstrip())
        if found is None:
            return Unparsed(f"expected {self.text!r}")
        fields: dict[str, Field] = {}
        separator: str | None = None
        for name, value in found.groupdict().items():
            shape = SHAPES[self.types[name]]
            fits = shape.form.fullmatch(value)
            if fits is None:
                return Unparsed(f"expected {shape.words}, not {value!r}", name)
            if not shape.number:
                fields[name] = value
                continue
            used = fits.groupdict().get("separator")
            if used is not None and used != (separator or used):
                return Unparsed(f"expected figures grouped by {separator!r} throughout, not {value!r}", name)
            separator = separator or used
            number = int(value.replace(used, "") if used else value)
            if number > MOST:
                return Unparsed(f"expected a number of at most {MOST}, not {value}", name)
            fields[name] = number
        return fields
