"""The rule by which documents are cut, case by case."""

import hashlib

import pytest

from tidegate.catalogue.sentences import WRAPPED_WIDTH, fingerprint, sentences

LONG_LINE = "A " + "very " * WRAPPED_WIDTH + "long line."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ("One.", "Two!", "Three?")),
        ('It is "full". It stops.', ('It is "full".', "It stops.")),
        ("It says so (see there.) Then it ends.", ("It says so (see there.)", "Then it ends.")),
        ("The value can be: none.", ("The value can be:", "none.")),
        ("QUE-1003 : Overfull : Size", ("QUE-1003 : Overfull : Size",)),
        ("Since 0.6 it holds.", ("Since 0.6 it holds.",)),
        ("A file, e.g. this one.", ("A file, e.g. this one.",)),
        ("I.e. the total.", ("I.e. the total.",)),
        ("Queues, topics, etc. are meant.", ("Queues, topics, etc. are meant.",)),
        ("Queues, topics, etc. They are meant.", ("Queues, topics, etc.", "They are meant.")),
        ("1. A heading", ("1. A heading",)),
        ("test 10 8 ]]> The default", ("test 10 8 ]]>", "The default")),
        ("one\ntwo.\n\nthree", ("one two.", "three")),
        ("# Heading\ntext", ("Heading", "text")),
        ("text\n- first\n- second", ("text", "first", "second")),
        ("a rule - with a dash", ("a rule - with a dash",)),
        ("> **Note**\n>\n> quoted", ("**Note**", "quoted")),
        (
            "as follows\n<size>1</size>\nname=value\nthen",
            ("as follows", "<size>1</size>", "name=value", "then"),
        ),
        ("12 34\n\n]]>", ()),
        ("", ()),
    ],
)
def test_a_text_is_cut(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


def test_in_a_document_with_long_lines_each_line_is_a_block() -> None:
    assert sentences(f"Heading\n{LONG_LINE}\nwithout a stop") == ("Heading", LONG_LINE, "without a stop")


def test_a_line_of_just_the_width_is_still_wrapped() -> None:
    line = "x" * (WRAPPED_WIDTH - 1) + "y"
    assert sentences(f"{line}\nnext") == (f"{line} next",)


def test_white_space_does_not_change_a_sentence() -> None:
    assert sentences("One\t  two\nthree.") == sentences("One two three.")


def test_a_fingerprint_is_the_hash_of_the_text() -> None:
    assert fingerprint("A queue.") == hashlib.sha256(b"A queue.").hexdigest()
