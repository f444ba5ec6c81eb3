"""The `tidegate` command as a user runs it, in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

LONGEST_SECONDS = 300


def tidegate(*arguments: str, folder: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder; `path` replaces the search path for programs."""
    environment = {**os.environ, **({"PATH": path, "JAVA_HOME": ""} if path is not None else {})}
    return subprocess.run(
        [sys.executable, "-m", "tidegate.cli", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LONGEST_SECONDS,
    )
