"""Terms are what the rule language makes of an event; what no event holds is refused when a rule is lowered."""

from typing import Any

import pytest

from tidegate.model.language.past import latest, total
from tidegate.pipeline.judge.lowering import LoopWorld, Sort, Term, field_term, step_of, term

BYTES, CHANNEL = field_term("bytes"), field_term("channel")


def value_of(made: object, **names: object) -> Any:
    return eval(term(made).text, {}, names)


def test_a_term_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(BYTES == 1)


def test_values_of_different_sorts_are_not_joined() -> None:
    with pytest.raises(TypeError, match="bytes is a number, 'one' is a text"):
        BYTES == "one"  # noqa: B015


def test_a_choice_between_different_sorts_is_refused() -> None:
    with pytest.raises(TypeError, match=r"is a number, .* is a text"):
        LoopWorld().choose(BYTES == 1, 1, "one")


def test_what_no_event_holds_is_refused() -> None:
    with pytest.raises(TypeError, match=r"no event holds 1\.5"):
        term(1.5)


def test_texts_have_no_order_for_a_loop_knows_them_by_their_codes() -> None:
    with pytest.raises(TypeError, match="texts have no order: channel"):
        CHANNEL < "c"  # noqa: B015


def test_the_latest_text_is_refused_because_it_would_start_as_a_number() -> None:
    with pytest.raises(TypeError, match="needs a number as value, channel is a text"):
        step_of(latest, CHANNEL, when=BYTES == 1)


def test_an_operator_is_its_own_step_over_what_it_said_before() -> None:
    latest_one, sum_of_all = step_of(latest, BYTES, when=CHANNEL == "c"), step_of(total, BYTES)
    assert [value_of(latest_one, before=3, bytes=5, channel=name) for name in "cd"] == [5, 3]
    assert value_of(sum_of_all, before=3, bytes=5) == 8


@pytest.mark.parametrize(
    "value", ["it's", "back\\slash", "\\'", "a\nb", 'say "x"', "ünïcode ✓", "", 0, -1, 2**62, True, False]
)
def test_a_literal_is_the_value_itself(value: str | int | bool) -> None:
    assert value_of(value) == value
    assert type(value_of(value)) is type(value)


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (7 - BYTES, 4),
        (BYTES - 7, -4),
        (2 * BYTES + 1, 7),
        (-BYTES, -3),
        (5 < BYTES, False),  # noqa: SIM300
        (3 >= BYTES, True),  # noqa: SIM300
        (BYTES == -BYTES, False),
        (LoopWorld().negate(BYTES == 3), False),
        (LoopWorld().choose(BYTES == 3, 1, 2), 1),
        (LoopWorld().for_every([1, 2, 3], lambda key: key <= BYTES), True),
        (LoopWorld().for_some([4, 5], lambda key: key == BYTES), False),
        (LoopWorld().for_every([], lambda key: key == BYTES), True),
        (LoopWorld().tabulate([3], lambda key: key == BYTES)[3], True),
    ],
)
def test_signs_mean_what_they_mean_in_python(made: object, value: object) -> None:
    assert value_of(made, bytes=3) == value


def test_a_term_is_of_the_sort_of_its_field() -> None:
    assert (BYTES.sort, CHANNEL.sort, Term("x", Sort.TRUTH).sort) == (Sort.NUMBER, Sort.TEXT, Sort.TRUTH)
