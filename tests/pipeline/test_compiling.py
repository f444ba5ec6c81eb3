"""What was compiled is kept as long as everything that it holds is the same."""

import sys
from collections.abc import Iterator
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest
from numba.core.errors import TypingError

from tidegate.pipeline import compiling

LOOP = """
from tidegate.pipeline.compiling import compiled
from loops_of_a_test.figures import FACTOR

@compiled
def many(number):
    return number * FACTOR
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with one loop."""
    folder = tmp_path / "loops_of_a_test"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "loop.py").write_text(LOOP)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(compiling, "cache_folder", lambda what: tmp_path / "cache")
    # Python itself takes a source that was changed within a second for the same
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield folder
    forget()


def forget() -> None:
    """As in another process."""
    compiling._digest.cache_clear()
    invalidate_caches()
    for name in [name for name in sys.modules if name.startswith("loops_of_a_test")]:
        del sys.modules[name]


def seven(folder: Path, factor: int) -> int:
    (folder / "figures.py").write_text(f"FACTOR = {factor:<5}\n")
    forget()
    found: int = import_module("loops_of_a_test.loop").many(7)
    return found


def test_what_was_compiled_is_kept(folder: Path) -> None:
    assert seven(folder, 2) == seven(folder, 2) == 14
    assert len(list((folder.parent / "cache").iterdir())) == 1


def test_a_changed_figure_of_another_module_is_noticed(folder: Path) -> None:
    assert [seven(folder, factor) for factor in (2, 3, 2)] == [14, 21, 14]
    assert len(list((folder.parent / "cache").iterdir())) == 2


def test_where_no_cache_can_be_made_loops_are_compiled_anyway(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder.parent / "file").touch()
    monkeypatch.setattr(compiling, "cache_folder", lambda what: folder.parent / "file" / "cache")
    assert seven(folder, 2) == 14


def test_a_loop_that_makes_an_array_is_refused(folder: Path) -> None:
    making = LOOP.replace("number * FACTOR", "numpy.zeros(FACTOR)[0]")
    (folder / "loop.py").write_text(f"import numpy\n{making}")
    with pytest.raises(TypingError, match="array"):
        seven(folder, 2)
