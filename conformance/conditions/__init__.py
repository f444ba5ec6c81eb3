"""Conditions: differences between two runs of a scenario under which its rule promises the same."""

from tidegate.conformance.conditions.condition import PLAIN, Condition, Value, Weave
from tidegate.conformance.conditions.known import CONDITIONS

__all__ = ["CONDITIONS", "PLAIN", "Condition", "Value", "Weave"]
