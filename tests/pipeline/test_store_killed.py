"""A check that is killed anywhere and run again leaves the same tables, verdicts and accounts."""

import re
import subprocess
import sys
from pathlib import Path

KILLER = Path(__file__).with_name("kill_everywhere.py")
NAME = r"[0-9a-f]{32}"
STEPS = (
    "make out",
    "rename out/store.json",
    f"rename out/events/{NAME}.parquet",
    f"rename out/quarantine/{NAME}.parquet",
    f"rename out/commits/{NAME}.json",
    f"remove out/commits/{NAME}.json",
    f"remove out/events/{NAME}.parquet",
    f"rename out/judged/{NAME}.json",
    "rename out/trace-report.json",
)


def test_a_check_that_is_killed_anywhere_and_run_again_finds_the_same(tmp_path: Path) -> None:
    ended = subprocess.run([sys.executable, KILLER, tmp_path], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    kills = [line.split("\t") for line in ended.stdout.splitlines()]
    assert [kill for kill in kills if kill[1] != "same"] == []
    for step in STEPS:
        assert any(re.fullmatch(step, where) for where, _ in kills), step
