"""Each measurement that needs neither Spark nor a real broker still runs. Here its input is small, so its figures say
nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sample import sampled

ROOT = Path(__file__).parents[1]
COMMANDS = {
    "judge_events": "benchmarks/judge_events.py --events 600000 --few 100000 --repeat 1",
    "log_faults": "-m benchmarks.log_faults reports/qpid-0.18/broker-qpid-0.18.log --each 1",
    "measure_stops": "benchmarks/measure_stops.py --events 100000",
    "parse_lines": "benchmarks/parse_lines.py --lines 2000 --runs 1",
    "shapes": "benchmarks/shapes.py --lines 20000 --no-sort",
    "stateful": "benchmarks/stateful.py",
    "watch_metrics": "benchmarks/watch_metrics.py --seconds 5 --megabytes 0.1",
    "why_lines": "benchmarks/why_lines.py --lines 500",
    "first_message": "-m benchmarks.first_message --only ShowsAllAsStopped --folder",
}


@pytest.mark.parametrize("name", sampled(COMMANDS, 2))
def test_a_measurement_runs(name: str, tmp_path: Path) -> None:
    folder = [str(tmp_path)] if COMMANDS[name].endswith("--folder") else []
    ended = subprocess.run(
        [sys.executable, *COMMANDS[name].split(), *folder], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout.strip()
