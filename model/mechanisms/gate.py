"""The gate: a latch over a level, which closes past a high threshold and opens below a low one."""

from dataclasses import dataclass

from tidegate.model.language.rule import rule


@dataclass(frozen=True)
class Gate:
    """Two thresholds on a level, in the level's unit (bytes, messages, percent)."""

    high: int
    low: int


@rule
def past_high(gate: Gate, level: int) -> bool:
    """GATE-1: the level is above the high threshold."""
    return level > gate.high


@rule
def below_low(gate: Gate, level: int) -> bool:
    """GATE-2: the level is below the low threshold."""
    return level < gate.low


@rule
def settled(gate: Gate, closed: bool, level: int) -> bool:
    """GATE-3: a closed gate opens only below the low threshold; an open gate closes only above the high threshold."""
    return not below_low(gate, level) if closed else past_high(gate, level)
