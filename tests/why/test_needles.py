"""Lines are ruled out only if a search would find nothing in them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.catalogue.log_texts import log_texts
from tidegate.why.lines import FORMS
from tidegate.why.lines.needed import Clause, Sign, needed
from tidegate.why.needles import LONG, Needles

TEXTS = st.text("abcdé \n", max_size=12)
WORDS = st.lists(st.text("abcd ", min_size=1, max_size=LONG + 4), min_size=1, max_size=6)


@given(WORDS, st.lists(TEXTS, max_size=4), st.data())
def test_a_line_has_what_a_search_for_each_text_finds(words: list[str], parts: list[str], data: st.DataObject) -> None:
    between = data.draw(st.lists(st.sampled_from(words), max_size=4))
    line = "".join(part for pair in zip([*parts, ""], [*between, ""], strict=False) for part in pair)
    sought = Needles(words)
    assert set(sought.found(line)) == {word for word in words if word in line}
    assert sought.any(line) == any(word in line for word in words)


CLAUSES: list[tuple[str, tuple[Clause, ...]]] = [
    # an expression, what each of its matches has
    ("the (?:red|blue) door", (("the ",), ("red", "blue"), (" door",))),
    ("ab?cd", (("cd",),)),
    ("ab+cd", (("ab",), ("cd",))),
    ("ab{2}cd", (("ab",), ("cd",))),
    ("ab{0,2}cd", (("cd",),)),
    (r"one\.two\dthree", (("one.two",), ("three",))),
    (r"(?:open )?door", (("door",),)),
    (r"(?P<name>full|empty) queue(?! no)", (("full", "empty"), (" queue",))),
    (r"(?<=not )full", (("full",),)),
    ("(?i:memory) limit", ((" limit",),)),
    ("red|[ab]lue", (("red", "lue"),)),
    (r"red|[ab]\d", ()),
    (r"(?P<quote>['\"])?name(?(quote)too)", (("name",),)),
    ("[]a]bc[^]]de", (("bc",), ("de",))),
]


@pytest.mark.parametrize(("expression", "clauses"), CLAUSES)
def test_what_each_match_has_is_derived_from_the_expression(expression: str, clauses: tuple[Clause, ...]) -> None:
    assert needed(expression) == clauses


@given(st.sampled_from([expression for expression, _ in CLAUSES if "(?(" not in expression]), st.data())
def test_a_match_has_a_text_of_each_clause(expression: str, data: st.DataObject) -> None:
    match = data.draw(st.from_regex(expression))
    assert all(any(text in match for text in clause) for clause in needed(expression))


def test_every_expression_of_a_form_shows_what_its_matches_have() -> None:
    assert all(needed(form.expression) for form in FORMS)


def test_no_form_that_matches_a_known_text_is_ruled_out() -> None:
    lines = [writer.line(row) for writer in log_texts() for row in writer.texts]
    found = [(form, line) for form in FORMS for line in lines if form.mark in line and form.pattern.search(line)]
    assert len(found) > len(lines) / 2
    assert all(form.may_match(line) for form, line in found)


@given(st.sampled_from([r"\bkafka", "rabbit|=[A-Z]+ REPORT"]), st.text("kafrbitKA =REPO", max_size=20))
def test_a_sign_is_found_as_a_search_finds_it(expression: str, line: str) -> None:
    for flags in (re.RegexFlag(0), re.IGNORECASE):
        assert Sign(expression, flags).found(line, line.lower()) == bool(re.search(expression, line, flags))
