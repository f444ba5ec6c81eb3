"""Adds the output of each command below it, on the pages of symptoms.

Each command of these pages runs as it stands there, in the folder of the repository, whenever the site is built.
"""

import re
import shlex
from collections.abc import Iterator
from functools import cache
from html import escape

from generate import terminal

FOLDER = "symptoms/"
"""The pages whose commands are run."""
COMMAND = re.compile(r"^```sh\n(?P<command>tidegate [^\n]+)\n```$", re.MULTILINE)


def commands(markdown: str) -> Iterator[str]:
    """The commands of a page, each alone in a block of shell."""
    return (found["command"] for found in COMMAND.finditer(markdown))


def with_outputs(markdown: str) -> str:
    """The page with the output below each command. TidegateError if a command does not answer."""
    return COMMAND.sub(lambda found: f"{found[0]}\n\n{_shown(printed(found['command']))}", markdown)


def _shown(output: str) -> str:
    """The output as HTML, each line in an element of its own, so that a long line continues below its text."""
    lines = "\n".join(f'<span class="line">{escape(line)}</span>' for line in output.rstrip().splitlines())
    return f'<div class="output"><pre><code>{lines}</code></pre></div>'


@cache
def printed(command: str) -> str:
    """The output of a command. TidegateError if it does not answer."""
    return terminal.answer(tuple(shlex.split(command)[1:]))
