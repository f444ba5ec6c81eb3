"""Functions over arrays as machine code, by numba where it is installed, which caches the code beside the source."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


def can_compile() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as machine code, compiled at the first call. ImportError without numba."""
    from numba import njit

    make: Any = njit
    try:
        made: Callable[Given, Result] = make(cache=True)(function)
    except RuntimeError:
        # without a cache the function is compiled each time
        made = make()(function)
    return made
