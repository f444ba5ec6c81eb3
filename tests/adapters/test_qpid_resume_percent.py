"""A resume level in bytes becomes the percentage by which Broker-J computes exactly these bytes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.adapters.base import AdapterError
from tidegate.adapters.qpid.resume_percent import percent_for, resume_level


def test_a_round_figure_stays_one() -> None:
    assert percent_for(80_000, 100_000) == 80.0


@given(st.data())
def test_every_level_up_to_the_capacity_has_a_percentage(data: st.DataObject) -> None:
    capacity = data.draw(st.integers(1, 2**40))
    resume = data.draw(st.integers(0, capacity))
    percent = percent_for(resume, capacity)
    assert 0 <= percent <= 100
    assert math.ceil(percent / 100 * capacity) == resume


def test_a_level_that_the_plain_quotient_misses_is_met() -> None:
    assert math.ceil(7 * 100 / 25 / 100 * 25) == 8
    assert resume_level(percent_for(7, 25), 25) == 7


def test_no_capacity_has_no_level() -> None:
    assert resume_level(80.0, -1) == -1
    assert resume_level(percent_for(0, 0), 0) == 0


@pytest.mark.parametrize(("resume", "capacity"), [(1001, 1000), (1, 0), (-1, 1000)])
def test_a_level_outside_the_capacity_has_none(resume: int, capacity: int) -> None:
    with pytest.raises(AdapterError, match=f"of a capacity of {capacity} bytes is a resume level of {resume} bytes"):
        percent_for(resume, capacity)
