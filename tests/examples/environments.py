"""Environments as other projects have them: one that shares what is installed here, and one from a wheel."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
LONGEST_SECONDS = 900


def environment_of(venv: Path, **more: str) -> dict[str, str]:
    """The variables of a shell in which the environment is active, and no other tool's settings."""
    alien = ("TOX", "TIDEGATE", "PYTHON", "VIRTUAL_ENV", "GITHUB", "COV")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(alien)}
    return {**kept, "PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}", **more}


def run(
    *command: str | Path, folder: Path, environment: Mapping[str, str], code: int | None = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command; its whole output is shown where it ends otherwise than with `code`."""
    ended = subprocess.run(
        list(map(str, command)), cwd=folder, env=dict(environment), capture_output=True, text=True,
        timeout=LONGEST_SECONDS,
    )  # fmt: skip
    assert code is None or ended.returncode == code, f"{command}: {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    return ended


def empty_venv(folder: Path) -> Path:
    """An environment with nothing but pip in it."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=LONGEST_SECONDS)
    return folder


def sharing_venv(folder: Path) -> Path:
    """An environment that has everything that is installed here, tidegate too, and what is installed there itself."""
    empty_venv(folder)
    here = sysconfig.get_path("purelib")
    there = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    (Path(there) / "shared.pth").write_text(f"import site; site.addsitedir({here!r})\n", encoding="utf-8")
    (folder / "bin" / "tidegate").write_text(
        f'#!/bin/sh\nexec {folder / "bin" / "python"} -m tidegate.cli "$@"\n', encoding="utf-8"
    )
    (folder / "bin" / "tidegate").chmod(0o755)
    return folder
