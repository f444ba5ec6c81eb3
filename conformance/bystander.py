"""A producer of another destination that is attached before anything happens, and must never be stopped."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tidegate.adapters.base import Adapter, Limits, Outcome
from tidegate.conformance.findings import Deviation

NAME = "bystander"
ELSEWHERE = "bystander's destination"
RULE = "GENERAL-19"
"""A full destination stops nobody who sends elsewhere."""
FAR_BYTES = 1_000_000
"""A limit that the bystander's one message does not come near."""

Caller = Callable[..., Any]
"""Calls a verb of the adapter as the lab does."""


class Bystander:
    """Looks whether the producer is free each time the lab looks at its own producers."""

    def __init__(self, adapter: Adapter, call: Caller, prefix: str):
        self._adapter = adapter
        self._call = call
        self._prefix = prefix
        self._attached = False
        self._line = ""
        self._looks = 0
        self._stopped_at = 0
        """The number of the look at which it was first seen stopped; 0 for none."""

    def attach(self, limits: Limits, connection: str) -> None:
        """Open the producer once, at a destination whose limits are far away, on a connection of others or its own."""
        if self._attached:
            return
        scale = self._adapter.parameters.scale
        far = replace(limits, limit_bytes=FAR_BYTES * scale, resume_bytes=FAR_BYTES * scale, limit_messages=None)
        self._call(self._adapter.declare, self._prefix + ELSEWHERE, far)
        line = self._prefix + (connection or NAME)
        self._call(self._adapter.open_producer, self._prefix + NAME, line, (self._prefix + ELSEWHERE,))
        self._attached, self._line = True, line

    def lost(self, connection: str) -> None:
        """The connection of this name broke; a bystander that was on it is looked at no more."""
        if connection == self._line:
            self._attached = False

    def look(self) -> None:
        """Note whether the producer is stopped now."""
        if self._attached:
            self._looks += 1
            if self._call(self._adapter.standing, self._prefix + NAME).stopped and not self._stopped_at:
                self._stopped_at = self._looks

    def judge(self) -> None:
        """Send one message; raises Deviation of GENERAL-19 if the producer was ever stopped or is not served."""
        if not self._attached:
            return
        size = 100 * self._adapter.parameters.scale
        outcome = self._call(self._adapter.send, self._prefix + NAME, f"{self._prefix}{NAME}'s message", size)
        if self._stopped_at or outcome is not Outcome.ACCEPTED:
            seen = f"stopped at look {self._stopped_at} of {self._looks}" if self._stopped_at else f"it was {outcome}"
            raise Deviation("the bystander free all the time, and its message accepted", seen, rules=(RULE,))
