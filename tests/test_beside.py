"""Commands that run beside each other end as their own exit codes say, and a failure is shown."""

import sys
from pathlib import Path

import pytest

from tests.beside import commands, main

WAITS_FOR = """
import sys, time
from pathlib import Path
own, other = map(Path, sys.argv[1:])
own.touch()
until = time.monotonic() + 60
while not other.exists() and time.monotonic() < until:
    time.sleep(0.01)
sys.exit(not other.exists())
"""
"""Ends well only if another command runs at the same time."""


def python(script: str, *arguments: object) -> tuple[str, ...]:
    return (sys.executable, "-c", script, *map(str, arguments))


def test_commands_stand_between_separators() -> None:
    assert list(commands(["a", "b", "--", "c"])) == [["a", "b"], ["c"]]
    assert list(commands(["a", "--", "--"])) == [["a"]]


def test_they_run_at_the_same_time(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*python(WAITS_FOR, one, two), "--", *python(WAITS_FOR, two, one)]) == 0


def test_the_first_failure_is_the_exit_code_and_only_failures_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    fails = [python(f"import sys; print({word!r} * 2); sys.exit({code})") for word, code in (("de", 3), ("bi", 4))]
    assert main([*python("print('fi' * 2)"), "--", *fails[0], "--", *fails[1]]) == 3
    said = capsys.readouterr().out
    assert "dede\n" in said and "bibi\n" in said and "fifi\n" not in said
    assert said.count(": exit code ") == 3
