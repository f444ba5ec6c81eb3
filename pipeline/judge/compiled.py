"""A loop compiled by numba, where that is installed; what it made is kept in a cache, for compiling takes seconds."""

import hashlib
import sys
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tidegate.pipeline.judge.loop import NAME, Loop, interpreted
from tidegate.pipeline.read.tables import is_number
from tidegate.record.cache import cache_folder, put

LOOPS = "loops"
"""Where what was compiled is kept."""


@lru_cache(maxsize=16)
def compiled(loop: Loop) -> Any:
    """The function of a loop over arrays: numbers in 64 bit, codes of texts and rows of keys in 32 bit."""
    from numba import njit, types

    def each_event(kind: Any) -> Any:
        return types.Array(kind, 1, "C", readonly=True)

    codes, numbers = each_event(types.uint32), each_event(types.int64)
    fields = [numbers if is_number(name) else codes for name in loop.fields]
    keys, memory = [codes] * len(loop.keys), [types.int64[::1]] * len(loop.keys)
    given = [types.int64, types.int64, codes, types.uint8[::1], *fields, *keys, *memory]
    signature = types.int64(*given)
    try:
        return njit(signature, cache=True)(_from_file(_kept(loop.source)))
    except OSError:
        # where no cache can be kept it is compiled each time
        return njit(signature)(interpreted(loop))


def _kept(source: str) -> Path:
    """The file of a loop in the cache, made where it is not there. OSError where there can be none."""
    path = cache_folder(LOOPS) / f"loop_{hashlib.blake2b(source.encode(), digest_size=16).hexdigest()}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != source:
        put(path, source.encode())
    return path


def _from_file(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # numba looks it up by its name when it reads what it kept
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, NAME)
