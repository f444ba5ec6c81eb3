"""The marks of lines are found as a search for each of them would find them."""

from hypothesis import given
from hypothesis import strategies as st

from tidegate.why.lines import FORMS
from tidegate.why.marks import MARKS, marked, split

TEXTS = st.text("abAQM2 (:=_é", max_size=9)
PAIRS = [(mark[:place], mark[place + 1 :]) for mark in MARKS for place in range(1, len(mark)) if mark[place] == " "]


def test_every_expression_compiles() -> None:
    assert all(form.pattern.pattern == form.expression for form in FORMS)


@given(TEXTS, st.sampled_from(MARKS), TEXTS)
def test_every_mark_is_found_wherever_it_stands(front: str, mark: str, behind: str) -> None:
    assert marked(f"{front}{mark}{behind}")


@given(st.lists(st.sampled_from(MARKS), max_size=2), st.integers(1, 9), TEXTS)
def test_a_part_of_a_mark_is_none(marks: list[str], left_out: int, front: str) -> None:
    text = front + front.join(mark[left_out:] for mark in marks)
    assert marked(text) == any(mark in text for mark in MARKS)


@given(TEXTS, st.sampled_from(PAIRS), TEXTS)
def test_a_mark_that_is_wrapped_at_a_space_is_found(front: str, pair: tuple[str, str], behind: str) -> None:
    assert split(front + pair[0], pair[1] + behind)


@given(TEXTS, st.sampled_from(PAIRS), st.sampled_from(PAIRS))
def test_two_parts_that_are_of_no_mark_are_none(front: str, one: tuple[str, str], other: tuple[str, str]) -> None:
    end, behind = front + one[0], other[1]
    assert split(end, behind) == any(end.endswith(first) and behind.startswith(rest) for first, rest in PAIRS)
