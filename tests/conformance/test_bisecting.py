"""The search for the version at which an answer changes: its questions and its result."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidegate.conformance.bisecting import Found, bisect

VERSIONS = [f"v{number}" for number in range(16)]


class Asked:
    """Answers by a table, and notes the asked versions."""

    def __init__(self, answers: Mapping[str, str | None]) -> None:
        self.answers = answers
        self.versions: list[str] = []

    def __call__(self, version: str) -> str | None:
        assert version not in self.versions, "a version is asked once"
        self.versions.append(version)
        return self.answers[version]


def answering(places: int, *, silent: tuple[int, ...] = ()) -> Asked:
    """Answers `kept` before the place `places`, `violated` from there on, and nothing at the `silent` places."""
    answers = {version: "kept" if place < places else "violated" for place, version in enumerate(VERSIONS)}
    return Asked(answers | dict.fromkeys((VERSIONS[place] for place in silent), None))


def test_few_versions_are_asked() -> None:
    asked = answering(11)
    assert bisect(VERSIONS, asked) == Found("v10", "v11")
    assert len(asked.versions) <= 6


@pytest.mark.parametrize(
    ("silent", "found"),
    [
        ((0, 15), Found("v10", "v11")),
        ((10, 11), Found("v9", "v12", ("v10", "v11"))),
        ((7, 8, 9), Found("v10", "v11")),
        (tuple(range(1, 15)), Found("v0", "v15", tuple(VERSIONS[1:15]))),
        (tuple(range(1, 16)), Found(before="v0")),
        (tuple(range(16)), Found()),
    ],
)
def test_a_version_without_an_answer_is_passed_over(silent: tuple[int, ...], found: Found) -> None:
    assert bisect(VERSIONS, answering(11, silent=silent)) == found


def test_without_a_change_only_the_ends_are_asked() -> None:
    asked = answering(16)
    assert bisect(VERSIONS, asked) == Found(before="v15")
    assert asked.versions == ["v0", "v15"]


@given(st.lists(st.sampled_from(["kept", "violated", None]), max_size=12))
def test_whatever_is_answered_the_two_that_are_found_differ_and_nothing_between_them_answers(
    answers: list[str | None],
) -> None:
    versions = VERSIONS[: len(answers)]
    asked = Asked(dict(zip(versions, answers, strict=True)))
    found = bisect(versions, asked)
    said = [answer for answer in answers if answer is not None]
    if found.before is None:
        assert not said
    elif found.after is None:
        assert said[0] == said[-1] == asked.answers[found.before]
    else:
        assert asked.answers[found.before] == said[0] != asked.answers[found.after]
        low, high = versions.index(found.before), versions.index(found.after)
        assert found.between == tuple(versions[low + 1 : high])
        assert all(asked.answers[version] is None for version in found.between)
