"""A limit that management does not show is no figure in the report, and never Python's None."""

from tidegate.conformance.scenarios.common import read_bytes


def test_a_limit_that_is_not_shown_is_no_figure() -> None:
    assert read_bytes(None) == "no figure (read, not reached)"
    assert read_bytes(-1) == "-1 bytes (read, not reached)"
