"""The form of a log message: reads its fields, or says which of them is not what it should be.

`Message.parse` of the model only says that a line is not a rendering of its template. A person who has to mend
a log, or to read one of another locale, needs the field.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from headgate.model.message_text import CONTINUATION, PLACEHOLDER, SHAPES, Field, Message
from headgate.pipeline.schema import LARGEST

NUMBERS = {
    "number": (SHAPES["number"], "a number with a comma between groups of three digits"),
    "plain": (r"\d+", "a number of digits only"),
    "level": (r"-1|\d+", "a number of digits only, or -1"),
}
TEXTS = {
    "name": (SHAPES["name"], "a name"),
    "quoted": (r".+", "a name"),
    "rest": (r".*", "anything"),
}
"""Type of a field to its shape, and the shape in words."""


@dataclass(frozen=True)
class Unparsed:
    """A line that looks relevant and is not in its form: what was expected, and of which field if of one."""

    expected: str
    field: str | None = None


class LineForm:
    """The text of a message from its code on, with `{field:type}` placeholders."""

    def __init__(self, text: str, *, may_continue: bool = False):
        self.text = text
        self._types = {found["field"]: found["type"] for found in PLACEHOLDER.finditer(text)}
        pieces = PLACEHOLDER.split(text)
        # split at a pattern of two groups gives: text, field, type, text, field, type, text
        literals, names = pieces[::3], pieces[1::3]
        pattern = re.escape(literals[0])
        for name, literal in zip(names, literals[1:], strict=True):
            pattern += f"(?P<{name}>.*?){re.escape(literal)}"
        self._loose = re.compile(pattern + (CONTINUATION if may_continue else ""))

    @classmethod
    def of(cls, message: Message) -> "LineForm":
        """The form of a message of the model."""
        return cls(f"{message.code} : {message.text}", may_continue=message.may_continue)

    def parse(self, text: str) -> Mapping[str, Field] | Unparsed:
        """The fields of a message that begins with its code."""
        found = self._loose.fullmatch(text.rstrip())
        if found is None:
            return Unparsed(f"expected {self.text!r}")
        fields: dict[str, Field] = {}
        for name, value in found.groupdict().items():
            kind = self._types[name]
            shape, words = (NUMBERS | TEXTS)[kind]
            if re.fullmatch(shape, value) is None:
                return Unparsed(f"expected {words}, not {value!r}", name)
            if kind not in NUMBERS:
                fields[name] = value
                continue
            number = int(value.replace(",", ""))
            if number > LARGEST:
                return Unparsed(f"expected a number of at most {LARGEST}, not {value}", name)
            fields[name] = number
        return fields
