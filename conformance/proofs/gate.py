"""The gate, for every pair of thresholds and every level: what opens and closes it, and what it remembers."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.gate import Gate, below_low, past_high, settled


@theorem("GATE-T1")
def an_open_gate_closes_only_above_its_high_threshold(gate: Gate, level: int) -> None:
    """GATE-T1: above the high threshold an open gate closes; at it or below it stays open."""
    possible(level == gate.high)
    possible(level == gate.high + 1)
    prove(settled(gate, False, level) == (level > gate.high))


@theorem("GATE-T2")
def a_closed_gate_opens_only_below_its_low_threshold(gate: Gate, level: int) -> None:
    """GATE-T2: below the low threshold a closed gate opens; at it or above it stays closed."""
    possible(level == gate.low)
    possible(level == gate.low - 1)
    prove(settled(gate, True, level) == (level >= gate.low))


@theorem("GATE-T3", serves=("QPID-QUEUE-10",))
def a_gate_stays_as_it_is_between_its_thresholds(gate: Gate, closed: bool, level: int) -> None:
    """GATE-T3: from the low to the high threshold, both included, a gate keeps its state."""
    assume(gate.low <= level <= gate.high)
    possible(level == gate.low < gate.high)
    possible(gate.low < gate.high == level)
    possible(gate.low == gate.high)
    prove(settled(gate, closed, level) == closed)


@theorem("GATE-T4")
def a_gate_never_has_two_orders_at_once(gate: Gate, level: int) -> None:
    """GATE-T4: where low is not above high, no level tells a gate both to close and to open."""
    assume(gate.low <= gate.high)
    possible(level > gate.high)
    possible(level < gate.low)
    prove(not (past_high(gate, level) and below_low(gate, level)))


@theorem("GATE-T5", serves=("QPID-QUEUE-10",))
def a_settled_gate_does_not_move_again_at_the_same_level(gate: Gate, closed: bool, level: int) -> None:
    """GATE-T5: where low is not above high, looking twice at one level says the same."""
    assume(gate.low <= gate.high)
    now_closed = settled(gate, closed, level)
    possible(now_closed != closed)
    prove(settled(gate, now_closed, level) == now_closed)


@refuted("GATE-R1", because="with low above high a level between them tells the gate to close and to open")
def a_gate_has_at_most_one_order_whatever_its_thresholds(gate: Gate, level: int) -> None:
    """GATE-R1: GATE-T4 without its assumption."""
    assume(gate.high >= 0 and gate.low >= 0 and level >= 0)
    prove(not (past_high(gate, level) and below_low(gate, level)))


@refuted("GATE-R2", because="with low above high a gate that was just closed opens again at the same level")
def a_gate_settles_whatever_its_thresholds(gate: Gate, closed: bool, level: int) -> None:
    """GATE-R2: GATE-T5 without its assumption."""
    assume(gate.high >= 0 and gate.low >= 0 and level >= 0)
    now_closed = settled(gate, closed, level)
    prove(settled(gate, now_closed, level) == now_closed)


@refuted("GATE-R3", because="between the thresholds the answer depends on where the level came from")
def a_gate_has_no_memory(gate: Gate, level: int) -> None:
    """GATE-R3: the level alone would say whether a gate is closed."""
    assume(0 <= gate.low <= gate.high and level >= 0)
    prove(settled(gate, True, level) == settled(gate, False, level))
