"""Shows the output of a command on a terminal of a given width as a picture."""

import re
from collections.abc import Mapping
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from tidegate.cli.main import cli
from tidegate.record.errors import ExitCode, TidegateError

ROOT = Path(__file__).parents[2]
FONTS_FROM_ELSEWHERE = re.compile(r"\n *@font-face \{\{.*?\n    \}\}", re.DOTALL)
LOCAL = FONTS_FROM_ELSEWHERE.sub("", CONSOLE_SVG_FORMAT)
"""The drawing of rich with local fonts, since the site fetches nothing from elsewhere."""
PAPER = TerminalTheme(
    (253, 253, 252),
    (32, 36, 42),
    [(32, 36, 42), (176, 32, 32), (26, 115, 64), (138, 90, 0), (29, 78, 137), (120, 60, 130), (10, 104, 128),
     (90, 90, 90)],
)  # fmt: skip
"""Dark on light: background, text, and the eight colours, each readable on the background."""
LAST = "…"
ANSWERED = (ExitCode.OK, ExitCode.VIOLATED, ExitCode.UNKNOWN)
"""The exit codes of a command that answers a question: nothing found, something found, cannot be told."""


def answer(arguments: tuple[str, ...], environment: Mapping[str, str] | None = None) -> str:
    """The output of a command in the folder of the repository. TidegateError if it does not answer."""
    with chdir(ROOT):
        ended = CliRunner().invoke(cli, arguments, env=environment)
    if ended.exit_code not in ANSWERED or isinstance(ended.exception, Exception):
        raise TidegateError(f"{' '.join(arguments)} ended with {ended.exit_code}: {ended.exception or ended.output}")
    return ended.stdout


def screen(arguments: tuple[str, ...], columns: int, lines: int) -> str:
    """The first lines of a command's output on a terminal of this size, with colours, and `…` if there is more.

    The argument FOLDER stands for a new folder.
    """
    with TemporaryDirectory(prefix="tidegate-screen-") as folder:
        given = tuple(folder if word == "FOLDER" else word for word in arguments)
        printed = answer(given, {"COLUMNS": str(columns), "FORCE_COLOR": "1"}).splitlines()
    return "\n".join([*printed[:lines], LAST] if len(printed) > lines else printed)


def drawn(shown: str, columns: int, title: str) -> str:
    """An SVG of a terminal's contents; `title` is the command."""
    widest = max(columns, *(len(line) for line in Text.from_ansi(shown).plain.splitlines()))
    console = Console(record=True, width=widest, file=StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ {title}", style="bold"))
    console.print(Text.from_ansi(f"\n{shown}"), soft_wrap=True)
    return console.export_svg(title="", theme=PAPER, code_format=LOCAL)
