"""For a release that is not modelled the nearest one in the order of releases is taken."""

import pytest

from tidegate.explain.versions import parse, version
from tidegate.record.errors import BadInput


@pytest.mark.parametrize(
    ("broker", "asked", "taken"),
    [
        ("artemis", "2.44.0", "2.44.0"),
        ("artemis", "9.9", "2.55.0"),
        ("artemis", "1.0", "2.20.0"),
        ("artemis", "2.43.0", "2.44.0"),
        ("artemis", "2.33.0", "2.31.2"),
        ("qpid", "8.9.9", "8.0.6"),
        ("qpid", "11.0", "10.1.0"),
        ("classic", "6.0", "6.1.8"),
        ("classic", "5.99", "5.18.6"),
    ],
)
def test_a_release_is_read_with_the_nearest_one_that_is_modelled(broker: str, asked: str, taken: str) -> None:
    assert version(broker, asked).taken == taken


@pytest.mark.parametrize("build", ["2.44.0-SNAPSHOT", "2.44.0.redhat-00004"])
def test_a_build_has_the_rules_of_its_release(build: str) -> None:
    assert parse(f"artemis:{build}") == ("artemis", "2.44.0")


def test_a_text_that_is_no_version_is_refused() -> None:
    with pytest.raises(BadInput, match="'latest' is no version"):
        parse("artemis:latest")
