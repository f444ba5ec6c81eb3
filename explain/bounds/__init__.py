"""Computes how far any number of producers can fill a destination, by the rules of the model.

The levels come from the rules themselves: each rule is searched for the highest level at which producers may still
send, so that a threshold is written only in the model. Theorems (EB-T1 to EB-T8) tell how many messages come after that
level. All messages have one size in bytes; consumers may take any messages in between.
"""

from tidegate.explain.bounds.answers import unknown
from tidegate.explain.bounds.artemis import Amqp, Core, Paging
from tidegate.explain.bounds.classic import Memory, Shared
from tidegate.explain.bounds.levels import NEVER_OPEN, last_level
from tidegate.explain.bounds.never_stopped import Open, Refusing
from tidegate.explain.bounds.qpid import Gate, Policy
from tidegate.explain.bounds.worst import Case, solved, worst

__all__ = [
    "NEVER_OPEN",
    "Amqp",
    "Case",
    "Core",
    "Gate",
    "Memory",
    "Open",
    "Paging",
    "Policy",
    "Refusing",
    "Shared",
    "last_level",
    "solved",
    "unknown",
    "worst",
]
