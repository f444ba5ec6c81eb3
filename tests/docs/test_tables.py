"""The tables that stand in pages of the repository are what the code says, and no page there waits to be filled in."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))

from generate.tables import main

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "docs" / "generate" / "tables.py"
WRITE = "python docs/generate/tables.py"


def test_the_tables_of_the_reference_are_up_to_date() -> None:
    ended = subprocess.run([sys.executable, str(TABLES), "--check"], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, f"{ended.stdout}{ended.stderr}write the tables again: {WRITE}"
    assert WRITE in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_a_page_out_of_date_is_named_and_written_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In this process: the one of the test above shows that the script can be run, and takes seconds to start."""
    page = tmp_path / "adapter-values.md"
    page.write_text((ROOT / "docs/reference/adapter-values.md").read_text(encoding="utf-8"), encoding="utf-8")
    assert (main(["--docs", str(tmp_path)]), capsys.readouterr().out) == (0, "")
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("| `limit_bytes` |", "| `limit_byte` |"), encoding="utf-8")
    assert (main(["--check", "--docs", str(tmp_path)]), capsys.readouterr().out) == (
        1,
        "adapter-values.md: out of date\n",
    )
    assert (main(["--docs", str(tmp_path)]), capsys.readouterr().out) == (0, "adapter-values.md: written\n")
    assert page.read_text(encoding="utf-8") == text


def test_the_reference_waits_for_no_table() -> None:
    pages = {page.name: page.read_text(encoding="utf-8") for page in ROOT.glob("docs/reference/*.md")}
    assert [name for name, text in pages.items() if "<!-- table:" in text] == []
    places = re.findall(r"<!-- generated: ([a-z-]+) -->\n\n\S", "".join(pages.values()))
    assert {"contract-verbs", "contract-values", "capabilities", "commands", "event-fields", "exit-codes"} <= set(
        places
    )
    assert "".join(pages.values()).count("<!-- generated: ") == len(places)
