"""Log messages as templates with typed fields, which render and parse by one definition."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

Field = str | int

SHAPES = {"number": r"\d{1,3}(?:,\d{3})*|\d+", "name": r"[^()]+"}
"""The pattern of a field of each type; numbers carry a comma between groups of three digits."""
CONTINUATION = r"(?:, [A-Z].*)?"
"""Further fields, each with its name, as later versions append them; never a text that could be part of a number."""
PLACEHOLDER = re.compile(r"\{(?P<field>\w+):(?P<type>\w+)\}")


@dataclass(frozen=True)
class Message:
    """A message's code and its text with `{field:type}` placeholders; a type is `number` or `name`."""

    code: str
    text: str
    may_continue: bool = False
    """Whether further fields may follow, which are not part of the message."""

    def render(self, fields: Mapping[str, Field]) -> str:
        """`CODE : text` with the fields filled in; KeyError for a missing one."""
        filled = PLACEHOLDER.sub(lambda found: _shown(fields[found["field"]]), self.text)
        return f"{self.code} : {filled}"

    def parse(self, line: str) -> dict[str, Field] | None:
        """The fields of a line that ends with this message; None where it does not."""
        found = self._pattern.search(line)
        if found is None:
            return None
        return {
            field: int(value.replace(",", "")) if self._types[field] == "number" else value
            for field, value in found.groupdict().items()
        }

    @cached_property
    def _types(self) -> dict[str, str]:
        return {found["field"]: found["type"] for found in PLACEHOLDER.finditer(self.text)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        pieces, position = [], 0
        for found in PLACEHOLDER.finditer(self.text):
            pieces.append(re.escape(self.text[position : found.start()]))
            pieces.append(f"(?P<{found['field']}>{SHAPES[found['type']]})")
            position = found.end()
        pieces.append(re.escape(self.text[position:]))
        rest = CONTINUATION if self.may_continue else ""
        return re.compile(rf"{re.escape(self.code)} : {''.join(pieces)}{rest}\s*$")


def _shown(value: Field) -> str:
    return f"{value:,}" if isinstance(value, int) else value
