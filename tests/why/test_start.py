"""The start of `tidegate why`: an answer without a configuration does not load what reads configurations."""

import subprocess
import sys
from pathlib import Path

import pytest

LOG = "AMQ212054: Destination address=till is blocked. If the system is configured to block make sure you consume."
CONFIGURATION = '<configuration xmlns="urn:activemq"><core><max-disk-usage>80</max-disk-usage></core></configuration>'
LOADED = """
import sys
from tidegate.cli.main import cli
cli(["why", *sys.argv[1:]], standalone_mode=False)
print("explain" if "tidegate.explain.read.reading" in sys.modules else "no explain")
"""


@pytest.mark.parametrize(("files", "loaded"), [(["a.log"], "no explain"), (["a.log", "broker.xml"], "explain")])
def test_explain_is_loaded_only_for_a_configuration(tmp_path: Path, files: list[str], loaded: str) -> None:
    (tmp_path / "a.log").write_text(f"2026-11-26 10:00:00,123 WARN {LOG}\n")
    (tmp_path / "broker.xml").write_text(CONFIGURATION)
    ended = subprocess.run([sys.executable, "-c", LOADED, *files], cwd=tmp_path, capture_output=True, text=True)
    assert "address till" in ended.stdout, ended.stderr
    assert ended.stdout.splitlines()[-1] == loaded
