"""What a command prints, below the command, on the pages of symptoms.

Each command of these pages runs as it is written, in the folder of the repository, whenever the site is built.
"""

import re
import shlex
from collections.abc import Iterator
from contextlib import chdir
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from generate.markup import boxed, fence
from tidegate.cli.main import cli
from tidegate.record.errors import ExitCode, TidegateError

ROOT = Path(__file__).parents[2]
FOLDER = "symptoms/"
"""The pages whose commands are run."""
COMMAND = re.compile(r"^```sh\n(?P<command>tidegate [^\n]+)\n```$", re.MULTILINE)
ANSWERED = (ExitCode.OK, ExitCode.VIOLATED, ExitCode.UNKNOWN)
"""How a command may end that answers a question: nothing found, something found, cannot be told."""


def commands(markdown: str) -> Iterator[str]:
    """The commands of a page, each alone in a block of shell."""
    return (found["command"] for found in COMMAND.finditer(markdown))


def with_outputs(markdown: str) -> str:
    """The page with what each command prints below it. TidegateError for a command that does not answer."""
    return COMMAND.sub(lambda found: f"{found[0]}\n\n{boxed('output', fence(printed(found['command'])))}", markdown)


@cache
def printed(command: str) -> str:
    """What a command prints. TidegateError where it ends otherwise than with an answer."""
    with chdir(ROOT):
        ended = CliRunner().invoke(cli, shlex.split(command)[1:])
    if ended.exit_code not in ANSWERED or isinstance(ended.exception, Exception):
        raise TidegateError(f"{command} ended with {ended.exit_code}: {ended.exception or ended.output}")
    return ended.output
