"""Goes through an adapter verb by verb, before the suite does, and says of each what to mend."""

from tidegate.conformance.smoke.probe import Step
from tidegate.conformance.smoke.walk import look, smoke

__all__ = ["Step", "look", "smoke"]
