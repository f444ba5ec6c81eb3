"""The number of examples that a random test draws."""

from hypothesis import settings


def are_fixed() -> bool:
    """Whether all runs have the same examples."""
    profile = settings.default
    assert profile is not None
    return profile.derandomize


def draws(fixed: int, *, explored: int) -> int:
    """`fixed` if all runs have the same examples; `explored` if each run draws new ones, as `tox -e nightly` does."""
    return fixed if are_fixed() else explored
