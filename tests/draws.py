"""How many examples a random test draws."""

from hypothesis import settings


def draws(fixed: int, *, explored: int) -> int:
    """Few where they are the same in every run; `explored` where each run draws new ones, as `tox -e nightly` does."""
    return fixed if settings.default.derandomize else explored
