"""The site, built once for all tests that look at it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the built site, one for all processes of the tests; a warning of the build is a failure."""
    own = tmp_path_factory.getbasetemp()
    shared = own if worker_id == "master" else own.parent
    with FileLock(shared / "site.lock"):
        folder, done = shared / "site", shared / "site.done"
        if not done.exists():
            _build(folder)
            done.touch()
    return folder


def _build(folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    # what the theme says about its own future is not about this site
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    # not with --quiet: it keeps warnings from being counted, and then nothing is strict
    assert (built.returncode, re.findall("WARNING.*|ERROR.*", built.stderr)) == (0, [])
