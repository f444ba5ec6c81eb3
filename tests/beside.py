"""Runs commands beside each other: `python tests/beside.py mypy -- ruff check .` runs two.

Each is named with its time once it has ended; the output of a command is shown if it fails. The exit code is that of
the first command, in the given order, that failed.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from shlex import join

BETWEEN = "--"


def commands(words: Sequence[str]) -> Iterator[list[str]]:
    """The commands that stand between separators."""
    command: list[str] = []
    for word in (*words, BETWEEN):
        if word != BETWEEN:
            command.append(word)
        elif command:
            yield command
            command = []


def run(command: Sequence[str]) -> int:
    """Run a command and tell how it ended; its exit code."""
    began = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = f"{join(command)}: exit code {ended.returncode} after {time.monotonic() - began:.0f} s\n"
    # in one piece, so that no two commands mix
    sys.stdout.write(said + (ended.stdout if ended.returncode else ""))
    sys.stdout.flush()
    return ended.returncode


def main(words: Sequence[str]) -> int:
    """Run all commands at once; the exit code of the first that failed, or 0."""
    given = list(commands(words))
    with ThreadPoolExecutor(len(given)) as pool:
        return next(filter(None, pool.map(run, given)), 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
