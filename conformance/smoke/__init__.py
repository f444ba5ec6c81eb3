"""Goes through an adapter verb by verb, before the suite does, and says of each what to mend."""

from headgate.conformance.smoke.probe import Step
from headgate.conformance.smoke.walk import smoke

__all__ = ["Step", "smoke"]
