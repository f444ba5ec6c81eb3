"""Credit, for every window: the time and size of a refill, and the cost of spending it."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.credit import Window, at_low_mark, refill, refill_by_window, spent


@theorem("CREDIT-T1")
def the_low_mark_is_reached_at_it_and_below(window: Window, left: int) -> None:
    """CREDIT-T1: credits left are at the low mark exactly if they are no more than it."""
    possible(left == window.low)
    possible(left == window.low + 1)
    prove(at_low_mark(window, left) == (left <= window.low))


@theorem("CREDIT-T2", serves=("ARTEMIS-AMQP-4",))
def above_the_low_mark_there_is_no_refill(window: Window, left: int) -> None:
    """CREDIT-T2: one credit above the low mark is still too many for a refill."""
    assume(left > window.low)
    possible(left == window.low + 1)
    prove(refill(window, left) == 0)


@theorem("CREDIT-T3", serves=("ARTEMIS-AMQP-4",))
def a_refill_at_the_low_mark_restores_the_window(window: Window, left: int) -> None:
    """CREDIT-T3: at the low mark and below, a refill brings the credits to exactly the window."""
    assume(left <= window.low)
    possible(left == window.low and window.low > 0)
    possible(left == 0)
    prove(left + refill(window, left) == window.size)


@theorem("CREDIT-T4", serves=("ARTEMIS-AMQP-4",))
def a_refill_never_exceeds_the_window(window: Window, left: int) -> None:
    """CREDIT-T4: credits that are within the window are within it after a refill."""
    assume(left <= window.size)
    possible(refill(window, left) > 0)
    possible(left == window.size)
    prove(left + refill(window, left) <= window.size)


@theorem("CREDIT-T5", serves=("ARTEMIS-AMQP-4",))
def a_refill_never_takes_credit_back(window: Window, left: int) -> None:
    """CREDIT-T5: where the low mark is not above the window, a refill is never negative."""
    assume(window.low <= window.size)
    possible(refill(window, left) == 0)
    possible(refill(window, left) == 1)
    prove(refill(window, left) >= 0)


@theorem("CREDIT-T6")
def spending_takes_the_cost_off(left: int, cost: int) -> None:
    """CREDIT-T6: the credit left after spending plus the cost is the credit before."""
    possible(cost == 1 and left == 1)
    prove(spent(left, cost) + cost == left)


@theorem("CREDIT-T7", serves=("ARTEMIS-AMQP-4",))
def the_two_readings_of_a_refill_agree_only_when_no_credit_is_left(window: Window, left: int) -> None:
    """CREDIT-T7: any credit left at a refill distinguishes the two readings of a refill."""
    possible(left == window.low and refill(window, left) != refill_by_window(window, left))
    possible(left == 0 == window.low)
    prove((refill(window, left) == refill_by_window(window, left)) == (left > window.low or left == 0))


@refuted("CREDIT-R1", because="a whole window on top of the credits left is more than a window")
def a_refill_by_a_window_never_exceeds_the_window(window: Window, left: int) -> None:
    """CREDIT-R1: CREDIT-T4 in the other reading."""
    assume(0 <= window.low < window.size and 0 <= left <= window.size)
    prove(left + refill_by_window(window, left) <= window.size)


@refuted(
    "CREDIT-R2",
    because="with the low mark above the window, credits between them are taken down to the window",
)
def no_refill_takes_credit_back_whatever_the_low_mark(window: Window, left: int) -> None:
    """CREDIT-R2: CREDIT-T5 without its assumption."""
    assume(window.size >= 0 and window.low >= 0 and left >= 0)
    prove(refill(window, left) >= 0)


@refuted("CREDIT-R3", because="above the low mark nothing is refilled, so spent credit does not come back at once")
def a_producer_always_holds_a_whole_window(window: Window, left: int) -> None:
    """CREDIT-R3: CREDIT-T3 above the low mark as well."""
    assume(0 <= window.low <= window.size and 0 <= left <= window.size)
    prove(left + refill(window, left) == window.size)
