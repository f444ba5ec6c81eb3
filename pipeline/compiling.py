"""Compiling loops to machine code, which numba does where it is installed."""

import hashlib
import inspect
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from headgate.record.cache import cache_folder

LOOPS = "loops"
"""Where what was compiled is kept."""
Given = ParamSpec("Given")
Result = TypeVar("Result")


def can_compile() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


def compiled(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as machine code, made when it is first called and kept in a cache. ImportError without numba.

    What is kept belongs to all sources of the function's package, for it holds what it calls and what that names.
    """
    from numba import njit
    from numba.core import config

    settings: Any = config
    usual = settings.CACHE_DIR
    settings.CACHE_DIR = str(cache_folder(LOOPS) / _digest(Path(inspect.getfile(function)).parent))
    try:
        made: Callable[Given, Result] = njit(cache=True)(function)
    except RuntimeError:
        # where no cache can be kept it is compiled each time
        made = njit(cache=False)(function)
    finally:
        settings.CACHE_DIR = usual
    return made


def inlined(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """The function as a part of those compiled ones that call it. ImportError without numba."""
    from numba import njit

    made: Callable[Given, Result] = njit(forceinline=True)(function)
    return made


@cache
def _digest(package: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for source in sorted(package.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()
