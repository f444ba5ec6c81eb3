"""YAML with the line of each value, so that an error can name file, line and field."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean

Model = TypeVar("Model", bound=BaseModel)
Path = Sequence[int | str]
"""Keys and positions that lead to a value, as pydantic reports them."""
FAST_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader of PyYAML, in C where the library was built with it."""


@dataclass(frozen=True)
class YamlText:
    """A parsed YAML document: its data, its file, and the line in that file of each value."""

    data: Any
    file: str
    lines: Mapping[tuple[int | str, ...], int]

    def line_of(self, path: Path) -> int:
        """The line of the value at this path, or of the nearest value around it where there is none."""
        place = tuple(path)
        while place not in self.lines:
            place = place[:-1]
        return self.lines[place]

    def validated(self, model: type[Model]) -> Model:
        """The data as this model; raises BadInput at the first value that does not fit."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"])) or None
            expected = _expectation(first) + _field_meant(first, model)
            raise BadInput(expected, file=self.file, line=self.line_of(first["loc"]), field=field) from error


def read_yaml(
    text: str, file: str, first_line: int = 1, loader: type[yaml.SafeLoader | yaml.BaseLoader] = FAST_LOADER
) -> YamlText:
    """Parse YAML that begins at `first_line` of `file`; with the BaseLoader every value stays a text.

    Raises BadInput where the text is not YAML, is empty, or has a key twice.
    """
    try:
        loading = loader(text)
        root = loading.get_single_node()
        if root is None:
            raise BadInput("expected a YAML mapping, found nothing", file=file, line=first_line)
        lines: dict[tuple[int | str, ...], int] = {}
        _note_lines(root, (), lines, file, first_line)
        try:
            return YamlText(loading.construct_document(root), file, lines)
        except ValueError as error:  # such as an impossible date; the library does not say where
            line = first_line + _unreadable(root, loader).start_mark.line
            raise BadInput(f"expected a valid value, but {error}", file=file, line=line) from error
    except yaml.MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise BadInput(f"expected YAML, but {error.problem}", file=file, line=line) from error


def _note_lines(
    node: yaml.Node,
    place: tuple[int | str, ...],
    lines: dict[tuple[int | str, ...], int],
    file: str,
    first_line: int,
) -> None:
    if place in lines:
        raise BadInput(
            "expected each key once",
            file=file,
            line=first_line + node.start_mark.line,
            field=".".join(map(str, place)),
        )
    lines[place] = first_line + node.start_mark.line
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _note_lines(value, (*place, str(key.value)), lines, file, first_line)
    elif isinstance(node, yaml.SequenceNode):
        for position, value in enumerate(node.value):
            _note_lines(value, (*place, position), lines, file, first_line)


def _unreadable(node: yaml.Node, loader: type[yaml.SafeLoader | yaml.BaseLoader]) -> yaml.Node:
    """The innermost node whose value cannot be made; the node itself where all inner values can."""
    inside: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        inside = [one for pair in node.value for one in pair]
    elif isinstance(node, yaml.SequenceNode):
        inside = node.value
    for one in inside:
        try:
            loader("").construct_document(one)
        except ValueError:
            return _unreadable(one, loader)
    return node


_EXPECTED = {
    "extra_forbidden": "expected no field of this name",
    "missing": "expected this field",
    "string_type": "expected a text, in quotes where YAML reads something else",
    "tuple_type": "expected a list",
    "bool_type": "expected true or false",
}
"""The expectation for each kind of error of the library."""


def _field_meant(error: Mapping[str, Any], model: type[BaseModel]) -> str:
    """The question whether a field of the model, or of a model within it, is meant by an unknown field."""
    if error["type"] != "extra_forbidden":
        return ""
    whole = model.model_json_schema()
    parts = (whole, *whole.get("$defs", {}).values())
    return did_you_mean(str(error["loc"][-1]), (name for part in parts for name in part.get("properties", ())))


def _expectation(error: Mapping[str, Any]) -> str:
    if error["type"] in _EXPECTED:
        return _EXPECTED[error["type"]]
    own = error["msg"].removeprefix("Value error, ")
    return str(own[:1].lower() + own[1:])
