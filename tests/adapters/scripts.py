"""The script of a check, as a report of the adapter's run has it."""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import Adapter, Call
from tidegate.adapters.groups import WritesReproducers
from tidegate.conformance.report.scripts import script
from tidegate.record.report import Check


def script_of(adapter: Adapter, check: Check, calls: Sequence[Call], sentence: str = "R-1: a sentence") -> str:
    """The text of the script that repeats these calls on the version of this adapter."""
    assert isinstance(adapter, WritesReproducers)
    recorded = replace(check, recording=adapter.recording(calls))
    return script(adapter.script_template(), recorded, sentence, adapter.identity.version)
