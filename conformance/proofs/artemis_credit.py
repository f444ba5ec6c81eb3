"""AMQP credit of Artemis under BLOCK, for all sizes and windows and any number of producers."""

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis import (
    DEFAULT_LIMITS,
    DEFAULT_WINDOW,
    Address,
    AddressLimits,
    ProducerName,
    after_issuing,
    after_removal,
    after_send,
    full,
    granted,
    may_send,
    rejecting,
    rejecting_with_arrival,
)
from tidegate.model.mechanisms.credit import Window

# the levels


@theorem("AC-T1", serves=("ARTEMIS-BLOCK-1",))
def an_address_is_full_exactly_from_its_maximum_size_on(limits: AddressLimits, level: int) -> None:
    """AC-T1: at its maximum size an address is full, one byte less and it is not."""
    assume(limits.blocks and limits.max_size > 0)
    possible(level == limits.max_size)
    possible(level == limits.max_size - 1)
    prove(full(limits, level) == (level >= limits.max_size))


@theorem("AC-T2", serves=("ARTEMIS-BLOCK-1",))
def an_address_of_maximum_size_minus_1_is_never_full(limits: AddressLimits, level: int) -> None:
    """AC-T2: -1 stands for no limit."""
    assume(limits.max_size == -1)
    possible(limits.blocks and level > 0)
    prove(not full(limits, level))


@theorem("AC-T3", serves=("ARTEMIS-BLOCK-3",))
def no_other_policy_makes_an_address_full(
    limits: AddressLimits, window: Window, level: int, left: int, size: int
) -> None:
    """AC-T3: where the policy is not BLOCK nothing is full or rejected, and credit is refilled at any level."""
    assume(not limits.blocks)
    possible(level >= limits.max_size > 0 and left == 0 < window.low)
    possible(level >= limits.reject_threshold > 0 and size > 0)
    prove(not full(limits, level))
    prove(not rejecting(limits, level) and not rejecting_with_arrival(limits, level, size))
    prove(granted(limits, window, level, left) == (window.size - left if left <= window.low else 0))


@theorem("AC-T4", serves=("ARTEMIS-AMQP-9",))
def messages_are_rejected_exactly_from_the_threshold_on(limits: AddressLimits, level: int) -> None:
    """AC-T4: at its reject threshold an address rejects, one byte less and it does not."""
    assume(limits.blocks and limits.reject_threshold > 0)
    possible(level == limits.reject_threshold)
    possible(level == limits.reject_threshold - 1)
    prove(rejecting(limits, level) == (level >= limits.reject_threshold))


@theorem("AC-T5", serves=("ARTEMIS-AMQP-9",))
def the_two_readings_of_the_threshold_are_told_apart_by_a_message_that_crosses_it(
    limits: AddressLimits, level: int, size: int
) -> None:
    """AC-T5: only a message that would cross the threshold is rejected in just one reading."""
    assume(limits.blocks and limits.reject_threshold > 0 and size > 0)
    possible(rejecting_with_arrival(limits, level, size) and not rejecting(limits, level))
    possible(level + size == limits.reject_threshold)
    prove(
        (rejecting(limits, level) == rejecting_with_arrival(limits, level, size))
        != (level < limits.reject_threshold < level + size)
    )


@theorem("AC-T6", serves=("ARTEMIS-AMQP-11",))
def a_threshold_of_minus_1_rejects_nothing(limits: AddressLimits, level: int, size: int) -> None:
    """AC-T6: whatever the address holds and whatever comes, in both readings."""
    assume(limits.reject_threshold == -1)
    possible(limits.blocks and level > limits.max_size > 0)
    prove(not rejecting(limits, level))
    prove(not rejecting_with_arrival(limits, level, size))


@theorem("AC-T7", serves=("ARTEMIS-AMQP-11",))
def without_a_threshold_every_message_is_stored(address: Address, sender: ProducerName, size: int) -> None:
    """AC-T7: also by an address that is full; only credit keeps producers back."""
    assume(address.limits.reject_threshold == -1)
    possible(address.limits.blocks and address.bytes > address.limits.max_size > 0)
    prove(after_send(address, sender, size).bytes == address.bytes + size)


# the cost of one message


@theorem("AC-T8", serves=("ARTEMIS-AMQP-1",))
def a_message_costs_its_sender_one_credit_whatever_its_size(address: Address, sender: ProducerName, size: int) -> None:
    """AC-T8: of 1 byte or of a thousand, stored or rejected."""
    possible(size == 1)
    possible(size == 1000)
    prove(after_send(address, sender, size).credits[sender] == address.credits[sender] - 1)


@theorem("AC-T9", serves=("ARTEMIS-AMQP-1",))
def a_message_costs_nobody_else_a_credit(
    address: Address, sender: ProducerName, size: int, other: ProducerName
) -> None:
    """AC-T9: every other producer has as many credits as before."""
    assume(other != sender)
    possible(address.credits[other] == 0)
    prove(after_send(address, sender, size).credits[other] == address.credits[other])


