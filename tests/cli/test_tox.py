"""The flags of tox, and what it says of a missing tool before it builds anything."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BAD_INPUT = 2


def tox(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TOX", "TIDEGATE"))}
    if path is not None:
        environment |= {"PATH": path, "JAVA_HOME": ""}
    return subprocess.run(
        [sys.executable, "-m", "tox", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("flags", "handed", "line"),
    [
        ((), "TIDEGATE_ADAPTER=reference", "extras ="),
        (("--adapter=artemis",), "TIDEGATE_ADAPTER=artemis", "extras = artemis"),
        (("--adapter=qpid:0.18",), "TIDEGATE_ADAPTER=qpid:0.18", "extras = qpid"),
        (("--adapter=classic",), "TIDEGATE_ADAPTER=classic", "extras = classic"),
        (("--adapter=reference:qpid-0.18", "--report=out"), "TIDEGATE_ADAPTER=reference:qpid-0.18", "extras ="),
        (("--report=out",), "TIDEGATE_ADAPTER=reference", f"TIDEGATE_REPORT={ROOT / 'out'}"),
        (("--requirements=1.0",), "TIDEGATE_ADAPTER=reference", "TIDEGATE_REQUIREMENTS=1.0"),
        (("--known-deviations=a.yaml",), "commands = tidegate run", f"TIDEGATE_KNOWN_DEVIATIONS={ROOT / 'a.yaml'}"),
        (("--write-deviations=a.yaml",), "commands = tidegate run", f"TIDEGATE_WRITE_DEVIATIONS={ROOT / 'a.yaml'}"),
        (("--", "--adapter", "artemis"), "commands = tidegate run --adapter artemis", "TIDEGATE_ADAPTER=reference"),
    ],
)
def test_the_adapter_and_the_report_are_handed_on(flags: tuple[str, ...], handed: str, line: str) -> None:
    shown = tox("config", "-e", "conformance", "-k", "commands", "extras", "set_env", *flags).stdout
    assert {handed, line} <= set(map(str.strip, shown.splitlines()))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("-e", "tests"),
            "the tests need a JDK (java), Maven (mvn), a C compiler (cc), a Java compiler (javac), Node.js (node), "
            "npm, Chromium (chromium), the driver of Chromium (chromedriver)",
        ),
        (
            ("-e", "conformance", "--adapter=artemis"),
            "the artemis adapter needs a JDK (java), Maven (mvn), a C compiler (cc)",
        ),
        (("-e", "conformance", "--adapter=classic:5.3.1"), "the classic adapter needs a JDK (java), Maven (mvn)"),
    ],
)
def test_every_missing_tool_is_named_in_one_sentence(arguments: tuple[str, ...], sentence: str, tmp_path: Path) -> None:
    ended = tox("config", *arguments, path=str(tmp_path))
    assert ended.returncode == BAD_INPUT
    assert ended.stderr == f"tidegate: {sentence}; please install it\n"


def test_the_reference_needs_none_of_them(tmp_path: Path) -> None:
    assert tox("config", "-e", "conformance", path=str(tmp_path)).returncode == 0
