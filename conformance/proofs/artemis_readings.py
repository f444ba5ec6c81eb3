"""The readings of AMQP credit and of the reject threshold in Artemis, with what each of them conserves and bounds.

`issued` and `sent` are the credits issued to one producer, and the messages that it sent, since it attached.
"""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis import (
    Address,
    AddressLimits,
    ProducerName,
    after_issuing,
    after_send,
    full,
    granted,
    rejecting,
    rejecting_with_arrival,
)
from tidegate.model.mechanisms.credit import Window, refill_by_window, spent


@theorem("AR-T1", serves=("ARTEMIS-AMQP-1",))
def a_message_moves_one_credit_from_left_to_spent(
    address: Address, sender: ProducerName, size: int, issued: int, sent: int
) -> None:
    """AR-T1: step; issued credit equals spent credit plus credit left, for rejected messages too."""
    assume(issued - sent == address.credits[sender])
    after = after_send(address, sender, size)
    possible(after.bytes == address.bytes and size > 0)
    possible(after.bytes == address.bytes + size and size > 0)
    prove(issued - (sent + 1) == after.credits[sender])


@theorem("AR-T2", serves=("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-5"))
def a_refresh_leaves_exactly_what_was_issued_and_takes_nothing_back(
    address: Address, producer: ProducerName, issued: int, sent: int
) -> None:
    """AR-T2: step; conserved by the scored reading of a refresh."""
    left = address.credits[producer]
    assume(issued - sent == left and address.window.low <= address.window.size)
    more = granted(address.limits, address.window, address.bytes, left)
    possible(more == 70 and left == 30)
    possible(more == 0 and left == 30 == address.window.low)
    prove((issued + more) - sent == after_issuing(address).credits[producer] and more >= 0)


@theorem("AR-T3")
def refreshed_by_a_window_a_producer_has_at_most_a_window_and_the_low_mark(window: Window, left: int) -> None:
    """AR-T3: step; the other reading is bounded too, higher: 130 credits with 100 and 30; and takes nothing back."""
    assume(window.low <= window.size and 0 <= left <= window.size + window.low)
    possible(left + refill_by_window(window, left) == window.size + window.low == 130)
    prove(0 <= left + refill_by_window(window, left) <= window.size + window.low)
    prove(refill_by_window(window, left) >= 0)
    prove(left == 0 or spent(left, 1) >= 0)


@theorem("AR-T4", serves=("ARTEMIS-AMQP-8",))
def refreshed_by_a_window_an_address_stays_within_a_bound_with_the_low_mark(
    limits: AddressLimits, window: Window, level: int, left: int, outstanding: int, together: int, largest: int
) -> None:
    """AR-T4: step, as AB-T1; `together` is what a window and a low mark for each producer make up."""
    assume(limits.blocks and limits.max_size > 0 and largest >= 0)
    assume(outstanding - left <= together - (window.size + window.low))
    assume(level + outstanding * largest <= limits.max_size - 1 + together * largest)
    issued = 0 if full(limits, level) else refill_by_window(window, left)
    possible(issued == 100 and left == 30 and level == limits.max_size - 1 and largest > 1)
    prove(level + (outstanding + issued) * largest <= limits.max_size - 1 + together * largest)


@refuted(
    "AR-R1",
    because="30 credits left and 100 more are more messages than the window is",
    serves=("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-8"),
)
def in_both_readings_a_producer_can_send_no_more_than_a_window_to_a_full_address(window: Window, left: int) -> None:
    """AR-R1: any credit left at the low mark distinguishes the two readings of a refresh."""
    assume(0 < window.low < window.size and 0 <= left <= window.low)
    prove(left + refill_by_window(window, left) <= window.size)


@theorem("AR-T5", serves=("ARTEMIS-AMQP-9",))
def if_the_arriving_message_counts_the_threshold_is_never_exceeded(
    limits: AddressLimits, level: int, size: int
) -> None:
    """AR-T5: step; a hard bound even without credit; a message may exactly reach the threshold."""
    assume(limits.blocks and 0 <= level <= limits.reject_threshold)
    possible(level + size == limits.reject_threshold and not rejecting_with_arrival(limits, level, size))
    possible(level + size == limits.reject_threshold + 1)
    prove((level if rejecting_with_arrival(limits, level, size) else level + size) <= limits.reject_threshold)


@refuted(
    "AR-R2",
    because="the message that crosses the threshold is looked at before it is counted",
    serves=("ARTEMIS-AMQP-9",),
)
def if_it_does_not_count_the_threshold_is_never_exceeded_either(limits: AddressLimits, level: int, size: int) -> None:
    """AR-R2: in the scored reading one message may pass the threshold (AC-T23)."""
    assume(limits.blocks and limits.reject_threshold > 0 and 0 <= level <= limits.reject_threshold and size >= 0)
    prove((level if rejecting(limits, level) else level + size) <= limits.reject_threshold)
