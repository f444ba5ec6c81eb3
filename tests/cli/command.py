"""The `tidegate` command as a user runs it, in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
LONGEST_SECONDS = 300
LOADED = (
    *("tidegate.cli.main", "tidegate.cli.run", "tidegate.cli.matrix", "tidegate.cli.diff", "tidegate.cli.why"),
    *("tidegate.cli.explain", "tidegate.explain.versions", "tidegate.explain.machine", "tidegate.why.show"),
    *("tidegate.adapters.resolver", "tidegate.conformance.runner", "tidegate.conformance.assembly"),
    *("tidegate.conformance.attribution", "tidegate.conformance.report.matrix_files", "pytest_bdd.plugin"),
    "tidegate.conformance.proofs.under",
)
"""What most commands load: one process loads it, and each command is a fork of that process."""
PROCESSES = get_context("forkserver")
PROCESSES.set_forkserver_preload(list(LOADED))


def tidegate(*arguments: str, folder: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder; `path` replaces the search path for programs.

    The process of the command has nothing of the test's own process, and its modules are already loaded: loading them
    takes longer than most commands. Commands that are started afresh are in `test_adapter.py` and `test_completion.py`.
    """
    environment = {**os.environ, **({"PATH": path, "JAVA_HOME": ""} if path is not None else {})}
    with TemporaryDirectory(prefix="tidegate-command-") as kept:
        output, errors = Path(kept) / "output", Path(kept) / "errors"
        process = PROCESSES.Process(target=_command, args=(arguments, folder, environment, output, errors))
        process.start()
        process.join(LONGEST_SECONDS)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(arguments, LONGEST_SECONDS)
        said = output.read_text(encoding="utf-8"), errors.read_text(encoding="utf-8")
        return subprocess.CompletedProcess(arguments, process.exitcode, *said)


def _command(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], output: Path, errors: Path
) -> None:
    """Become the command: its folder, its environment, its arguments, and where it writes."""
    from tidegate.cli.main import main

    for stream, file in ((sys.stdout, output), (sys.stderr, errors)):
        with file.open("wb") as opened:
            os.dup2(opened.fileno(), stream.fileno())
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # tests put folders of the checkout on the path; these folders would hide the installed package
    sys.path[:] = [str(folder), *(each for each in sys.path if each not in (str(ROOT), str(ROOT / "docs")))]
    sys.argv = ["tidegate", *arguments]
    main()
