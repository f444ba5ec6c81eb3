"""Searches the witness of every fault, in several processes."""

from collections.abc import Mapping, Sequence
from functools import partial

from tidegate.conformance.mutants.in_a_child import DidNotEnd, in_children
from tidegate.conformance.strength.faults import Fault
from tidegate.conformance.strength.playing import Call
from tidegate.conformance.strength.witness import Witnesses, witness_of
from tidegate.record.errors import TidegateError

MOST_SECONDS = 120
"""The processor seconds for one fault."""


def found(faults: Sequence[Fault], classes: Mapping[str, type], at_once: int) -> Witnesses:
    """The witness of each fault. Raises TidegateError if a search does not end."""
    scripts: dict[str, tuple[Call, ...]] = {}
    tasks = [(fault, partial(witness_of, fault, classes[fault.mechanism.adapter])) for fault in faults]
    for fault, script in in_children(tasks, at_once, MOST_SECONDS):
        if isinstance(script, DidNotEnd):
            raise TidegateError(f"the search for a witness of {fault.name} does not end")
        if script is not None:
            scripts[fault.name] = script
    return Witnesses(scripts, frozenset(fault.name for fault in faults if fault.name not in scripts))
