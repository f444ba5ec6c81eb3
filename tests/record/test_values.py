"""Values of dataclasses come back from their texts, and nothing else is taken for one."""

import json
from dataclasses import dataclass, field
from enum import StrEnum

import pytest

from tidegate.record.values import BadValue, read_value, written


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Inner:
    number: int
    colour: Colour


@dataclass(frozen=True)
class Outer:
    name: str
    inners: tuple[Inner, ...]
    counts: dict[str, int] = field(default_factory=dict)
    nothing: str | None = None


VALUE = Outer("é", (Inner(1, Colour.RED), Inner(2, Colour.RED)), {"a": 3})


def test_a_value_comes_back() -> None:
    assert read_value(Outer, written(VALUE)) == VALUE


def test_a_value_is_written_as_it_is() -> None:
    inners = [{"number": 1, "colour": "red"}, {"number": 2, "colour": "red"}]
    said = written(VALUE)
    assert json.loads(said) == {"name": "é", "inners": inners, "counts": {"a": 3}, "nothing": None}
    assert said.endswith(b"\n")
    assert "é".encode() in said


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ('"number": 1', '"number": "1"', "inners.0.number"),
        ('"red"', '"blue"', "inners.0.colour"),
        ('"name"', '"names"', "name"),
        ('"counts": {"a": 3}', '"counts": {"a": 3.5}', "counts.a"),
        ('"nothing": null', '"nothing": null, "more": 1', "more"),
        ("{", "", ""),
    ],
)
def test_a_text_that_is_no_value_is_refused_with_its_first_wrong_field(old: str, new: str, wrong: str) -> None:
    said = written(VALUE).decode().replace(old, new, 1)
    with pytest.raises(BadValue) as caught:
        read_value(Outer, said.encode())
    assert caught.value.field == wrong
    assert caught.value.fault


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_number_that_json_has_not_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        written({"share": number})
