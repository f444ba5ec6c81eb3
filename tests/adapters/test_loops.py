"""A loop in a script does what the lines that it stands for did, in the same order."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.adapters.loops import with_loops


def sends(count: int, first: int = 1, size: int = 542) -> list[str]:
    return [
        line
        for number in range(count)
        for line in (
            f"send('producer {number % 2 + 1}', 'm{first + number}', {size}, recorded='accepted')",
            f"depth('address', recorded='{size * (number + 1)} bytes in {number + 1} messages')",
        )
    ]


def done(lines: Sequence[str]) -> list[tuple[object, ...]]:
    """The calls that these lines make, in their order."""
    calls: list[tuple[object, ...]] = []

    def noting(name: str) -> Any:
        return lambda *arguments, **named: calls.append((name, arguments, tuple(named.items())))

    exec("\n".join(lines), {name: noting(name) for name in ("send", "depth", "take")})
    return calls


def test_calls_with_figures_that_grow_evenly_become_a_loop() -> None:
    assert list(with_loops(sends(10))) == [
        "for step in range(5):",
        "    send('producer 1', f'm{1 + 2 * step}', 542, recorded='accepted')",
        "    depth('address', recorded=f'{542 + 1084 * step} bytes in {1 + 2 * step} messages')",
        "    send('producer 2', f'm{2 + 2 * step}', 542, recorded='accepted')",
        "    depth('address', recorded=f'{1084 + 1084 * step} bytes in {2 + 2 * step} messages')",
    ]


def test_figures_that_fall_are_taken_off() -> None:
    lines = [f"depth('queue', recorded='{1200 * (9 - number)} bytes in {9 - number} messages')" for number in range(9)]
    assert list(with_loops(lines)) == [
        "for step in range(9):",
        "    depth('queue', recorded=f'{10800 - 1200 * step} bytes in {9 - step} messages')",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        sends(6),
        [f"send('p', 'm{number}', {size})" for number, size in enumerate((5, 6, 8, 9, 13))],
        [f"send('p', 'm0{number}', 1)" for number in range(9)],
        ["# p could not send m1: its last send still waited"] * 9,
        ["take('c', recorded=None)", "send('{p}', 'm', 1)", "take('c', recorded=None)"],
    ],
    ids=["few", "uneven", "zeros in front", "comments", "different calls"],
)
def test_other_lines_stay_as_they_are(lines: list[str]) -> None:
    assert list(with_loops(lines)) == lines


CALLS = st.one_of(
    st.builds(
        "send({!r}, 'm{}', {})".format, st.sampled_from(["p", "p 2", "{x}'"]), st.integers(0, 3), st.integers(0, 2)
    ),
    st.builds("depth('a', recorded='{} bytes')".format, st.integers(0, 3)),
    st.sampled_from(["take('c', recorded=None)", "# nothing"]),
)


@given(blocks=st.lists(st.tuples(st.lists(CALLS, min_size=1, max_size=3), st.integers(1, 7)), max_size=4))
def test_whatever_is_repeated_a_script_does_the_same(blocks: list[tuple[list[str], int]]) -> None:
    lines = [line for block, times in blocks for line in block * times]
    written = list(with_loops(lines))
    assert done(written) == done(lines)
    assert len(written) <= len(lines)
