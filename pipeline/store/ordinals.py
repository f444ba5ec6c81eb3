"""The order of the files of one stream over several runs: what is known keeps its number where it can."""

from collections.abc import Iterable, Mapping, Sequence

Path = str


def ordinals(present: Sequence[Path], known: Mapping[Path, int], gone: Mapping[Path, int]) -> dict[Path, int]:
    """A rising number for each file: present ones in their order, and those that are gone where they stood.

    `known` are the numbers of present files, `gone` those of files that are no longer there. A number changes only
    where a file was put in front that was not known.
    """
    left = sorted(gone, key=lambda path: gone[path])
    order: list[Path] = []
    for path in present:
        if path in known:
            order += _taken(left, known[path], gone)
        order.append(path)
    last_known = max((place for place, path in enumerate(order) if path in known or path in gone), default=-1)
    order[last_known + 1 : last_known + 1] = left
    before = {**known, **gone}
    numbers: dict[Path, int] = {}
    last = 0
    for path in order:
        last = before[path] if before.get(path, 0) > last else last + 1
        numbers[path] = last
    return numbers


def _taken(left: list[Path], number: int, gone: Mapping[Path, int]) -> Iterable[Path]:
    """The files that are gone and stood before this number, which are then no longer left."""
    count = sum(gone[path] < number for path in left)
    taken = left[:count]
    del left[:count]
    return taken
