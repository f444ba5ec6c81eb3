"""Log texts of brokers and clients about blocked, released or refused producers, taken from their source code.

The files of `spec/texts` have one row for each text: its writer, its releases, and the answer of `tidegate why`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tidegate.catalogue.ledger import Text
from tidegate.catalogue.shelf import spec_folder
from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.record.errors import BadInput

FOLDER = "texts"
VALUE = re.compile(r"\{([a-z]+)\}")
"""A name in braces, in place of a value."""
CANNOT_TELL = "cannot be told"


class LogText(BaseModel):
    """A log text with named fields in braces. `versions` are the releases that write it; `where` names the log or view.

    `limit` is the setting that the answer names, or empty. If the answer is that the limit cannot be told,
    `because` says why.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    text: Text
    versions: Text
    where: Text
    kind: Literal["blocked", "released", "rejected", "warning", "level"]
    limit: str
    answer: Literal["blocked", "blocked, limit open", "refused", "goes on", "released", "if so", "cannot be told"]
    because: str = ""
    values: Mapping[Text, Text] = {}


class Writer(BaseModel):
    """The texts of a broker or a group of clients, with the values that tests put in place of the names in braces."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    broker: Text
    values: Mapping[Text, Text]
    texts: Annotated[list[LogText], Field(min_length=1)]

    def values_of(self, row: LogText) -> dict[str, str]:
        """The value of each name in braces in a text."""
        values = {**self.values, **row.values}
        return {name: values[name] for name in VALUE.findall(row.text)}

    def line(self, row: LogText) -> str:
        """The text with its values."""
        values = self.values_of(row)
        return VALUE.sub(lambda name: values[name[1]], row.text)


@cache
def log_texts() -> tuple[Writer, ...]:
    """The texts of every broker, by the broker's name; BadInput for a malformed file."""
    return tuple(sorted(read_log_texts(spec_folder()), key=lambda writer: writer.broker))


def read_log_texts(folder: Traversable) -> Iterator[Writer]:
    """The texts below a spec folder, one file for each broker; raises BadInput naming file, line and field."""
    files = folder.joinpath(FOLDER)
    for name in sorted(entry.name for entry in files.iterdir() if entry.name.endswith(".yaml")):
        text = read_yaml(files.joinpath(name).read_text(encoding="utf-8"), f"{FOLDER}/{name}")
        writer = text.validated(Writer)
        for defect in _defects(writer, text):
            raise defect
        yield writer


def _defects(writer: Writer, text: YamlText) -> Iterator[BadInput]:
    seen: set[tuple[str, str]] = set()
    for place, row in enumerate(writer.texts):
        for name in VALUE.findall(row.text):
            if name not in writer.values and name not in row.values:
                yield _refused(text, f"expected a value of {name} in values", place, "text")
        if (row.answer == CANNOT_TELL) != bool(row.because):
            yield _refused(text, f"expected a reason in because if and only if the answer is {CANNOT_TELL!r}", place)
        if (row.text, row.where) in seen:
            yield _refused(text, "expected each text of a log once", place, "text")
        seen.add((row.text, row.where))


def _refused(text: YamlText, expected: str, *path: int | str) -> BadInput:
    place = ("texts", *path)
    return BadInput(expected, file=text.file, line=text.line_of(place), field=".".join(map(str, place)))
