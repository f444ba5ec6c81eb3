"""What a sweep is asked for: figures in options and in a file, and what is wrong with them in one sentence."""

from pathlib import Path

import pytest

from tidegate.record.errors import BadInput
from tidegate.sweep.configuration import MOST_MESSAGES, Grid, Mechanism, configurations, warnings
from tidegate.sweep.heat_map import axes
from tidegate.sweep.options import given_by_file, given_by_options, read_grid


def grid(**options: str) -> Grid:
    return read_grid(given_by_options(options))


def from_file(folder: Path, text: str) -> Grid:
    path = folder / "grid.yaml"
    path.write_text(text)
    return read_grid(given_by_file(path))


def refusal(**options: str) -> str:
    with pytest.raises(BadInput) as refused:
        configurations(grid(**options))
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", (7,)),
        ("8,1, 2", (1, 2, 8)),
        ("10:50:20", (10, 30, 50)),
        ("10:49:20", (10, 30)),
        ("1,1:3:1", (1, 2, 3)),
    ],
)
def test_figures_are_lists_and_ranges_that_include_their_end(text: str, values: tuple[int, ...]) -> None:
    assert grid(producers=text).values["producers"] == values


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"producers": "0"}, "field '--producers': expected numbers from 1 to 9223372036854775807, not 0"),
        ({"resume": str(2**63)}, f"field '--resume': expected numbers from 0 to {2**63 - 1}, not {2**63}"),
        ({"size": "many"}, "field '--size': expected numbers such as 1,2,4 or a range such as 1000:10000:1000, not "
                           "'many'"),
        ({"size": "1:2"}, "field '--size': expected numbers such as 1,2,4 or a range such as 1000:10000:1000, not "
                          "'1:2'"),
        ({"size": "1:5:0"}, "field '--size': expected a range from a lower to a higher number by a step above 0, not "
                            "'1:5:0'"),
        ({"size": "1:20000:1"}, "field '--size': expected at most 10,000 values, and '1:20000:1' makes 20,000"),
        ({"window": "5"}, "field '--window': expected only with mechanism artemis-core, which has such a figure"),
        ({"mechanism": "kafka"}, "field '--mechanism': expected some of qpid-queue, artemis-amqp, artemis-core, "
                                 "classic-memory, not 'kafka'"),
        ({"resume": "1", "resume_percent": "1"}, "field '--resume-percent': expected the resume level in bytes or in "
                                                 "percent, not both"),
    ],
)  # fmt: skip
def test_a_figure_without_a_meaning_is_named(options: dict[str, str], sentence: str) -> None:
    assert refusal(**options) == sentence


def test_a_grid_that_is_too_large_says_how_many_runs_it_has() -> None:
    assert len(configurations(grid(producers="1:100:1", size="1:100:1", seconds="1"))) == 10_000
    sentence = "expected a grid of at most 10,000 runs, not 10,100"
    assert refusal(producers="1:101:1", size="1:100:1") == sentence


def test_a_run_that_would_take_for_ever_is_refused_before_it_starts() -> None:
    rest = 60 * (1 * 100 + 100) + 1
    assert len(configurations(grid(size="1", capacity=str(MOST_MESSAGES - rest)))) == 1
    assert "one has about 10,000,001;" in refusal(size="1", capacity=str(MOST_MESSAGES - rest + 1))


def test_each_mechanism_takes_the_figures_that_it_has() -> None:
    found = configurations(grid(mechanism="artemis-core,qpid-queue", window="10,20", resume="1,2,3", producers="1,2"))
    assert [each.mechanism for each in found] == [Mechanism.ARTEMIS_CORE] * 4 + [Mechanism.QPID_QUEUE] * 6
    assert {each.window for each in found if each.mechanism is Mechanism.QPID_QUEUE} == {None}


def test_a_resume_level_above_the_capacity_is_warned_of() -> None:
    assert warnings(grid(capacity="100,200", resume="100")) == ()
    assert warnings(grid(capacity="100,200", resume="101")) == (
        "in 1 of 2 runs the resume level is above the capacity, for instance 101 above 100 bytes: producers are "
        "released while the queue is overfull",
    )
    assert warnings(grid(capacity="100", resume_percent="100")) == ()
    assert len(warnings(grid(capacity="100", resume_percent="101"))) == 1


def test_a_file_says_the_same_as_options(tmp_path: Path) -> None:
    text = "mechanism: [qpid-queue, artemis-amqp]\nproducers: [1, 2]\ncredits-low: 5\nsize: 10:50:10\n"
    options = {"mechanism": "qpid-queue,artemis-amqp", "producers": "1,2", "credits_low": "5", "size": "10:50:10"}
    assert from_file(tmp_path, text) == grid(**options)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("producers: 1\nsizes: 2\n", "{file}:2: field 'sizes': expected one of mechanism, producers, size, "),
        ("producers: 1\nsize: -2\n", "{file}:2: field 'size': expected numbers such as 1,2,4 or a range such as"),
        ("size: {from: 1}\n", "{file}:1: field 'size': expected a number, a range such as 1000:10000:1000, or a list"),
        ("- 1\n", "{file}:1: expected a mapping of figures to their values"),
        ("", "{file}:1: expected a YAML mapping, found nothing"),
    ],
)
def test_a_wrong_file_names_line_and_field(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as refused:
        from_file(tmp_path, text)
    assert str(refused.value).startswith(sentence.format(file=tmp_path / "grid.yaml"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="expected a YAML file that can be read, but"):
        given_by_file(tmp_path / "none.yaml")


def test_a_map_has_the_figures_that_vary_or_those_asked_for() -> None:
    asked = grid(producers="1,2", capacity="10,20", resume="1,2")
    assert axes(asked, None, None) == ("producers", "capacity")
    assert axes(asked, None, "producers") == ("capacity", "producers")
    assert axes(asked, "resume", None) == ("resume", "producers")
    assert axes(grid(capacity="10,20"), None, None) == ("capacity", "producers")
    with pytest.raises(BadInput, match=r"--x.*expected one of producers, size, .*not 'colour'"):
        axes(asked, "colour", None)
    with pytest.raises(BadInput, match=r"--y.*expected another figure than --x has"):
        axes(asked, "size", "size")
