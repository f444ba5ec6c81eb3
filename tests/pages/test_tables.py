"""Tables in which nothing is cut off: narrow on a terminal, each row a line in a pipe."""

from io import StringIO

import pytest
from rich.console import Console
from rich.table import Table

from tidegate.pages.tables import WithoutPadding, print_whole

RULE = "ARTEMIS-CONSUMER-10"
WORDS = "messages are sent ahead as long as they fit the window"
NAME = "a_name_without_any_place_to_break_it_that_is_long"


def shown(width: int, *, terminal: bool, text: str = WORDS, more: int = 1) -> list[str]:
    """The lines of a table with an id that must stay whole and texts that may wrap."""
    console = Console(width=width, file=(file := StringIO()), force_terminal=terminal, color_system=None)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    for _ in range(more):
        table.add_column()
    table.add_row(RULE, *[text] * more)
    print_whole(table, console)
    return file.getvalue().splitlines()


def test_in_a_pipe_a_row_is_one_line() -> None:
    assert shown(30, terminal=False, more=3) == ["  ".join([RULE, WORDS, WORDS, WORDS])]


@pytest.mark.parametrize("width", [40, 60, 80])
def test_on_a_terminal_texts_wrap_between_words(width: int) -> None:
    lines = shown(width, terminal=True)
    assert lines[0].startswith(f"{RULE}  ") and max(map(len, lines)) <= width
    assert " ".join(line.removeprefix(RULE).strip() for line in lines) == WORDS


def test_a_long_word_breaks_only_where_it_does_not_fit() -> None:
    assert shown(80, terminal=True, text=NAME) == [f"{RULE}  {NAME}"]
    lines = shown(50, terminal=True, text=NAME)
    assert max(map(len, lines)) <= 50 and "".join(line.removeprefix(RULE).strip() for line in lines) == NAME


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("con:12(guest@/127.0.0.1:50001/default)/ch:1", ["con:12(guest@/127.", "0.0.1:50001/", "default)/ch:1"]),
        ("amq.topic/orders-of-customers-in-europe", ["amq.topic/orders-", "of-customers-in-", "europe"]),
        ("a/nameWithoutAnySignBehindTheFirst", ["a/nameWithoutAnySig", "nBehindTheFirst"]),
        ("日本語の名前日本語の名前/日本", ["日本語の名前日本語", "の名前/日本"]),
    ],
)
def test_a_name_that_does_not_fit_breaks_behind_a_sign(name: str, parts: list[str]) -> None:
    lines = shown(len(RULE) + 2 + 19, terminal=True, text=name)
    assert [line.removeprefix(RULE).strip() for line in lines] == parts


def test_an_id_is_never_broken() -> None:
    assert shown(24, terminal=True, text=NAME)[0].startswith(f"{RULE}  ")


def test_no_line_ends_in_spaces() -> None:
    for terminal in (True, False):
        assert all(line == line.rstrip() for line in shown(40, terminal=terminal))


def test_a_column_has_a_greatest_width_also_in_a_pipe() -> None:
    console = Console(file=(file := StringIO()))
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(max_width=20)
    table.add_row(f"{WORDS} {NAME}")
    print_whole(table, console)
    lines = file.getvalue().splitlines()
    assert NAME in lines and max(len(line) for line in lines if line != NAME) <= len(NAME)
    assert len(lines) > 1


def test_a_long_word_breaks_before_a_text_stands_as_one_word_a_line() -> None:
    console = Console(file=(file := StringIO()), width=40, force_terminal=True)
    table = Table(box=None, show_header=False, pad_edge=False)
    for _ in range(2):
        table.add_column()
    table.add_row("x" * 36, "no line tells the end")
    print_whole(table, console)
    assert [line.lstrip("x ") for line in file.getvalue().splitlines()] == ["no line", "tells the", "end"]


def test_a_heading_breaks_where_its_figures_are_narrower_and_keeps_its_own_lines() -> None:
    console = Console(file=(file := StringIO()), width=24, force_terminal=True, color_system=None)
    table = Table(box=None, pad_edge=False)
    table.add_column("space seen after", justify="right", no_wrap=True)
    table.add_column("\nwho", no_wrap=True)
    table.add_row("10.4 s", "producer a")
    print_whole(table, console)
    lines = file.getvalue().splitlines()
    assert [line.split() for line in lines] == [["space", "seen"], ["after", "who"], ["10.4", "s", "producer", "a"]]
    assert max(map(len, lines)) <= 24


@pytest.mark.parametrize("terminal", [True, False])
def test_a_grid_without_padding_ends_each_line_with_its_text(terminal: bool) -> None:
    console = Console(width=30, file=(file := StringIO()), force_terminal=terminal, color_system=None)
    grid = Table.grid(padding=(0, 2))
    grid.add_row("done", "one\nand more")
    console.print(WithoutPadding(grid))
    assert file.getvalue() == "done  one\n      and more\n"
