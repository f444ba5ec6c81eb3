"""Files and folders that a user names in an option."""

import errno
import os
from pathlib import Path
from typing import Any

import click

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.names import fault_of_name

NAMED = f"{__name__}.named"
"""Where a context keeps the paths that the user named."""
OF_THE_SYSTEM = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT),
    *(errno.ENAMETOOLONG, errno.ELOOP, errno.EIO, errno.EMFILE, errno.ENFILE),
}
"""Errors that the machine of the user causes, whichever path has them."""


def fault_of_the_system(error: OSError, ctx: click.Context) -> BadInput | None:
    """The sentence for an error that the user can mend: of the machine, or of a path that the user named.

    None for all others, which are defects of tidegate.
    """
    path = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else None
    named: set[Path] = ctx.meta.get(NAMED, set())
    is_named = path is not None and bool({path.absolute(), *path.absolute().parents} & named)
    if error.errno not in OF_THE_SYSTEM and not is_named:
        return None
    if path is None:
        return BadInput(f"expected to read and write files, but {in_words(error)}")
    return BadInput(f"expected a path that can be read or written, but {in_words(error)}", file=path)


class NamedInText(click.Path):
    """A path whose name is UTF-8, since a report will show it. Raises BadInput for another name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(value)
        fault = fault_of_name(path)
        if fault is not None:
            raise fault
        if ctx is not None:
            ctx.meta.setdefault(NAMED, set()).add(path.absolute())
        if self.exists:
            self._find(path)
        return super().convert(value, param, ctx)

    def _find(self, path: Path) -> None:
        """Raise BadInput, as the commands that read logs do, if nothing is at the path."""
        try:
            path.stat()
        except OSError as error:
            kind = "folder" if not self.file_okay else "file or folder" if self.dir_okay else "file"
            raise BadInput(f"expected a {kind} that can be read, but {in_words(error)}", file=path) from None


class OfReport(NamedInText):
    """The report.json of a run, also named by its folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(super().convert(value, param, ctx))
        return path / REPORT_JSON if path.is_dir() else path


class Written(NamedInText):
    """A path that the command writes at its end: an obstacle is reported before anything runs."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        there = next(each for each in (Path(path), *Path(path).absolute().parents) if each.exists())
        if there != Path(path) and not there.is_dir():
            self.fail(f"{str(path)!r} cannot be made: {str(there)!r} is a file.", param, ctx)
        if not os.access(there, os.W_OK):
            self.fail(f"{str(path)!r} cannot be written: {str(there)!r} may not be changed.", param, ctx)
        return path


REPORT_JSON = "report.json"
PLACE = NamedInText()
"""A path, or the URI of a place in storage."""
FOLDER = NamedInText(path_type=Path, file_okay=False)
FILE = NamedInText(path_type=Path, dir_okay=False)
WRITTEN_FOLDER = Written(path_type=Path, file_okay=False)
WRITTEN_FILE = Written(path_type=Path, dir_okay=False)
FOLDER_THERE = NamedInText(path_type=Path, file_okay=False, exists=True)
FILE_THERE = NamedInText(path_type=Path, dir_okay=False, exists=True)
PATH_THERE = NamedInText(path_type=Path, exists=True)
REPORT_FILE = OfReport(path_type=Path)
"""The folder of a report, or its report.json."""
REPORT_THERE = OfReport(path_type=Path, exists=True)
"""The folder of a report, or its report.json, which is there."""
