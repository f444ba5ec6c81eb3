"""Measures how many steps of random sequences the suite takes in a second on the reference, in one process.

    python benchmarks/stateful.py [--adapter NAME]

A step is one call of a verb, whose events are judged by every trace rule that the profile claims. Prints the steps, the
processor time in seconds, with the start of the suite, and the steps per second next to the goal.
"""

import argparse
import tempfile
import time
from pathlib import Path

from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue, rule_named
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind

GOAL = 1500


def needs(rule: str) -> frozenset[str]:
    """The capabilities that a rule needs."""
    return frozenset(rule_named(rule, catalogue()).needs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--adapter", default="reference")
    factories = resolve(parser.parse_args().adapter)
    catalogue()
    with tempfile.TemporaryDirectory() as folder:
        started = time.process_time()
        run = run_suite(factories, needs, Path(folder), selection=Selection(kinds=(CheckKind.STATEFUL,)))
        seconds = time.process_time() - started
    steps = sum(len(calls) for subject in run.subjects for calls in subject.calls.values())
    print(f"{steps} steps in {seconds:.1f} s: {steps / seconds:.0f} a second (goal: {GOAL})")


if __name__ == "__main__":
    main()
