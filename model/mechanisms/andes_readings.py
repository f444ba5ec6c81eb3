"""The readings of the memory ratio of WSO2 Message Broker: the document does not say what it is a ratio of.

Each reading is a pair of rules over per cent figures: when publishers are stopped, and when they are released.
"""

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.andes import WHOLE, Limits, Memory


@rule
def stops_by_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: the reading of used memory: stopped once more of it is used than the threshold."""
    return memory.used * WHOLE > memory.total * limits.threshold


@rule
def lets_go_by_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: the reading of used memory: let go once less of it is used than the recovery threshold."""
    return memory.used * WHOLE < memory.total * limits.recovery


@rule
def lets_go_by_more_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: the reading of used memory taken by the letter: let go once more is used than for recovery."""
    return memory.used * WHOLE > memory.total * limits.recovery


@rule
def stops_by_free(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: the reading of free memory: stopped once less of it is free than the threshold."""
    return (memory.total - memory.used) * WHOLE < memory.total * limits.threshold


@rule
def lets_go_by_free(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: the reading of free memory: let go once more of it is free than the recovery threshold."""
    return (memory.total - memory.used) * WHOLE > memory.total * limits.recovery


@rule
def stops_by_free_of_grown(limits: Limits, memory: Memory, grown: int) -> bool:
    """ANDES-MEMORY-1: the reading of free memory, of what the process has taken so far and not of all it may take."""
    return (grown - memory.used) * WHOLE < grown * limits.threshold


@rule
def lets_go_by_free_of_grown(limits: Limits, memory: Memory, grown: int) -> bool:
    """ANDES-MEMORY-2: the same for letting go."""
    return (grown - memory.used) * WHOLE > grown * limits.recovery
