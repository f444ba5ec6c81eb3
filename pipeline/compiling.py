"""Compiling loops to machine code, which numba does where it is installed.

Loops make no arrays, they fill those that they are given. So numba need not count who refers to one, which takes as
long as the rest where functions call each other.
"""

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from tidegate.record.cache import cache_folder

LOOPS = "loops"
"""Where what was compiled is kept."""
Given = ParamSpec("Given")
Result = TypeVar("Result")


def can_compile() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as machine code, made when it is first called and kept in a cache. ImportError without numba.

    What is kept belongs to this module and all sources of the function's package, for it holds what it calls and what
    that names.
    """
    from numba.core import config

    settings: Any = config
    usual = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(LOOPS) / _digest(Path(inspect.getfile(function)).parent))
    try:
        made: Callable[Given, Result] = _njit(cache=True)(function)
    except RuntimeError:
        # where no cache can be kept it is compiled each time
        made = _njit(cache=False)(function)
    finally:
        settings.CACHE_DIR = usual
    return made


def inlined(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as a part of those compiled ones that call it. ImportError without numba."""
    made: Callable[Given, Result] = _njit(forceinline=True)(function)
    return made


def _njit(**options: bool) -> Any:
    from numba import njit

    make: Any = njit
    # without numba's memory management; it refuses to compile what needs that
    return make(_nrt=False, **options)


@cache
def _digest(package: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for source in (Path(__file__), *sorted(package.glob("*.py"))):
        digest.update(source.read_bytes())
    return digest.hexdigest()
