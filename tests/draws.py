"""The number of examples that a random test draws."""

from hypothesis import settings


def draws(fixed: int, *, explored: int) -> int:
    """`fixed` if all runs have the same examples; `explored` if each run draws new ones, as `tox -e nightly` does."""
    return fixed if settings.default.derandomize else explored
