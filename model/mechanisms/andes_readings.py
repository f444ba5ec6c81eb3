"""The readings of the memory ratio of WSO2 Message Broker: the document does not say of which memory.

Each reading is a pair of rules over per cent figures: when publishers are stopped, and when they are released.
"""

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.andes import WHOLE, Limits, Memory


@rule
def stops_by_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: reading "used memory": stopped once the used part is above the threshold."""
    return memory.used * WHOLE > memory.total * limits.threshold


@rule
def lets_go_by_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: reading "used memory": released once the used part is below the recovery threshold."""
    return memory.used * WHOLE < memory.total * limits.recovery


@rule
def lets_go_by_more_used(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: reading "used memory", literally: released once the used part is above the recovery threshold."""
    return memory.used * WHOLE > memory.total * limits.recovery


@rule
def stops_by_free(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: reading "free memory": stopped once the free part is below the threshold."""
    return (memory.total - memory.used) * WHOLE < memory.total * limits.threshold


@rule
def lets_go_by_free(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: reading "free memory": released once the free part is above the recovery threshold."""
    return (memory.total - memory.used) * WHOLE > memory.total * limits.recovery


@rule
def stops_by_free_of_grown(limits: Limits, memory: Memory, grown: int) -> bool:
    """ANDES-MEMORY-1: reading "free memory of the process": stopped once the free part is below the threshold."""
    return (grown - memory.used) * WHOLE < grown * limits.threshold


@rule
def lets_go_by_free_of_grown(limits: Limits, memory: Memory, grown: int) -> bool:
    """ANDES-MEMORY-2: reading "free memory of the process": released once it is above the recovery threshold."""
    return (grown - memory.used) * WHOLE > grown * limits.recovery
