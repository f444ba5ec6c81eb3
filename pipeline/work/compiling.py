"""Functions over arrays as machine code, by numba where that is installed, which keeps it beside the source."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")


def can_compile() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as machine code, made when it is first called. ImportError without numba."""
    from numba import njit

    make: Any = njit
    try:
        made: Callable[Given, Result] = make(cache=True)(function)
    except RuntimeError:
        # where no cache can be kept it is compiled each time
        made = make()(function)
    return made
