"""Lines of every form, however they are changed, are read fast as with care; and all that can be are read fast."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.pipeline.real_logs import LOGS, read_both_ways
from tests.sample import sampled
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, marked_lines, subject_of
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.log_form import Statement
from tidegate.pipeline.read.fast import read_lines
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.read.split import Input
from tidegate.record.events import Event

TIME = "2026-01-31 23:59:59,123 "
ALIKE = {
    "number": "1,200", "limit": "-1", "plain": "1200", "level": "1200", "name": "some name", "quoted": "a (name), so",
    "rest": "anything, 12 | or (other)",
}  # fmt: skip
"""A text that a field of each type may hold, with characters that also stand around fields."""
IN_FRONT = (
    "INFO  ",
    "INFO  [con:1(guest@/127.0.0.1:1/test)/ch:2] [vh(/test)/qu(orders)] ",
    "INFO  [con:1(guest@/127.0.0.1:1/test)/ch:2] ",
    "INFO  [vh(/test)/ms(Derby)] ",
    "INFO  topic://quotes, ",
    "INFO  [persistent://public/default/orders] ",
    "INFO  {rendered} -  ",
    *(f"{level} [main] client.AMQSession - " for level in ("TRACE", "DEBUG", "INFO", "WARN", "ERROR")),
)
"""What stands between the time and a text; a text that is about something needs one that says about what."""
FORMS = list(LOG_FORMS)
REPORTS = Path(__file__).parents[2] / "reports"
ODD = st.sampled_from([
    "(", ")", " ", "  ", "|", ", N", ",", ".", "-1", "0", "1,20", "1.200", "10000000000000000000", "\u00e9", "\u00a0",
    "\t", "\r", "\x0b", "\x1c", "\u2028", "'", "[", "]", "Z", "+01:00 ", "topic://x,", "Caused by: ",
])  # fmt: skip


def rendered(statement: Statement) -> str:
    """A line of a statement."""
    text = statement.text.literals[0]
    for kind, literal in zip(statement.text.types.values(), statement.text.literals[1:], strict=True):
        text += ALIKE[kind] + literal
    fronts = (TIME + front for front in IN_FRONT)
    return next(front for front in fronts if isinstance(_about(statement, front), Mapping)) + text


def _about(statement: Statement, front: str) -> Mapping[str, str] | Unparsed:
    return {} if statement.subject is None else subject_of(statement.subject, front)


@cache
def lines_of(form: str) -> tuple[str, ...]:
    """A line of each statement of a form, and the lines with marks in real logs."""
    return (*(rendered(statement) for statement in LOG_FORMS[form].statements), *_real(form))


def _real(form: str) -> Iterator[str]:
    for file in inputs(sorted(LOGS.rglob("*.log"))):
        if file.form == form:
            text = Path(file.path).read_bytes()
            yield from (decoded(text[begin:end]) for _, begin, end in marked_lines(LOG_FORMS[form], text))


@st.composite
def changed(draw: st.DrawFn, form: str) -> str:
    """A line of the form, with pieces of others and odd characters in it, or without pieces of its own."""
    lines = st.sampled_from(lines_of(form))
    line = draw(lines)
    for _ in range(draw(st.integers(0, 3))):
        at, gone = draw(st.integers(0, len(line))), draw(st.integers(0, 6))
        line = line[:at] + draw(st.one_of(ODD, st.just(""), _piece(draw, lines))) + line[at + gone :]
    return line.replace("\n", "")


def _piece(draw: st.DrawFn, lines: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    line = draw(lines)
    at = draw(st.integers(0, len(line)))
    return st.just(line[at : at + draw(st.integers(0, 60))])


def log_of(folder: Path, form: str, lines: list[str]) -> Input:
    path = folder / "some.log"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    return Input(path.name, str(path), form, stream="host")


@pytest.mark.parametrize("form", sampled(FORMS, 2))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_changed_lines_of_every_form_are_read_fast_as_with_care(tmp_path: Path, form: str, data: st.DataObject) -> None:
    lines = data.draw(st.lists(changed(form), max_size=8))
    read_both_ways(log_of(tmp_path, form, lines))


def read_with_care(form: str, text: bytes) -> list[str]:
    """The events that the fast reader leaves."""
    reader = CarefulReader(LOG_FORMS[form])
    left = (decoded(text[begin:end]) for _, begin, end in read_lines(text, reader).left)
    return [line for line in left if isinstance(reader.read(line, "s", 1), Event)]


@pytest.mark.parametrize("form", FORMS)
def test_every_statement_of_every_form_is_read_fast(form: str) -> None:
    lines = [rendered(statement) for statement in LOG_FORMS[form].statements]
    text = "".join(f"{line}\n" for line in lines).encode()
    assert read_with_care(form, text) == []
    assert read_lines(text, CarefulReader(LOG_FORMS[form])).columns.height > 0


@pytest.mark.parametrize("form", FORMS)
def test_any_blank_may_stand_behind_what_a_line_is_about(tmp_path: Path, form: str) -> None:
    """A line whose subject is overlooked may fit a later statement, which needs none."""
    blanks = [sign for sign in map(chr, range(0x110000)) if sign.isspace() and sign != "\n"]
    about = [statement for statement in LOG_FORMS[form].statements if statement.subject is not None]
    lines = [
        rendered(each).replace(each.text.opening, blank + each.text.opening, 1) for each in about for blank in blanks
    ]
    read_both_ways(log_of(tmp_path, form, lines))


@pytest.mark.parametrize(
    "log",
    sampled([*sorted(LOGS.rglob("*.log")), *sorted(REPORTS.glob("[aq]*/*.log"))], 8, name=lambda log: log.name),
    ids=lambda log: log.name,
)
def test_real_logs_are_read_fast_and_as_with_care(log: Path) -> None:
    (file,) = inputs([log])
    assert read_both_ways(file).quarantined.height == 0
    assert read_with_care(file.form, log.read_bytes()) == []