@theorem("AC-T10")
def one_credit_is_enough_for_a_message_and_none_is_not(address: Address, producer: ProducerName) -> None:
    """AC-T10: a producer may send exactly if it has at least one credit left."""
    possible(address.credits[producer] == 1)
    possible(address.credits[producer] == 0)
    prove(may_send(address, producer) == (address.credits[producer] >= 1))


@theorem("AC-T11", serves=("ARTEMIS-AMQP-9",))
def a_message_is_stored_exactly_below_the_threshold(address: Address, sender: ProducerName, size: int) -> None:
    """AC-T11: at or above the threshold, a message does not change the address."""
    assume(address.limits.blocks and address.limits.reject_threshold > 0 and size > 0)
    possible(address.bytes == address.limits.reject_threshold)
    possible(address.bytes == address.limits.reject_threshold - 1)
    stored = after_send(address, sender, size).bytes == address.bytes + size
    prove(stored == (address.bytes < address.limits.reject_threshold))
    prove(stored or after_send(address, sender, size).bytes == address.bytes)


# when credit is issued


@theorem("AC-T12", serves=("ARTEMIS-AMQP-5",))
def no_producer_is_issued_credit_while_the_address_is_full(
    limits: AddressLimits, window: Window, level: int, left: int
) -> None:
    """AC-T12: however few credits it has left."""
    assume(limits.blocks and 0 < limits.max_size <= level)
    possible(left == 0 < window.low)
    possible(level == limits.max_size)
    prove(granted(limits, window, level, left) == 0)


@theorem("AC-T13", serves=("ARTEMIS-AMQP-5",))
def while_the_address_is_full_nobody_has_more_credits_afterwards(address: Address, producer: ProducerName) -> None:
    """AC-T13: AC-T12 for every producer of an address at once."""
    assume(address.limits.blocks and 0 < address.limits.max_size <= address.bytes)
    possible(address.credits[producer] == 0 < address.window.low)
    prove(after_issuing(address).credits[producer] == address.credits[producer])
    prove(after_issuing(address).bytes == address.bytes)


@theorem("AC-T14", serves=("ARTEMIS-AMQP-6", "ARTEMIS-AMQP-4"))
def once_the_address_is_not_full_every_producer_at_its_low_mark_has_a_whole_window(
    address: Address, size: int, producer: ProducerName
) -> None:
    """AC-T14: only producers at their low mark are issued credit."""
    assume(address.bytes - size < address.limits.max_size)
    after = after_issuing(after_removal(address, size))
    possible(address.credits[producer] == 0 < address.window.low and address.bytes >= address.limits.max_size)
    possible(address.credits[producer] == address.window.low + 1)
    prove(
        after.credits[producer]
        == (address.window.size if address.credits[producer] <= address.window.low else address.credits[producer])
    )


@theorem("AC-T15", serves=("ARTEMIS-AMQP-5",))
def below_the_maximum_size_credit_is_what_a_refill_gives(
    limits: AddressLimits, window: Window, level: int, left: int
) -> None:
    """AC-T15: the level plays no part as long as the address is not full."""
    assume(level < limits.max_size)
    possible(limits.blocks and left == window.low and level == limits.max_size - 1)
    possible(limits.blocks and left == window.low + 1)
    prove(granted(limits, window, level, left) == (window.size - left if left <= window.low else 0))


@theorem("AC-T16")
def messages_that_leave_give_their_bytes_back(address: Address, size: int, producer: ProducerName) -> None:
    """AC-T16: and no credit by themselves."""
    possible(size == address.bytes > 0)
    prove(after_removal(address, size).bytes + size == address.bytes)
    prove(after_removal(address, size).credits[producer] == address.credits[producer])


@theorem("AC-T17", serves=("ARTEMIS-AMQP-2", "ARTEMIS-AMQP-3", "ARTEMIS-BLOCK-2"))
def without_configuration_a_producer_is_issued_100_credits_again_at_30_and_none_from_10_mib_on(
    level: int, left: int
) -> None:
    """AC-T17: the defaults in figures."""
    possible(level == 10485759 and left == 30)
    possible(left == 31)
    prove(
        granted(DEFAULT_LIMITS, DEFAULT_WINDOW, level, left) == (100 - left if left <= 30 and level < 10485760 else 0)
    )


@theorem("AC-T18", serves=("ARTEMIS-AMQP-10",))
def without_configuration_no_message_is_rejected(level: int) -> None:
    """AC-T18: an address for which nothing is configured has no reject threshold."""
    possible(level > 10485760)
    prove(not rejecting(DEFAULT_LIMITS, level))


# invariants after any number of messages, removals and refills


@notion
def credits_are_within_the_window(address: Address) -> bool:
    """AC-INVARIANT: no producer has more credits than the window, or fewer than none."""
    return all(0 <= address.credits[producer] <= address.window.size for producer in address.credits)


