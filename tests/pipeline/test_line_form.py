"""A message is read by the same template that renders it, and of any other the field that is wrong is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.model.language.message_text import Message
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from tidegate.pipeline.lines.line_form import LineForm, Unparsed

SIZES = st.integers(0, 2**63 - 1)
NAMES = st.from_regex(r"[^()\s]+", fullmatch=True)
RENDERED: st.SearchStrategy[tuple[Message, dict[str, str | int]]] = st.one_of(
    st.tuples(st.just(QUEUE_OVERFULL), st.fixed_dictionaries({"size": SIZES, "capacity": SIZES})),
    st.tuples(st.just(QUEUE_UNDERFULL), st.fixed_dictionaries({"size": SIZES, "resume": SIZES})),
    st.tuples(st.just(CHANNEL_STOPPED), st.fixed_dictionaries({"queue": NAMES})),
    st.tuples(st.just(CHANNEL_RELEASED), st.just({})),
)


def form_of(message: Message) -> LineForm:
    return LineForm(f"{message.code} : {message.text}", may_continue=message.may_continue)


@given(rendered=RENDERED)
def test_what_the_model_renders_is_read_as_the_model_reads_it(
    rendered: tuple[Message, dict[str, str | int]],
) -> None:
    message, fields = rendered
    line = message.render(fields)
    assert form_of(message).parse(line) == fields == message.parse(line)


@pytest.mark.parametrize("separator", [",", ".", " ", "'", "\u2019", "\u00a0", "\u202f", ""])
def test_figures_are_whole_so_groups_of_three_by_one_separator_are_a_number_in_any_locale(separator: str) -> None:
    text = f"QUE-1003 : Overfull : Size : 1{separator}234{separator}567 bytes, Capacity : 1{separator}000"
    assert form_of(QUEUE_OVERFULL).parse(text) == {"size": 1_234_567, "capacity": 1000}


@pytest.mark.parametrize("size", ["12,00", "", "1,2000", "1,200,00", ",200", "1,200.5", "1,200.500", "1_200", "\u0661"])
def test_what_is_no_whole_number_is_named(size: str) -> None:
    said = form_of(QUEUE_OVERFULL).parse(f"QUE-1003 : Overfull : Size : {size} bytes, Capacity : 1,000")
    expected = f"expected a whole number, if grouped then by one separator into threes, not {size!r}"
    assert said == Unparsed(expected, "size")


def test_figures_of_one_line_are_grouped_by_one_separator() -> None:
    text = "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1.000"
    assert form_of(QUEUE_OVERFULL).parse(text) == Unparsed(
        "expected figures grouped by ',' throughout, not '1.000'", "capacity"
    )


def test_a_form_begins_with_what_every_line_of_it_holds() -> None:
    with pytest.raises(ValueError, match="begins with more than a field"):
        LineForm("{size:number} bytes")


def test_further_fields_that_later_versions_append_are_no_part_of_the_message() -> None:
    text = "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000, Messages : 3, Message Capacity : -1"
    fields = {"size": 1200, "capacity": 1000}
    assert form_of(QUEUE_OVERFULL).parse(text) == fields == QUEUE_OVERFULL.parse(text)


@pytest.mark.parametrize("capacity", ["1, 000", "1,00", "1,000 000", "1,000, 5"])
def test_what_could_be_a_part_of_the_number_is_not_taken_for_a_further_field(capacity: str) -> None:
    text = f"QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : {capacity}"
    said = form_of(QUEUE_OVERFULL).parse(text)
    assert isinstance(said, Unparsed)
    assert said.field == "capacity"
    assert QUEUE_OVERFULL.parse(text) is None


def test_a_message_cut_short_is_no_message() -> None:
    said = form_of(QUEUE_OVERFULL).parse("QUE-1003 : Overfull : Size : 1,2")
    assert isinstance(said, Unparsed)
    assert said.field is None
    assert "Overfull" in said.expected


def test_a_number_that_no_column_holds_is_named() -> None:
    said = form_of(QUEUE_UNDERFULL).parse(f"QUE-1004 : Underfull : Size : {2**63} bytes, Resume Capacity : 1")
    assert isinstance(said, Unparsed)
    assert said.field == "size"
