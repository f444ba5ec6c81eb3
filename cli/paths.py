"""Files and folders that a user names in an option."""

from pathlib import Path
from typing import Any

import click

from tidegate.record.names import fault_of_name


class NamedInText(click.Path):
    """A path whose name is text; it will stand in a report. Raises BadInput for one that is not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        fault = fault_of_name(Path(value))
        if fault is not None:
            raise fault
        return super().convert(value, param, ctx)


PLACE = NamedInText()
"""A path, or what a URI names in storage."""
FOLDER = NamedInText(path_type=Path, file_okay=False)
FILE = NamedInText(path_type=Path, dir_okay=False)
FOLDER_THERE = NamedInText(path_type=Path, file_okay=False, exists=True)
FILE_THERE = NamedInText(path_type=Path, dir_okay=False, exists=True)
REPORT_THERE = NamedInText(path_type=Path, exists=True)
"""A report's folder, or its report.json."""
