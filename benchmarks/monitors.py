"""Measures how many events a second public monitors judge by one rule that they can express.

    python benchmarks/monitors.py reelay|rtamt EVENTS.parquet

The rule is QPID-LOG-2: a channel is stopped only by a queue that was said to be overfull, and not underfull since. A
monitor knows no keys, so each queue of each broker has its own. Prints JSON: events, seconds, violations.
"""

import argparse
import json
from collections.abc import Callable
from time import perf_counter

import polars as pl

from tidegate.record.events import Kind

Monitor = Callable[[str], bool]
"""Given the kind of a queue's next event, says whether the rule holds there."""


def reelay_monitor() -> Monitor:
    """A monitor of reelay, from its Python interface."""
    import reelay

    pattern = "{kind: stop} -> (!{kind: underfull} since {kind: overfull})"
    monitor = reelay.discrete_timed_monitor(pattern=pattern, semantics="boolean", condense=False)
    return lambda kind: bool(monitor.update({"kind": kind})["value"])


def rtamt_monitor() -> Monitor:
    """A monitor of rtamt over signals of 0 and 1; its output is below 0 where the rule does not hold."""
    import rtamt

    monitor = rtamt.StlDiscreteTimeSpecification()
    for signal in ("stop", "overfull", "underfull", "out"):
        monitor.declare_var(signal, "float")
    monitor.spec = "out = (stop >= 0.5) implies ((underfull < 0.5) since (overfull >= 0.5))"
    monitor.parse()
    step = 0

    def holds(kind: str) -> bool:
        nonlocal step
        signals = [(signal, float(kind == signal)) for signal in (Kind.STOP, Kind.OVERFULL, Kind.UNDERFULL)]
        said = monitor.update(step, signals)
        step += 1
        return bool(said >= 0)

    return holds


MONITORS = {"reelay": reelay_monitor, "rtamt": rtamt_monitor}


def main() -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", choices=MONITORS)
    parser.add_argument("file")
    options = parser.parse_args()
    rows = pl.read_parquet(options.file, columns=["source", "destination", "kind"]).rows()
    monitors: dict[tuple[str, str], Monitor] = {}
    violations = 0
    begun = perf_counter()
    for source, destination, kind in rows:
        key = (source, destination)
        if key not in monitors:
            monitors[key] = MONITORS[options.library]()
        violations += not monitors[key](kind)
    print(json.dumps({"events": len(rows), "seconds": perf_counter() - begun, "violations": violations}))


if __name__ == "__main__":
    main()
