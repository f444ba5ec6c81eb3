"""Ends of sentences about wrong names and files: what the system reports, and the right name nearest to a wrong one."""

import difflib
import errno
import os
from collections.abc import Iterable
from pathlib import Path

_WORDS = {
    errno.ENOENT: "there is no such file or folder",
    errno.EACCES: "permission is denied",
    errno.EPERM: "permission is denied",
    errno.EROFS: "its file system is read-only",
    errno.ENOSPC: "no space is left on the disk",
    errno.EDQUOT: "the disk quota is used up",
    errno.ENOTDIR: "a part of its path is a file",
    errno.EISDIR: "it is a folder",
    errno.EEXIST: "something else has this name",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ECONNREFUSED: "the connection is refused",
    errno.ELOOP: "its links lead in a circle",
    errno.EIO: "the disk or the storage failed",
    errno.EADDRINUSE: "another program serves there",
}
_MOST_SIBLINGS = 10_000
"""The most names of a folder that are compared with a wrong name."""
_ALIKE = 0.75
"""How alike two names are, from 0 to 1, if one may be meant by the other."""
_LEAST_OF_A_PART = 4
"""The least characters of a name's beginning for which the whole name is proposed."""


def did_you_mean(wrong: str, names: Iterable[str], begin: str = "; ") -> str:
    """Return the question whether the nearest of some names is meant; no text if none is near. Case does not count.

    A name that begins with the wrong one is near, too: a long name is often typed or copied in part.
    """
    by_small = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wrong.lower(), by_small, n=1, cutoff=_ALIKE)
    if not near and len(wrong) >= _LEAST_OF_A_PART:
        near = [name for name in by_small if name.startswith(wrong.lower())][:1]
    return "".join(f"{begin}did you mean {by_small[each]}?" for each in near)


def in_words(error: OSError) -> str:
    """Return what the system reports, as words that can end a sentence, with the nearest name if a file is missing."""
    if error.errno == errno.ENOENT and isinstance(error.filename, str | Path):
        return _WORDS[errno.ENOENT] + near_path(error.filename)
    if error.errno in _WORDS:
        return _WORDS[error.errno]
    said = error.strerror or str(error)
    return said[:1].lower() + said[1:] if said[1:2].islower() else said


def near_path(path: str | Path) -> str:
    """Return the question whether a path with a similar name is meant, if one lies in the same folder."""
    missing = Path(path)
    try:
        part = next(each for each in (*reversed(missing.parents), missing) if each.name and not each.exists())
        rest = missing.relative_to(part)
        with os.scandir(part.parent) as there:
            names = [each.name for _, each in zip(range(_MOST_SIBLINGS), there, strict=False)]
        alike = [name for name in names if _likeness(part.name, name) >= _ALIKE]
        meant = {name: part.parent / name / rest for name in alike if (part.parent / name / rest).exists()}
    except (OSError, StopIteration):
        return ""
    near = difflib.get_close_matches(part.name, meant, n=1, cutoff=_ALIKE)
    return "".join(f"; did you mean {meant[name]}?" for name in near)


def _likeness(one: str, other: str) -> float:
    """How alike two names are up to their first dots: `a.log` and `b.log` are not alike because both are logs."""
    first, second = (name.partition(".")[0].lower() for name in (one, other))
    return difflib.SequenceMatcher(None, first, second).ratio()
