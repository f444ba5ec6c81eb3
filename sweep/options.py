"""Reads a grid from options of the command and from a file, as texts such as `1,2,4` and `1000:10000:1000`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import yaml

from tidegate.catalogue.yaml_text import read_yaml
from tidegate.record.errors import BadInput
from tidegate.record.events import MOST
from tidegate.record.hints import did_you_mean
from tidegate.sweep.configuration import AXES, MOST_RUNS, Grid, Mechanism

MECHANISM = "mechanism"
NAMES = (MECHANISM, *AXES)
RANGE = re.compile(r"(\d+):(\d+):(\d+)")
"""From, to (inclusive), step."""


@dataclass(frozen=True)
class Given:
    """The texts given for a figure, and where they were given."""

    texts: tuple[str, ...]
    field: str
    file: Path | None = None
    line: int | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts between commas."""
        return tuple(part.strip() for text in self.texts for part in text.split(","))

    def wrong(self, expected: str) -> BadInput:
        """The error that says what was expected at this place."""
        return BadInput(expected, file=self.file, line=self.line, field=self.field)


def given_by_options(options: Mapping[str, str | None]) -> dict[str, Given]:
    """The texts from options of the command, by the name of the figure."""
    return {name: Given((text,), f"--{option_name(name)}") for name, text in options.items() if text is not None}


def given_by_file(path: Path) -> dict[str, Given]:
    """The texts from a YAML file: names as in the options, each with a text, a number or a list of these."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"expected a YAML file that can be read, but {error}", file=path) from error
    # values stay texts, since YAML reads 10:50:10 as a number of base 60
    content = read_yaml(text, str(path), loader=yaml.BaseLoader)
    if not isinstance(content.data, dict):
        raise BadInput("expected a mapping of figures to their values", file=path, line=1)
    found: dict[str, Given] = {}
    for key, value in content.data.items():
        name, line = str(key).replace("-", "_"), content.line_of((key,))
        texts = tuple(value) if isinstance(value, list) else (value,)
        given = Given(texts, str(key), path, line)
        if name not in NAMES:
            known = tuple(map(option_name, NAMES))
            raise given.wrong(f"expected one of {', '.join(known)}{did_you_mean(option_name(name), known)}")
        if not all(isinstance(each, str) for each in texts):
            raise given.wrong("expected a number, a range such as 1000:10000:1000, or a list of these")
        found[name] = given
    return found


def read_grid(given: Mapping[str, Given]) -> Grid:
    """The grid; raises BadInput where a value has no meaning or belongs to no chosen mechanism."""
    mechanisms = _mechanisms(given[MECHANISM]) if MECHANISM in given else (Mechanism.QPID_QUEUE,)
    values = {name: _values(name, each, mechanisms) for name, each in given.items() if name != MECHANISM}
    if "resume" in values and "resume_percent" in values:
        raise given["resume_percent"].wrong("expected the resume level in bytes or in percent, not both")
    return Grid(mechanisms, values)


def option_name(name: str) -> str:
    """The name of a figure on the command line and in a file."""
    return name.replace("_", "-")


def _mechanisms(given: Given) -> tuple[Mechanism, ...]:
    try:
        return tuple(dict.fromkeys(map(Mechanism, given.parts)))
    except ValueError:
        wrong = next(each for each in given.parts if each not in tuple(Mechanism))
        hint = did_you_mean(str(wrong), Mechanism)
        raise given.wrong(f"expected some of {', '.join(Mechanism)}, not {wrong!r}{hint}") from None


def _values(name: str, given: Given, mechanisms: Iterable[Mechanism]) -> tuple[int, ...]:
    axis = AXES[name]
    if axis.only.isdisjoint(mechanisms):
        owners = " or ".join(sorted(axis.only))
        raise given.wrong(f"expected only with mechanism {owners}, which has such a figure")
    found = tuple(sorted(set(chain.from_iterable(_numbers(part, given) for part in given.parts))))
    if found[0] < axis.least or found[-1] > MOST:
        wrong = found[0] if found[0] < axis.least else found[-1]
        raise given.wrong(f"expected numbers from {axis.least} to {MOST}, not {wrong}")
    return found


def _numbers(part: str, given: Given) -> Iterable[int]:
    if part.isascii() and part.isdigit():
        return (int(part),)
    found = RANGE.fullmatch(part)
    if found is None:
        raise given.wrong(f"expected numbers such as 1,2,4 or a range such as 1000:10000:1000, not {part!r}")
    first, last, step = map(int, found.groups())
    if step == 0 or last < first:
        raise given.wrong(f"expected a range from a lower to a higher number by a step above 0, not {part!r}")
    numbers = range(first, last + 1, step)
    if len(numbers) > MOST_RUNS:
        raise given.wrong(f"expected at most {MOST_RUNS:,} values, and {part!r} makes {len(numbers):,}")
    return numbers
