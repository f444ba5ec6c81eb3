"""Numbers with their nouns."""

import pytest

from tidegate.record.counts import counted, in_singular
from tidegate.record.report import Check, CheckKind, CheckResult


@pytest.mark.parametrize(
    ("count", "nouns", "words"),
    [
        (0, "messages", "0 messages"),
        (1, "messages", "1 message"),
        (1, "bytes", "1 byte"),
        (1, "entries", "1 entry"),
        (1, "addresses", "1 address"),
        (1, "branches", "1 branch"),
        (2_000, "bytes", "2,000 bytes"),
    ],
)
def test_a_number_has_the_singular_behind_1_only(count: int, nouns: str, words: str) -> None:
    assert counted(count, nouns) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a producer sends 11 messages of 1 bytes", "a producer sends 11 messages of 1 byte"),
        ("the log has 1 lines with", "the log has 1 line with"),
        ("a rate of -1 messages per second", "a rate of -1 messages per second"),
        ("from 0.1 seconds to 2,001 bytes or 1,1 bytes", "from 0.1 seconds to 2,001 bytes or 1,1 bytes"),
        ("the line 'Dropped : 1 messages' and 1 messages", "the line 'Dropped : 1 messages' and 1 message"),
    ],
)
def test_the_text_of_a_scenario_has_the_singular_behind_1_and_quotations_keep_their_words(
    text: str, words: str
) -> None:
    assert in_singular(text) == words


def test_a_check_shows_what_it_did_with_the_singular_and_what_was_seen_as_it_was() -> None:
    check = Check(
        "a", CheckKind.SCENARIO, CheckResult.KEPT, (), ("When 1 messages are sent",), "1 bytes", "1 times", ""
    )
    assert (check.done, check.expected, check.seen) == (("When 1 message is sent",), "1 byte", "1 times")
