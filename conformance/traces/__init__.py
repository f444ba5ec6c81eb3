"""Literal traces: short traces, with the judgement of one module's trace rules on each event.

Each module with trace rules has a file of the same name. A rule that is not named for an event must not judge it, so a
trace also shows which events a rule ignores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import BaseModel, ConfigDict, RootModel, ValidationError

from tidegate.catalogue.yaml_text import YamlText, read_yaml
from tidegate.model import traces
from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition
from tidegate.record.errors import BadInput
from tidegate.record.events import Event
from tidegate.record.trace import FIELDS
from tidegate.record.values import checks

SUFFIX = ".yaml"
Said = Mapping[str, Sequence[int]]
"""By the name of a trace rule, the numbers of the events that it judges alike, from 1 on, in order."""


@dataclass(frozen=True)
class LiteralTrace:
    """A trace and its judgements: the events at which each rule of the module holds, and those at which it does not.

    An event without a channel or a connection has its producer's, as in the traces of runs.
    """

    module: str
    name: str
    events: tuple[Event, ...]
    kept: Said
    violated: Said


class _Written(BaseModel):
    """A trace in its file; its place gives the source, number and time of each event."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    trace: str
    events: list[dict[str, Any]]
    kept: dict[str, list[int]] = {}
    violated: dict[str, list[int]] = {}


class _File(RootModel[list[_Written]]):
    """The traces of a file."""


@cache
def literal_traces() -> tuple[LiteralTrace, ...]:
    """Every literal trace, by file and in its order; BadInput for a malformed one."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(SUFFIX))
    return tuple(trace for file in sorted(found, key=lambda file: file.name) for trace in read_traces(file))


def read_traces(file: Traversable) -> tuple[LiteralTrace, ...]:
    """The traces of one file; raises BadInput with line and field if one is malformed."""
    text = read_yaml(file.read_text(encoding="utf-8"), file.name)
    module = f"{traces.__name__}.{file.name.removesuffix(SUFFIX)}"
    return tuple(
        LiteralTrace(module, written.trace, tuple(_events(written, text, at)), written.kept, written.violated)
        for at, written in enumerate(text.validated(_File).root)
    )


def said_of(trace: LiteralTrace, rules: Iterable[Definition]) -> tuple[Said, Said]:
    """The events at which these rules hold of the trace, and those at which they do not."""
    kept: dict[str, list[int]] = {}
    violated: dict[str, list[int]] = {}
    judge = Judge(rules)
    for event in trace.events:
        for said in judge.judge(event):
            (kept if said.holds else violated).setdefault(said.rule.name, []).append(event.seq)
    return kept, violated


def _events(written: _Written, text: YamlText, at: int) -> Iterable[Event]:
    for number, fields in enumerate(written.events):
        of_producer = {name: fields["producer"] for name in ("connection", "channel") if "producer" in fields}
        place = {"source": written.trace, "seq": number + 1, "time": number + 1}
        line = text.line_of((at, "events", number))
        if unknown := fields.keys() - set(FIELDS):
            raise BadInput("expected a field of events", file=text.file, line=line, field=min(unknown))
        try:
            yield checks(Event).validate_python({**place, **of_producer, **fields})
        except ValidationError as error:
            raise BadInput(f"expected an event: {error.errors()[0]['msg']}", file=text.file, line=line) from error
