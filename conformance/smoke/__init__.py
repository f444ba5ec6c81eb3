"""Tries an adapter verb by verb before the suite runs, and says how to mend each fault."""

from tidegate.conformance.smoke.probe import Step
from tidegate.conformance.smoke.walk import look, smoke

__all__ = ["Step", "look", "smoke"]
