"""Each text of a broker or client in `spec/texts` is answered as its row says."""

from collections.abc import Iterator

import pytest

from tests.why.asking import ask
from tidegate.catalogue.log_texts import CANNOT_TELL, LogText, Writer, log_texts
from tidegate.why.answer import Answer, State

ROWS = [(writer, row) for writer in log_texts() for row in writer.texts]


def kind(found: Answer) -> str:
    """The answer in the words of the rows."""
    held = found.held
    if held is None and found.let_go:
        return "released"
    if held is None:
        return "if so" if found.quoted is not None else found.state.value
    if not held.holds:
        return "refused" if held.sends.startswith("fail") else "goes on"
    return "blocked" if found.state is State.BLOCKED else "blocked, limit open"


def differs(writer: Writer, row: LogText, found: Answer) -> Iterator[str]:
    """Where an answer is not what the row says."""
    if kind(found) != row.answer:
        yield f"the answer is {kind(found)!r}"
    held = found.held or found.quoted
    values = writer.values_of(row)
    if held is None or row.answer == CANNOT_TELL:
        return
    if held.setting != row.limit:
        yield f"the limit is {held.setting!r}"
    if values.get("place", "") not in held.place:
        yield f"the place is {held.place!r}"
    if "client" in values and not any(values["client"] in client for client in held.clients):
        yield f"the clients are {held.clients}"
    for name, figure in (("level", held.level), ("max", held.limit)):
        if figure is not None and name in values and figure != int(values[name].replace(",", "")):
            yield f"{name} is {figure}"


@pytest.mark.parametrize(("writer", "row"), ROWS, ids=[f"{writer.broker}: {row.text[:60]}" for writer, row in ROWS])
def test_a_text_is_answered_as_its_row_says(writer: Writer, row: LogText) -> None:
    assert list(differs(writer, row, ask(writer.line(row)))) == []


@pytest.mark.parametrize(("writer", "row"), ROWS, ids=[f"{writer.broker}: {row.text[:60]}" for writer, row in ROWS])
def test_an_answer_about_a_stop_names_an_event_that_releases_producers(writer: Writer, row: LogText) -> None:
    found = ask(writer.line(row))
    for held in filter(None, (found.held, found.quoted)):
        if held.holds:
            assert held.frees
            assert "depends" not in held.frees
