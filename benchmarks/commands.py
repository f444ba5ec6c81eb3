"""How long the everyday commands take, as multiples of starting Python, all measured in one run.

    python benchmarks/commands.py [--runs N] [--artemis]

Prints the median wall time of each command in seconds and its ratio to `python -c pass`, next to the goal in seconds
for a machine of two cores with nothing else running.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time

HEADGATE = (sys.executable, "-m", "headgate.cli")
BASE = (sys.executable, "-c", "pass")
COMMANDS = {
    "headgate --help": ((*HEADGATE, "--help"), 0.3),
    "headgate prove": ((*HEADGATE, "prove"), 5.0),
    "headgate run --adapter reference:qpid-0.18": (
        (*HEADGATE, "run", "--adapter", "reference:qpid-0.18", "--quiet"),
        5.0,
    ),
    "headgate run --adapter reference:artemis": ((*HEADGATE, "run", "--adapter", "reference:artemis", "--quiet"), 5.0),
    "headgate run (every profile of the reference)": ((*HEADGATE, "run", "--quiet"), 30.0),
}
ARTEMIS = {"headgate run --adapter artemis": ((*HEADGATE, "run", "--adapter", "artemis", "--quiet"), 60.0)}
ENDS_WELL = (0, 1)
"""A run on a real broker may find violations, which is no failure of a measurement."""


def seconds(command: tuple[str, ...], folder: str) -> float:
    """Wall time of one run, in seconds; an error ends the benchmark."""
    started = time.perf_counter()
    ended = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    taken = time.perf_counter() - started
    if ended.returncode not in ENDS_WELL:
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode()}")
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--artemis", action="store_true", help="the run on a real Artemis too")
    options = parser.parse_args()
    commands = {**COMMANDS, **(ARTEMIS if options.artemis else {})}
    with tempfile.TemporaryDirectory() as folder:
        base = statistics.median(seconds(BASE, folder) for _ in range(options.runs))
        print(f"{'command':46} {'median s':>9} {'x python':>9} {'goal s':>7}")
        for name, (command, goal) in commands.items():
            median = statistics.median(seconds(command, folder) for _ in range(options.runs))
            print(f"{name:46} {median:9.2f} {median / base:9.0f} {goal:7.1f}")


if __name__ == "__main__":
    main()