@theorem("AC-T19")
def at_first_the_credits_are_within_the_window(address: Address) -> None:
    """AC-T19: initial state; producers attach without credit and are issued some at once."""
    assume(address.window.size >= 0)
    assume(all(address.credits[producer] == 0 for producer in address.credits))
    possible(address.bytes == 0)
    prove(credits_are_within_the_window(address))


@theorem("AC-T20", serves=("ARTEMIS-AMQP-1",))
def a_message_sent_on_credit_keeps_the_credits_within_the_window(
    address: Address, sender: ProducerName, size: int
) -> None:
    """AC-T20: step for a message."""
    assume(credits_are_within_the_window(address) and may_send(address, sender))
    possible(address.credits[sender] == 1)
    prove(credits_are_within_the_window(after_send(address, sender, size)))


@theorem("AC-T21", serves=("ARTEMIS-AMQP-4", "ARTEMIS-AMQP-5"))
def issuing_keeps_the_credits_within_the_window(address: Address) -> None:
    """AC-T21: step for a refill of all producers."""
    assume(credits_are_within_the_window(address))
    possible(any(after_issuing(address).credits[producer] > address.credits[producer] for producer in address.credits))
    possible(all(after_issuing(address).credits[producer] == address.credits[producer] for producer in address.credits))
    prove(credits_are_within_the_window(after_issuing(address)))


@theorem("AC-T22")
def an_empty_address_is_below_its_threshold(address: Address, largest: int) -> None:
    """AC-T22: initial state of the bound that a threshold gives."""
    assume(address.bytes == 0 and address.limits.reject_threshold > 0 and largest >= 0)
    possible(largest > address.limits.reject_threshold)
    prove(address.bytes < address.limits.reject_threshold + largest)


@theorem("AC-T23", serves=("ARTEMIS-AMQP-9",))
def with_a_threshold_an_address_passes_it_by_less_than_one_message(
    address: Address, sender: ProducerName, size: int, largest: int
) -> None:
    """AC-T23: step; bytes stay below the threshold and one largest message, even if credit is ignored."""
    assume(address.limits.blocks and address.limits.reject_threshold > 0 and size <= largest)
    assume(address.bytes < address.limits.reject_threshold + largest)
    possible(address.bytes == address.limits.reject_threshold - 1 and size == largest > 1)
    possible(address.bytes > address.limits.reject_threshold and address.credits[sender] < 0)
    prove(after_send(address, sender, size).bytes < address.limits.reject_threshold + largest)


# what must turn out false


@refuted(
    "AC-R1",
    because="messages on credit that was issued before are accepted by a full address",
    serves=("ARTEMIS-AMQP-7",),
)
def an_address_never_holds_more_than_its_maximum_size(address: Address, sender: ProducerName, size: int) -> None:
    """AC-R1: then no message could take an address past its maximum size."""
    assume(address.limits.blocks and 0 <= address.bytes <= address.limits.max_size and address.limits.max_size > 0)
    assume(size > 0 and may_send(address, sender) and address.limits.reject_threshold == -1)
    prove(after_send(address, sender, size).bytes <= address.limits.max_size)


@refuted(
    "AC-R2",
    because="the message that crosses the threshold is stored, as its own size is not counted",
    serves=("ARTEMIS-AMQP-9",),
)
def an_address_never_holds_more_than_its_reject_threshold(address: Address, sender: ProducerName, size: int) -> None:
    """AC-R2: AC-T23 without the one message that may pass the threshold."""
    assume(address.limits.blocks and 0 <= address.bytes <= address.limits.reject_threshold and size > 0)
    assume(address.limits.reject_threshold > 0)
    prove(after_send(address, sender, size).bytes <= address.limits.reject_threshold)


@refuted("AC-R3", because="only BLOCK makes an address full", serves=("ARTEMIS-BLOCK-3",))
def no_credit_is_issued_at_the_maximum_size_whatever_the_policy(
    limits: AddressLimits, window: Window, level: int, left: int
) -> None:
    """AC-R3: AC-T12 without the assumption on the policy."""
    assume(0 < limits.max_size <= level and 0 <= window.low < window.size and 0 <= left <= window.size)
    prove(granted(limits, window, level, left) == 0)


@refuted("AC-R4", because="a client that sends without credit goes below none", serves=("ARTEMIS-AMQP-8",))
def credits_stay_within_the_window_for_clients_that_ignore_them(
    address: Address, sender: ProducerName, size: int
) -> None:
    """AC-R4: AC-T20 without credit."""
    assume(credits_are_within_the_window(address) and size > 0 and address.bytes >= 0)
    prove(credits_are_within_the_window(after_send(address, sender, size)))


@refuted("AC-R5", because="a large message and a small one cost the same credit", serves=("ARTEMIS-AMQP-1",))
def credit_bounds_the_bytes_of_a_message(address: Address, sender: ProducerName, size: int) -> None:
    """AC-R5: credits counted in bytes."""
    assume(size > 0 and address.bytes >= 0 and address.credits[sender] > 0)
    prove(after_send(address, sender, size).credits[sender] == address.credits[sender] - size)
