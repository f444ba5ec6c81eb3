"""Files and folders that a user names in an option."""

import os
from pathlib import Path
from typing import Any

import click

from tidegate.record.names import fault_of_name


class NamedInText(click.Path):
    """A path whose name is UTF-8, since a report will show it. Raises BadInput for another name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        fault = fault_of_name(Path(value))
        if fault is not None:
            raise fault
        return super().convert(value, param, ctx)


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


PLACE = NamedInText()
"""A path, or the URI of a place in storage."""
FOLDER = NamedInText(path_type=Path, file_okay=False)
FILE = NamedInText(path_type=Path, dir_okay=False)
WRITTEN_FOLDER = Written(path_type=Path, file_okay=False)
WRITTEN_FILE = Written(path_type=Path, dir_okay=False)
FOLDER_THERE = NamedInText(path_type=Path, file_okay=False, exists=True)
FILE_THERE = NamedInText(path_type=Path, dir_okay=False, exists=True)
REPORT_THERE = NamedInText(path_type=Path, exists=True)
"""The folder of a report, or its report.json."""
