"""The bystander: a producer of another destination that is attached before the scenario and must never be stopped."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tidegate.adapters.base import Adapter, Limits, Outcome
from tidegate.conformance.findings import Deviation

NAME = "bystander"
ELSEWHERE = "bystander's destination"
RULE = "GENERAL-19"
"""The rule that a full destination stops no producer of other destinations."""
FAR_BYTES = 1_000_000
"""A limit far above the bystander's one message."""

Caller = Callable[..., Any]
"""Calls a verb of the adapter in the way of the lab."""


class Bystander:
    """Checks whether the bystander is free each time the lab looks at its own producers."""

    def __init__(self, adapter: Adapter, call: Caller, prefix: str):
        self._adapter = adapter
        self._call = call
        self._prefix = prefix
        self._name = self._line = ""
        """The bystander's own name and its connection; empty while it is not attached."""
        self._opened = 0
        self._looks = 0
        self._stopped_at = 0
        """The number of the look at which it was first seen stopped; 0 if it never was."""

    def attach(self, limits: Limits, connection: str) -> None:
        """Open the producer at a destination with far limits, on the given connection or else on its own.

        A bystander that is attached stays as it is. One whose connection broke is opened again, under a new name.
        """
        if self._line:
            return
        if not self._opened:
            scale = self._adapter.parameters.scale
            far = replace(limits, limit_bytes=FAR_BYTES * scale, resume_bytes=FAR_BYTES * scale, limit_messages=None)
            self._call(self._adapter.declare, self._prefix + ELSEWHERE, far)
        self._opened += 1
        self._name = self._prefix + (NAME if self._opened == 1 else f"{NAME} {self._opened}")
        line = self._prefix + (connection or NAME)
        self._call(self._adapter.open_producer, self._name, line, (self._prefix + ELSEWHERE,))
        self._line = line

    def lost(self, connection: str) -> None:
        """Note that a connection broke; a bystander on it is no longer looked at."""
        if connection == self._line:
            self._name = self._line = ""

    def look(self) -> None:
        """Note whether the bystander is stopped now."""
        if self._line:
            self._looks += 1
            if self._call(self._adapter.standing, self._name).stopped and not self._stopped_at:
                self._stopped_at = self._looks

    def judge(self) -> None:
        """Send one message; raises Deviation of GENERAL-19 if it is not accepted or the bystander was ever stopped."""
        if not self._line:
            return
        size = 100 * self._adapter.parameters.scale
        outcome = self._call(self._adapter.send, self._name, f"{self._prefix}{NAME}'s message", size)
        if self._stopped_at or outcome is not Outcome.ACCEPTED:
            seen = f"stopped at look {self._stopped_at} of {self._looks}" if self._stopped_at else f"it was {outcome}"
            raise Deviation("the bystander free all the time, and its message accepted", seen, rules=(RULE,))
