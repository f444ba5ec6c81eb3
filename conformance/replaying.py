"""The command that repeats a check, as typed in the folder of the run, with all that its verdict depends on."""

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

PROGRAM = "tidegate"
SETTINGS = "TIDEGATE_STDIO_"
"""The prefix of the environment variables that configure how to talk to a program."""
SHORT_LIVED = ("TOX_ENV_NAME", "NOX_CURRENT_SESSION", "UV_RUN_RECURSION_DEPTH", "PIPENV_ACTIVE", "POETRY_ACTIVE")
"""Variables set by tools that run a command with a temporary PATH."""


@dataclass(frozen=True)
class Replay:
    """The parts of a command that repeats a check."""

    program: str = PROGRAM
    options: tuple[str, ...] = ()
    """The options of the run that change verdicts or the exit code."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The environment variables on which verdicts depend."""

    @classmethod
    def here(
        cls,
        known: Iterable[Path] = (),
        requirements: str | None = None,
        repeat: int = 1,
        strength: int = 1,
        seed: str = "",
    ) -> Self:
        """A replay as a user types it in this folder, with the options of the run that affect its outcome."""
        options = [word for file in known for word in ("--known-deviations", str(file))]
        options += ["--requirements", requirements] if requirements else []
        options += ["--repeat", str(repeat)] if repeat > 1 else []
        options += ["--strength", str(strength)] if strength != 1 else []
        options += ["--seed", seed] if seed else []
        settings = {name: value for name, value in os.environ.items() if name.startswith(SETTINGS)}
        return cls(program_here(), tuple(options), settings)

    def of_checks(self, adapter: str, *checks: str) -> str:
        """The command that repeats these checks on an adapter."""
        return self._command(adapter, *(word for check in checks for word in ("--check", check)))

    def of_rule(self, adapter: str, rule: str) -> str:
        """The command that repeats every check of a rule."""
        return self._command(adapter, "--rule", rule)

    def _command(self, adapter: str, *selected: str) -> str:
        settings = (
            f"{name}={shlex.quote(value)}" for name, value in sorted({**self.settings, **path_of(adapter)}.items())
        )
        words = (self.program, "run", "--adapter", adapter, *selected, *self.options)
        return " ".join((*settings, *map(shlex.quote, words)))


def program_here(environment: Mapping[str, str] = os.environ) -> str:
    """The command that starts this tidegate from the same folder after the present process has ended."""
    beside_python = Path(sys.executable).parent / PROGRAM
    started = Path(sys.argv[0])
    own = started.absolute() if started.name == PROGRAM and started.is_file() else beside_python
    lasting = environment.keys().isdisjoint(SHORT_LIVED)
    found = shutil.which(PROGRAM, path=environment.get("PATH")) if lasting else None
    if not own.is_file() or (found and Path(found).absolute() == own):
        return PROGRAM
    program = _from_here(own)
    return program if "/" in program else f"./{program}"


def path_of(adapter: str) -> Mapping[str, str]:
    """PYTHONPATH for the module of an adapter `module:Class` that is not installed; empty if it is not needed."""
    module = sys.modules.get(adapter.partition(":")[0].partition(".")[0])
    file = getattr(module, "__file__", None)
    if ":" not in adapter or file is None:
        return {}
    folder = Path(file).parent.parent if Path(file).stem == "__init__" else Path(file).parent
    installed = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib", "stdlib")}
    return {} if folder in installed else {"PYTHONPATH": _from_here(folder)}


def _from_here(path: Path) -> str:
    """The path relative to this folder if it lies in it, as in `.tox/conformance/bin/tidegate`."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
