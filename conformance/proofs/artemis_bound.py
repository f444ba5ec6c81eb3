"""How far an address can go past its maximum size, for any number of producers: by what their credits allow.

`outstanding` is the sum of all producers' credits, `together` what all windows make up, and `largest` is the
size of the largest message in bytes. A sum is never unfolded: one message or one refill changes the credits
of one producer (AC-T9, AC-T14), so the sum changes as much (SUM-T1); each producer has at most a window (AC-T19
to AC-T21), so all but one have at most what all but one window make up (SUM-T4).
"""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis import Address, ProducerName, after_removal, after_send, granted, may_send
from tidegate.model.mechanisms.credit import refill_by_window


@theorem("AB-T0")
def an_empty_address_whose_producers_have_no_credit_is_within_the_bound(
    address: Address, together: int, largest: int
) -> None:
    """AB-T0: initial state; nothing is stored and nothing can come."""
    assume(address.bytes == 0 and address.limits.max_size > 0 and together >= 0 and largest >= 0)
    possible(together == 200 and largest > address.limits.max_size)
    prove(address.bytes + 0 * largest <= address.limits.max_size - 1 + together * largest)


@theorem("AB-T1", serves=("ARTEMIS-AMQP-8",))
def issuing_credit_keeps_what_can_still_come_within_the_bound(
    address: Address, producer: ProducerName, outstanding: int, together: int, largest: int
) -> None:
    """AB-T1: step; credit comes only below the maximum size, where all windows may be spent."""
    left = address.credits[producer]
    assume(address.limits.blocks and address.limits.max_size > 0 and largest >= 0)
    assume(outstanding - left <= together - address.window.size)
    assume(address.bytes + outstanding * largest <= address.limits.max_size - 1 + together * largest)
    issued = granted(address.limits, address.window, address.bytes, left)
    possible(issued > 0 and address.bytes == address.limits.max_size - 1 and largest > 1)
    possible(issued == 0 and left == 0 < address.window.low and largest > 1)
    prove(address.bytes + (outstanding + issued) * largest <= address.limits.max_size - 1 + together * largest)


@theorem("AB-T2", serves=("ARTEMIS-AMQP-8",))
def a_message_on_credit_keeps_what_can_still_come_within_the_bound(
    address: Address, sender: ProducerName, size: int, outstanding: int, together: int, largest: int
) -> None:
    """AB-T2: step; a message brings no more bytes than its credit stood for, stored or rejected."""
    assume(0 <= size <= largest)
    assume(address.bytes + outstanding * largest <= address.limits.max_size - 1 + together * largest)
    after = after_send(address, sender, size)
    spent = address.credits[sender] - after.credits[sender]
    possible(address.limits.blocks and address.bytes >= address.limits.max_size > 0 and size == largest > 1)
    prove(after.bytes + (outstanding - spent) * largest <= address.limits.max_size - 1 + together * largest)


@theorem("AB-T3", serves=("ARTEMIS-AMQP-8",))
def a_removal_keeps_what_can_still_come_within_the_bound(
    address: Address, size: int, outstanding: int, together: int, largest: int
) -> None:
    """AB-T3: step; space that is freed only makes room."""
    assume(size >= 0)
    assume(address.bytes + outstanding * largest <= address.limits.max_size - 1 + together * largest)
    possible(size > 0 and largest > 1)
    prove(
        after_removal(address, size).bytes + outstanding * largest <= address.limits.max_size - 1 + together * largest
    )


@theorem("AB-T4")
def an_address_holds_less_than_its_maximum_size_and_all_windows_of_largest_messages(
    level: int, max_size: int, outstanding: int, together: int, largest: int
) -> None:
    """AB-T4: it follows from AB-T1 to AB-T3, since no producer has less than 0 credits."""
    assume(outstanding >= 0 and largest >= 0)
    assume(level + outstanding * largest <= max_size - 1 + together * largest)
    possible(level == max_size - 1 + together * largest and together == 2 and largest > 1)
    prove(level <= max_size - 1 + together * largest)


@theorem("AB-T5", serves=("ARTEMIS-AMQP-8",))
def at_most_as_many_messages_come_while_full_as_credits_were_outstanding(
    address: Address, sender: ProducerName, size: int, since_full: int, outstanding: int, together: int
) -> None:
    """AB-T5: step; messages that came since, and credits outstanding, make up no more than all windows."""
    assume(address.limits.blocks and 0 < address.limits.max_size <= address.bytes)
    assume(since_full + outstanding <= together)
    issued = granted(address.limits, address.window, address.bytes, address.credits[sender])
    after = after_send(address, sender, size)
    spent = address.credits[sender] - after.credits[sender]
    possible(since_full + outstanding == together == 2 and outstanding > 0)
    prove((since_full + 1) + (outstanding + issued - spent) <= together)


@refuted(
    "AB-R1", because="a client that sends without credit is not stopped by having none", serves=("ARTEMIS-AMQP-8",)
)
def clients_that_send_without_credit_stay_within_the_bound(
    address: Address, sender: ProducerName, size: int, together: int, largest: int
) -> None:
    """AB-R1: the bound of AB-T4 for one producer that keeps sending."""
    assume(address.limits.blocks and address.limits.max_size > 0 and address.limits.reject_threshold == -1)
    assume(0 <= size <= largest and address.bytes >= 0 and 0 <= address.credits[sender] <= together)
    assume(address.bytes + address.credits[sender] * largest <= address.limits.max_size - 1 + together * largest)
    prove(after_send(address, sender, size).bytes <= address.limits.max_size - 1 + together * largest)


@refuted("AB-R2", because="each producer has a window of its own", serves=("ARTEMIS-AMQP-8",))
def one_window_is_the_most_that_all_producers_can_send_to_a_full_address(
    address: Address, first: ProducerName, second: ProducerName, size: int
) -> None:
    """AB-R2: the bound without the number of producers."""
    assume(address.limits.blocks and 0 < address.limits.max_size <= address.bytes and size > 0)
    assume(address.limits.reject_threshold == -1 and first != second)
    assume(may_send(address, first) and may_send(address, second))
    assume(all(0 <= address.credits[producer] <= address.window.size for producer in address.credits))
    after_both = after_send(after_send(address, first, size), second, size)
    prove(after_both.bytes <= address.bytes + address.window.size * size)


@refuted(
    "AB-R3",
    because="refilled by a whole window a producer has more credits than a window",
    serves=("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-8"),
)
def the_bound_holds_in_the_other_reading_of_a_refill(
    address: Address, producer: ProducerName, outstanding: int, together: int, largest: int
) -> None:
    """AB-R3: AB-T1 with a refill by a window."""
    left = address.credits[producer]
    assume(address.limits.blocks and 0 <= address.bytes < address.limits.max_size and largest >= 0)
    assume(0 <= address.window.low < address.window.size and 0 <= left <= address.window.size)
    assume(outstanding == left and together == address.window.size)
    issued = refill_by_window(address.window, left)
    prove(address.bytes + (outstanding + issued) * largest <= address.limits.max_size - 1 + together * largest)
