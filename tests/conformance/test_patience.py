"""An implementation is given up after equal failures in a row, or after too much time, and not before."""

from tidegate.conformance.patience import MOST_IN_A_ROW, MOST_LOST_SECONDS, Patience


def failing(times: int, why: str = "the program ended with exit status 3") -> Patience:
    patience = Patience()
    for _ in range(times):
        patience.failed(why, 0.0)
    return patience


def test_equal_failures_in_a_row_end_it() -> None:
    assert failing(MOST_IN_A_ROW - 1).over == ""
    assert failing(MOST_IN_A_ROW).over == (
        "given up after 20 scenarios in a row that ended alike: the program ended with exit status 3"
    )


def test_figures_and_quoted_names_make_no_other_failure() -> None:
    patience = Patience()
    for number in range(MOST_IN_A_ROW):
        patience.failed(f"no answer to 's{number}.q' within {number} ms", 0.0)
    assert patience.over


def test_another_failure_and_a_scenario_that_ends_well_begin_anew() -> None:
    for interrupt in (lambda it: it.failed("the journal is full", 0.0), lambda it: it.went_on(0.0)):
        patience = failing(MOST_IN_A_ROW - 1)
        interrupt(patience)
        patience.failed("the program ended with exit status 3", 0.0)
        assert patience.over == ""


def test_time_that_is_lost_ends_it_whatever_fails() -> None:
    patience = Patience()
    patience.failed("one thing", MOST_LOST_SECONDS / 2)
    patience.went_on(MOST_LOST_SECONDS / 2 - 1)
    assert patience.over == ""
    patience.went_on(1)
    assert patience.over == "given up after 10 minutes of calls that failed and of new starts"
