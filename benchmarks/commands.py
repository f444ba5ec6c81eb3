"""Measures the everyday commands, as multiples of starting Python, all in one run.

    python benchmarks/commands.py [--runs N] [--artemis]

Prints the median wall time of each command in seconds and its ratio to `python -c pass`, next to the goal in seconds
for a machine of two cores with nothing else running. Each command runs once before it is timed, and Python keeps the
compiled modules, as it does for an installed package, even if PYTHONDONTWRITEBYTECODE is set.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import click
from parse_lines import log_lines

from tidegate.catalogue import catalogue
from tidegate.record.errors import ExitCode

ENDS_WELL = (ExitCode.OK, ExitCode.VIOLATED)
"""A run on a real broker may find violations, which is no failure of the measurement."""
QUEUE_GATE = ("QPID-QUEUE", "QPID-LOG")
AMQP_CREDIT = ("ARTEMIS-BLOCK", "ARTEMIS-AMQP")
LINES, EVERY = 10_000, 5
"""Lines of the judged log; one in `EVERY` of them is an event."""


@dataclass(frozen=True)
class Timed:
    """A command of tidegate, and the seconds that it may take."""

    name: str
    arguments: tuple[str, ...]
    goal_seconds: float


def rules_of(*sections: str) -> tuple[str, ...]:
    """The options that select every rule of these sections."""
    chosen = [rule for rule in catalogue() if rule.rpartition("-")[0] in sections]
    return tuple(part for rule in chosen for part in ("--rule", rule))


def commands(log: Path, *, artemis: bool) -> list[Timed]:
    """The commands to measure."""
    on_a_broker = ("run", "--adapter", "artemis", "--quiet", *rules_of(*AMQP_CREDIT))
    return [
        Timed("tidegate --help", ("--help",), 0.3),
        Timed("tidegate prove", ("prove",), 5.0),
        Timed(
            "tidegate run, queue gate and AMQP credit", ("run", "--quiet", *rules_of(*QUEUE_GATE, *AMQP_CREDIT)), 10.0
        ),
        Timed("tidegate run, every profile of the reference", ("run", "--quiet"), 30.0),
        Timed(f"tidegate trace check, a log of {LINES:,} lines", ("trace", "check", str(log), "--quiet"), 1.0),
        *([Timed("tidegate run, AMQP credit on a real Artemis", on_a_broker, 60.0)] if artemis else []),
    ]


def keeping_bytecode(folder: Path) -> dict[str, str]:
    """The environment in which Python keeps the bytecode of modules in this folder."""
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return given | {"PYTHONPYCACHEPREFIX": str(folder)}


def median_seconds(runs: int, environment: dict[str, str], *arguments: str) -> float:
    """The median wall time of Python with these arguments, in seconds, after one uncounted run."""
    return statistics.median([seconds(environment, *arguments) for _ in range(1 + runs)][1:])


def seconds(environment: dict[str, str], *arguments: str) -> float:
    """The wall time of Python with these arguments in an empty folder, in seconds; a failure ends the benchmark."""
    command = (sys.executable, *arguments)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        ended = subprocess.run(
            command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
        )
        taken = time.perf_counter() - started
    if ended.returncode not in ENDS_WELL:
        sys.exit(f"{' '.join(command)} ended with {ended.returncode}: {ended.stderr.decode()}")
    return taken


@click.command()
@click.option("--runs", type=click.IntRange(1), default=5, show_default=True)
@click.option("--artemis", is_flag=True, help="The run on a real Artemis too.")
def main(runs: int, *, artemis: bool) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        environment = keeping_bytecode(Path(folder, "bytecode"))
        log = Path(folder, "broker.log")
        log.write_text("".join(log_lines(LINES, EVERY)))
        base = median_seconds(runs, environment, "-c", "pass")
        print(f"{'command':46} {'median s':>9} {'x python':>9} {'goal s':>7}")
        for timed in commands(log, artemis=artemis):
            median = median_seconds(runs, environment, "-m", "tidegate.cli", *timed.arguments)
            print(f"{timed.name:46} {median:9.2f} {median / base:9.0f} {timed.goal_seconds:7.1f}", flush=True)


if __name__ == "__main__":
    main()
