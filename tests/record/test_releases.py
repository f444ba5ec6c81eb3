"""A build of a version counts as its release; a text that is no version is one sentence."""

import pytest
from packaging.version import Version

from tidegate.record.errors import BadInput
from tidegate.record.releases import may_change, release


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("2.44.0", "2.44.0"),
        ("2.45.0-SNAPSHOT", "2.45.0"),
        ("2.40.0.redhat-00004", "2.40.0"),
        ("5.0-M1", "5.0"),
        ("6.3.1.Final", "6.3.1"),
        ("0.18", "0.18"),
    ],
)
def test_a_build_stands_at_its_release(written: str, numbers: str) -> None:
    assert release(written) == Version(numbers)
    assert may_change(written) is (written == "2.45.0-SNAPSHOT")


@pytest.mark.parametrize("text", ["newest", "/nosuch", "", "0.18.x", "2.", "-SNAPSHOT", "2.44.0-", "2 .4"])
def test_another_text_is_no_version(text: str) -> None:
    with pytest.raises(BadInput, match=r"is no version; expected one such as 2\.44\.0 or 2\.45\.0-SNAPSHOT"):
        release(text)
