"""The command that an error message gives for an extra is one that pip takes, and needs no index to know tidegate."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tidegate.record.extras import how_to_install

ROOT = Path(__file__).parents[2]
ASKED_FOR = re.compile(r"how_to_install\(['\"](?P<extra>[\w-]+)['\"]\)")
"""As it stands in the messages of adapters and commands."""


def extras_in_messages() -> set[str]:
    parts = (ROOT / part for part in ("adapters", "cli", "conformance", "pipeline"))
    texts = (module.read_text(encoding="utf-8") for part in parts for module in part.rglob("*.py"))
    return {found["extra"] for text in texts for found in ASKED_FOR.finditer(text)}


def test_messages_name_the_extras_of_optional_parts() -> None:
    assert extras_in_messages() == {
        *("artemis", "artemis-core", "artemis-openwire", "artemis-stomp", "classic", "qpid"),
        *("logs", "metrics", "pipeline", "proofs"),
    }


def test_the_commands_run_here_and_find_everything_there() -> None:
    commands = [shlex.split(how_to_install(extra)) for extra in sorted(extras_in_messages())]
    ((python, *words),) = {tuple(command[:4]) for command in commands}
    assert (python, words) == (sys.executable, ["-m", "pip", "install"])
    libraries = {library for command in commands for library in command[4:]}
    assert not any(library.startswith("tidegate") for library in libraries)
    # together, because pip takes longer to start than to look
    ended = subprocess.run(
        [python, *words, *sorted(libraries), "--dry-run", "--no-index", "--no-deps"],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Would install" not in ended.stdout


def test_the_command_has_the_libraries_of_the_extra_and_no_others() -> None:
    assert shlex.split(how_to_install("classic"))[1:] == ["-m", "pip", "install", "jpype1>=1.5"]


def test_an_extra_that_there_is_not_is_refused() -> None:
    with pytest.raises(KeyError, match="tidegate has no extra 'proof'"):
        how_to_install("proof")
