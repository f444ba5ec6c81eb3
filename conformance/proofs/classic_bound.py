"""How much can come to a full destination of ActiveMQ Classic, for any number of producers with a window.

`others` is the sum of unanswered bytes over all producers but one, `together` the sum of all windows. A sum is never
unfolded: a message changes the unanswered bytes of one producer (SUM-T1).
"""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.classic import may_transmit, may_transmit_until_used_up


@theorem("CB-T1", serves=("CLASSIC-WINDOW-4",))
def each_producer_stays_within_its_window(window: int, unanswered: int, size: int) -> None:
    """CB-T1: step; a message that fits the window keeps what is unanswered within it, and an answer does as well."""
    assume(size <= window and unanswered <= window)
    possible(may_transmit(window, unanswered, size) and unanswered + size == window)
    possible(not may_transmit(window, unanswered, size))
    prove((unanswered + size if may_transmit(window, unanswered, size) else unanswered) <= window)


@theorem("CB-T2", serves=("CLASSIC-WINDOW-4",))
def all_producers_stay_within_their_windows_together(
    window: int, unanswered: int, others: int, together: int, size: int
) -> None:
    """CB-T2: step of the sum; if the other producers stay within their windows together, so do all producers."""
    assume(size <= window and unanswered <= window)
    assume(others <= together - window)
    possible(others == together - window > 0 and unanswered + size == window)
    sent = size if may_transmit(window, unanswered, size) else 0
    prove(others + unanswered + sent <= together)


@theorem("CB-T3", serves=("CLASSIC-WINDOW-4",))
def the_bound_is_reached(window: int, size: int) -> None:
    """CB-T3: a message that fits exactly goes, so no smaller bound holds."""
    possible(0 < size < window)
    prove(may_transmit(window, window - size, size))


@refuted(
    "CB-R1",
    because="the message that uses a window up may go past it in the other reading",
    serves=("CLASSIC-WINDOW-4",),
)
def in_the_other_reading_each_producer_stays_within_its_window_too(window: int, unanswered: int, size: int) -> None:
    """CB-R1: CB-T1 in the other reading."""
    assume(0 < size <= window and 0 <= unanswered <= window)
    prove((unanswered + size if may_transmit_until_used_up(window, unanswered, size) else unanswered) <= window)


@refuted(
    "CB-R2",
    because="a message larger than the window goes when nothing else is on its way",
    serves=("CLASSIC-WINDOW-4",),
)
def a_window_bounds_messages_of_any_size(window: int, unanswered: int, size: int) -> None:
    """CB-R2: CB-T1 without the assumption that a message fits the window."""
    assume(size > 0 and window > 0 and 0 <= unanswered <= window)
    prove((unanswered + size if may_transmit(window, unanswered, size) else unanswered) <= window)
