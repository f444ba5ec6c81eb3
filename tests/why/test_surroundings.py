"""Known texts in the hands of tools, pages and people, and cut off: the answer stays, or says less, but never another
limit."""

import re
from collections.abc import Iterable, Iterator

import pytest

from tests.sample import drawn
from tests.why.asking import ask
from tests.why.deformations import DEFORMATIONS
from tests.why.test_known_texts import ROWS, kind
from tidegate.catalogue.log_texts import CANNOT_TELL, LogText, Writer
from tidegate.why.answer import Answer

FRONT = "2026-11-26 10:00:01,345 WARN  "
LENGTHS = range(30, 121, 10)
A_FEW = 6
"""How many texts each change of the code tries in one of the surroundings; a nightly run tries all."""
PARTS = re.compile(r",? or |, ")
"""What stands between the names of limits of which a line does not tell which is reached."""
WEAKER = {
    "blocked": ("blocked, limit open", "if so", CANNOT_TELL),
    "blocked, limit open": ("if so", CANNOT_TELL),
    "refused": ("if so", CANNOT_TELL),
    "goes on": ("if so", CANNOT_TELL),
    "released": (CANNOT_TELL,),
    "if so": ("blocked", CANNOT_TELL),  # a message at the beginning of a line is one of a log
}
CUT_TOO = {"refused": ("blocked", "blocked, limit open"), "goes on": ("blocked, limit open",)}
"""A line that is cut off may lack the words that tell a refused send from one that waits."""
Row = tuple[Writer, LogText]


def limits(found: Answer) -> set[str]:
    """The limits of which one is reached by the answer; none if it names no limit."""
    held = found.held or found.quoted
    return set(PARTS.split(held.setting)) - {""} if held is not None else set()


def place(found: Answer) -> str:
    """The name of the place in the answer, without its kind."""
    held = found.held or found.quoted
    return held.place.rpartition(" ")[2] if held is not None and "does not name" not in held.place else ""


def differs(found: Answer, due: Answer, *, cut: bool = False) -> bool:
    """Whether an answer says anything that the answer about the undamaged line does not."""
    allowed = (kind(due), *WEAKER.get(kind(due), ()), *(CUT_TOO.get(kind(due), ()) if cut else ()))
    another = bool(limits(found)) and bool(limits(due)) and not limits(found) & limits(due)
    return kind(found) not in allowed or another or (not cut and place(found) not in place(due))


def wrong(rows: Iterable[Row], name: str) -> Iterator[str]:
    """The rows whose text, in the surroundings of a name, is answered by something else."""
    for writer, row in rows:
        line = f"{FRONT}{writer.line(row)}"
        found = ask(DEFORMATIONS[name](line))
        if differs(found, ask(line)):
            yield f"{row.text[:80]}: {kind(found)} by {limits(found)} at {place(found)!r}"


def wrongly_cut(rows: Iterable[Row], length: int) -> Iterator[str]:
    """The rows whose text, cut off at a length, is answered by something else."""
    for writer, row in rows:
        found = ask(writer.line(row)[:length])
        if differs(found, ask(writer.line(row)), cut=True):
            yield f"{writer.line(row)[:length]}: {kind(found)} by {limits(found)}"


@pytest.mark.parametrize("name", DEFORMATIONS)
def test_no_surroundings_make_it_another_limit(name: str) -> None:
    assert list(wrong(drawn(ROWS, A_FEW, name=lambda row: f"{name} {row[1].text}"), name)) == []


@pytest.mark.parametrize("length", LENGTHS)
def test_no_cut_makes_it_another_limit(length: int) -> None:
    rows = drawn(ROWS, 5 * A_FEW, name=lambda row: f"{length} {row[1].text}")
    assert list(wrongly_cut(rows, length)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", DEFORMATIONS)
def test_no_surroundings_make_any_text_another_limit(name: str) -> None:
    assert list(wrong(ROWS, name)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("length", LENGTHS)
def test_no_cut_makes_any_text_another_limit(length: int) -> None:
    assert list(wrongly_cut(ROWS, length)) == []
