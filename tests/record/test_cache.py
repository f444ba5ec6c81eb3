"""What takes long to make is made once, and again wherever what was kept cannot be trusted."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tidegate.record.cache import MOST, cache_folder, cached, keep, kept

WHAT = "things"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of this test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def maker(made: list[bytes]) -> Callable[[], bytes]:
    """Makes something else each time."""

    def make() -> bytes:
        made.append(b"%d" % len(made))
        return made[-1]

    return make


def test_of_the_same_sources_it_is_made_once() -> None:
    made: list[bytes] = []
    assert [cached(WHAT, [b"a", b"b"], maker(made)) for _ in range(3)] == [b"0", b"0", b"0"]


@pytest.mark.parametrize("others", [[b"a", b"c"], [b"ab"], [b"ab", b""], [b"b", b"a"], [b"a"], []])
def test_of_other_sources_it_is_made_anew(others: list[bytes]) -> None:
    made: list[bytes] = []
    assert cached(WHAT, [b"a", b"b"], maker(made)) != cached(WHAT, others, maker(made))


def test_a_cached_thing_of_one_kind_is_not_taken_for_another_kind() -> None:
    keep(WHAT, [b"a"], b"thing")
    assert kept("others", [b"a"]) is None


@pytest.mark.parametrize("damage", [lambda said: said[:-1], lambda said: said[:-1] + b"x", lambda _: b""])
def test_what_was_cut_off_or_changed_is_made_anew(damage: Callable[[bytes], bytes]) -> None:
    keep(WHAT, [b"a"], b"thing")
    (path,) = cache_folder(WHAT).iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert kept(WHAT, [b"a"]) is None
    assert cached(WHAT, [b"a"], lambda: b"again") == kept(WHAT, [b"a"]) == b"again"


def test_where_nothing_can_be_kept_it_is_made_each_time(folder: Path) -> None:
    (folder / "cache").touch()
    made: list[bytes] = []
    assert [cached(WHAT, [b"a"], maker(made)) for _ in range(2)] == [b"0", b"1"]


def test_nothing_but_the_file_itself_is_left() -> None:
    for _ in range(2):
        keep(WHAT, [b"a"], b"thing")
    assert len(list(cache_folder(WHAT).iterdir())) == 1


def test_the_oldest_go_where_there_are_many() -> None:
    more = MOST // 8
    sources = [[b"%d" % number] for number in range(MOST + more + 1)]
    met: set[Path] = set()
    for seconds, each in enumerate(sources):
        keep(WHAT, each, b"thing")
        (new,) = set(cache_folder(WHAT).iterdir()) - met
        met.add(new)
        os.utime(new, (seconds, seconds))
        assert len(met & set(cache_folder(WHAT).iterdir())) <= MOST + more
    assert [kept(WHAT, each) is None for each in sources] == [True] * (more + 1) + [False] * MOST
