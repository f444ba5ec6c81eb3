"""What Bash completes: commands, options, names of adapters with their colons, and ids of rules."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tidegate.cli.main import COMPLETES

BIN = Path(sys.executable).parent
BREAKS = (":", "=")


def words_of(line: str) -> list[str]:
    """The words of a line as Bash breaks them, which gives a colon a word of its own; the last one is being typed."""
    for sign in BREAKS:
        line = line.replace(sign, f" {sign} ")
    return line.split() + ([""] if line.endswith(" ") and not line.rstrip().endswith(BREAKS) else [])


def completed(line: str, folder: Path) -> list[str]:
    """What Bash offers behind a line, by the script that the documents tell to source."""
    words = words_of(line)
    array = " ".join(map(shlex.quote, words))
    script = f"""
        source <({COMPLETES}=bash_source tidegate)
        COMP_WORDS=({array}) COMP_CWORD={len(words) - 1}
        _tidegate_completion tidegate
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    ended = subprocess.run(
        ["bash", "--norc", "-c", script],
        cwd=folder,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ended.stderr == ""
    return ended.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("tidegate tr", ["trace"]),
        ("tidegate trace ", ["check", "dashboard", "schema", "watch"]),
        ("tidegate trace watch --prom", ["--prometheus"]),
        ("tidegate run --adapter reference:art", ["artemis", "artemis-core"]),
        ("tidegate run --adapter=reference:qpid-9", ["qpid-942"]),
        ("tidegate attack artemis-c", ["artemis-core"]),
        ("tidegate run --adapter artemis-o", ["artemis-openwire"]),
        ("tidegate run --adapter artemis-s", ["artemis-stomp"]),
        ("tidegate spec show QPID-LOG-", [f"QPID-LOG-{number}" for number in range(1, 5)]),
        ("tidegate run --rule qpid-log-2", ["QPID-LOG-2"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bash_completes(line: str, offered: list[str], tmp_path: Path) -> None:
    assert completed(line, tmp_path) == offered


def test_bash_completes_the_versions_of_a_broker_and_all_behind_a_colon(tmp_path: Path) -> None:
    assert {"2.44.0", "2.50.0"} <= {*completed("tidegate run --adapter artemis:", tmp_path)}
    assert {"qpid-10.1.0", "artemis-2.44.0"} <= {*completed("tidegate matrix built:", tmp_path)}


def test_a_word_that_the_shell_does_not_break_is_answered_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ended = subprocess.run(
        [BIN / "tidegate"],
        env={**os.environ, COMPLETES: "bash_complete", "COMP_CWORD": "3",
             "COMP_WORDS": "tidegate run --adapter reference:qpid-9"},
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout) == (0, "plain,reference:qpid-942\n")
