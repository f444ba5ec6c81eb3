"""Loops over events, compiled by numba; what it made is kept in a cache, for compiling takes seconds."""

import hashlib
import sys
from collections.abc import Callable
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tidegate.pipeline.compiling import LOOPS
from tidegate.pipeline.schema import is_number
from tidegate.pipeline.splits.loop import NAME, Loop
from tidegate.record.cache import cache_folder, put


@lru_cache(maxsize=16)
def compiled(loop: Loop) -> Callable[..., None]:
    """The function of a loop: what belongs to the events comes in arrays that are only read, numbers in 64 bit, codes
    of texts and keys in 32 bit.
    """
    from numba import njit, types

    def each_event(kind: Any) -> Any:
        return types.Array(kind, 1, "C", readonly=True)

    codes, numbers = each_event(types.uint32), each_event(types.int64)
    counts, fails = types.int64[:, :, ::1], types.boolean[:, ::1]
    fields = [numbers if is_number(name) else codes for name in loop.fields]
    memory = [types.int64[:, ::1]] * len(loop.operators)
    signature = types.void(types.int64, numbers, codes, counts, fails, *fields, *[codes] * len(loop.operators), *memory)
    made: Callable[..., None]
    try:
        made = njit(signature, cache=True)(_from_file(_kept(loop.source)))
    except OSError:
        # where no cache can be kept it is compiled each time
        scope: dict[str, Any] = {}
        exec(loop.source, scope)  # noqa: S102 - the source is that of the rules
        made = njit(signature)(scope[NAME])
    return made


def _kept(source: str) -> Path:
    """The file of a loop in the cache, made where it is not there. OSError where there can be none."""
    path = cache_folder(LOOPS) / f"loop_{hashlib.blake2b(source.encode(), digest_size=16).hexdigest()}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != source:
        put(path, source.encode())
    return path


def _from_file(path: Path) -> Callable[..., None]:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # numba looks it up by its name when it reads what it kept
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    made: Callable[..., None] = getattr(module, NAME)
    return made
