"""Ends of sentences about wrong names and files: what the system reports, and the right name nearest to a wrong one."""

import difflib
import errno
import os
from collections.abc import Iterable
from itertools import islice
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
    errno.EADDRINUSE: "another program serves there",
}
_MOST_SIBLINGS = 10_000
"""The most names of a folder that are compared with a wrong name."""
_ALIKE = 0.75
"""How alike two names are, from 0 to 1, if one may be meant by the other."""


def did_you_mean(wrong: str, names: Iterable[str], begin: str = "; ") -> str:
    """Return the question whether the nearest of some names is meant; no text if none is near. Case does not count."""
    by_small = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wrong.lower(), by_small, n=1, cutoff=_ALIKE)
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
        for part in (*reversed(missing.parents), missing):
            if part.name and not part.exists():
                with os.scandir(part.parent) as there:
                    siblings = [each.name for each in islice(there, _MOST_SIBLINGS)]
                rest = missing.relative_to(part)
                near = (str(part.parent / name / rest) for name in siblings if (part.parent / name / rest).exists())
                return did_you_mean(str(missing), near)
    except (OSError, ValueError):
        pass
    return ""
