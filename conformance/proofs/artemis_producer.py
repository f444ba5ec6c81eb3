"""The producer window of Artemis: the credit of Core producers, and how far an address can exceed its maximum size.

`outstanding` is the sum of all producers' credit in bytes, `together` what all windows make up. A sum is never
unfolded: a grant or a message changes the credit of one producer (CORE-T6), so the sum changes as much (SUM-T1), and
all but one have at most what all but one window make up (SUM-T4).
"""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis import AddressLimits, ProducerName
from tidegate.model.mechanisms.artemis_producer import (
    CoreAddress,
    after_removal,
    after_request,
    after_send,
    after_uncovered_send,
    asked_for,
    asked_for_whole,
    granted,
    granted_by_itself,
    may_send,
)

# what a producer asks for and gets


@theorem("CORE-T1", serves=("ARTEMIS-CORE-1",))
def a_message_needs_as_many_credits_as_it_has_bytes(left: int, size: int) -> None:
    """CORE-T1: exactly as many are enough, one less is not."""
    possible(left == 1000 and size == 1000)
    possible(left == 1000 and size == 1001)
    prove(may_send(left, size) == (size <= left))


@theorem("CORE-T2", serves=("ARTEMIS-CORE-3",))
def a_producer_short_of_credit_asks_for_what_makes_up_its_window(producer_window: int, left: int, size: int) -> None:
    """CORE-T2: with enough for its message it asks for nothing; for a larger message it asks for what that needs."""
    possible(left == size - 1 and size < producer_window)
    possible(left == size)
    possible(left == 0 and size == producer_window + 1)
    whole = size if size > producer_window else producer_window
    prove(asked_for(producer_window, left, size) == (0 if may_send(left, size) else whole - left))
    prove(asked_for_whole(producer_window, left, size) == (0 if may_send(left, size) else whole))


@theorem("CORE-T3", serves=("ARTEMIS-CORE-5", "ARTEMIS-CORE-7", "ARTEMIS-CORE-11", "ARTEMIS-CORE-12"))
def credit_is_granted_as_far_as_it_fits_with_what_is_left(
    limits: AddressLimits, first: int, second: int, left: int, asked: int
) -> None:
    """CORE-T3: a grant is the whole request if it fits, else the room, and never below 0."""
    assume(limits.blocks and limits.max_size != -1 and asked >= 0)
    room = limits.max_size - (first + second) - left
    issued = granted(limits, first + second, left, asked)
    possible(asked == room > 0)
    possible(asked > room > 0)
    possible(asked > 0 > room)
    prove(issued == (asked if asked <= room else room) if room >= 0 else issued == 0)


@theorem("CORE-T13", serves=("ARTEMIS-CORE-4",))
def what_a_producer_asks_for_is_granted_whole_where_the_address_has_room(
    address: CoreAddress, asking: ProducerName, producer_window: int, size: int
) -> None:
    """CORE-T13: the producer then has its window, or the cost of a larger message."""
    left = address.credits[asking]
    wanted = size if size > producer_window else producer_window
    assume(left < size and address.bytes + wanted <= address.limits.max_size)
    possible(size > producer_window > 0)
    possible(left > 0 and size <= producer_window)
    prove(after_request(address, asking, producer_window, size).credits[asking] == wanted)


@theorem("CORE-T4", serves=("ARTEMIS-CORE-10",))
def without_a_limit_or_without_block_all_that_was_asked_for_is_granted(
    limits: AddressLimits, level: int, left: int, asked: int
) -> None:
    """CORE-T4: under PAGE producers never wait for credit, however full the address is; -1 stands for no limit."""
    assume(not limits.blocks or limits.max_size == -1)
    possible(not limits.blocks and level > limits.max_size > 0)
    possible(limits.blocks and level > 1_000_000)
    prove(granted(limits, level, left, asked) == asked and granted_by_itself(limits, level, asked) == asked)


@theorem("CORE-T5")
def in_the_other_reading_a_grant_fits_the_address_by_itself(limits: AddressLimits, level: int, asked: int) -> None:
    """CORE-T5: it is what the scored reading grants to a producer with nothing left."""
    possible(limits.blocks and limits.max_size == 1000 and level == 700 and asked == 400)
    prove(granted_by_itself(limits, level, asked) == granted(limits, level, 0, asked))


@theorem("CORE-T6", serves=("ARTEMIS-CORE-2", "ARTEMIS-CORE-4"))
def a_message_costs_its_size_and_nobody_else_pays_for_it(
    address: CoreAddress, sender: ProducerName, other: ProducerName, producer_window: int, size: int
) -> None:
    """CORE-T6: a request, too, changes only the credit of the asking producer."""
    assume(sender != other)
    left = address.credits[sender]
    asked = after_request(address, sender, producer_window, size)
    sent = after_send(address, sender, size)
    possible(size == 100 and left == 100)
    prove(asked.bytes == address.bytes and asked.credits[other] == address.credits[other])
    prove(
        asked.credits[sender]
        == left + granted(address.limits, address.bytes, left, asked_for(producer_window, left, size))
    )
    prove(sent.bytes == address.bytes + size and sent.credits[sender] == left - size)
    prove(sent.credits[other] == address.credits[other])
    prove(sent.limits == address.limits and asked.limits == address.limits)


@theorem("CORE-T7", serves=("ARTEMIS-CORE-3",))
def a_producer_never_has_more_credit_than_its_window(
    address: CoreAddress, producer: ProducerName, producer_window: int, size: int
) -> None:
    """CORE-T7: step of an invariant, for messages no larger than the window; it begins with none."""
    assume(size <= producer_window and address.credits[producer] <= producer_window)
    after = after_request(address, producer, producer_window, size)
    possible(after.credits[producer] == producer_window and address.credits[producer] == 1)
    possible(after.credits[producer] == address.credits[producer] < size)
    prove(address.credits[producer] <= after.credits[producer] <= producer_window)


# how far past the maximum size


@theorem("CORE-T8")
def a_request_keeps_what_can_still_come_within_all_but_one_window(
    address: CoreAddress, producer: ProducerName, producer_window: int, size: int, outstanding: int, together: int
) -> None:
    """CORE-T8: step; together is at least one window. So bytes <= max + (N - 1) x window, below the documented N."""
    left = address.credits[producer]
    assume(address.limits.blocks and address.limits.max_size > 0)
    assume(outstanding - left <= together - producer_window)
    assume(address.bytes + outstanding <= address.limits.max_size + together - producer_window)
    after = after_request(address, producer, producer_window, size)
    issued = after.credits[producer] - left
    possible(issued > 0 and after.bytes + outstanding + issued == address.limits.max_size + together - producer_window)
    possible(issued == 0 and left < size)
    prove(after.bytes + (outstanding + issued) <= address.limits.max_size + together - producer_window)


@theorem("CORE-T9", serves=("ARTEMIS-CORE-6",))
def a_message_on_credit_or_a_removal_keeps_it_too(
    address: CoreAddress, sender: ProducerName, size: int, outstanding: int, most: int
) -> None:
    """CORE-T9: step; as nobody has less credit than none, bytes <= most. For one producer that is the maximum size."""
    assume(size >= 0 and address.bytes + outstanding <= most)
    sent = after_send(address, sender, size)
    cost = address.credits[sender] - sent.credits[sender]
    possible(cost == 100 and address.bytes + outstanding == most)
    prove(sent.bytes + (outstanding - cost) <= most)
    prove(after_removal(address, size).bytes + outstanding <= most)


@theorem("CORE-T10")
def the_documented_bound_follows(level: int, max_size: int, outstanding: int, together: int, window: int) -> None:
    """CORE-T10: the bound follows from CORE-T8 and CORE-T9; the documented bound is loose by a window."""
    assume(outstanding >= 0 and window > 0)
    assume(level + outstanding <= max_size + together - window)
    possible(level == max_size + together - window)
    prove(level < max_size + together)


@refuted("CORE-R1", because="the other producer's credit was granted while there was room", serves=("ARTEMIS-CORE-7",))
def two_producers_never_take_an_address_past_its_maximum_size(
    address: CoreAddress, first: ProducerName, second: ProducerName, window: int, size: int
) -> None:
    """CORE-R1: one is granted its window, the other fills the address, then the first sends."""
    assume(first != second and address.limits.blocks and address.limits.max_size > 0 and address.bytes == 0)
    assume(address.credits[first] == 0 and address.credits[second] == 0 and 0 < size <= window)
    both = after_request(after_request(address, first, window, size), second, window, size)
    assume(may_send(both.credits[first], size) and may_send(both.credits[second], size))
    prove(after_send(after_send(both, first, size), second, size).bytes <= address.limits.max_size)


@refuted(
    "CORE-R2",
    because="a client that asks for a whole window while it has credit left comes to have more than one",
    serves=("ARTEMIS-CORE-3",),
)
def a_client_that_asks_below_its_window_has_no_more_than_that(producer_window: int, left: int, size: int) -> None:
    """CORE-R2: CORE-T7 in the other reading of the window."""
    assume(0 < size <= producer_window and 0 <= left <= producer_window)
    prove(left + asked_for_whole(producer_window, left, size) <= producer_window)


@refuted(
    "CORE-R3",
    because="credit of almost two windows, granted while there was room, is more than the bound has for a producer",
    serves=("ARTEMIS-CORE-6",),
)
def the_documented_bound_holds_for_clients_that_ask_below_their_window(
    address: CoreAddress, producer: ProducerName, window: int, size: int
) -> None:
    """CORE-R3: what one producer can still send to an address that others fill to its maximum size."""
    left = address.credits[producer]
    assume(address.limits.blocks and address.limits.max_size > 0 and address.bytes >= 0)
    assume(0 <= left <= window and 0 < size <= window)
    issued = granted(address.limits, address.bytes, left, asked_for_whole(window, left, size))
    prove(address.limits.max_size + left + issued <= address.limits.max_size + window)


@refuted(
    "CORE-R4",
    because="what the producer has left already stands for the same room",
    serves=("ARTEMIS-CORE-5",),
)
def in_the_other_reading_a_single_producer_stays_within_the_maximum_size(
    limits: AddressLimits, level: int, left: int, asked: int
) -> None:
    """CORE-R4: any credit left distinguishes the two readings of a grant."""
    assume(limits.blocks and limits.max_size > 0 and left >= 0 and asked > 0 and level >= 0)
    assume(level + left <= limits.max_size)
    prove(level + left + granted_by_itself(limits, level, asked) <= limits.max_size)


# which producers wait


@theorem("CORE-T11", serves=("ARTEMIS-CORE-8",))
def a_send_goes_on_as_soon_as_its_message_fits(
    address: CoreAddress, producer: ProducerName, producer_window: int, freed: int, size: int
) -> None:
    """CORE-T11: whatever credit it has left: nobody waits beside room for its message."""
    assume(address.limits.blocks and address.limits.max_size != -1)
    after = after_removal(address, freed)
    asked = after_request(after, producer, producer_window, size)
    possible(address.credits[producer] < size == address.limits.max_size - after.bytes and freed == 400)
    possible(size == address.limits.max_size - after.bytes + 1 and not may_send(asked.credits[producer], size))
    prove(after.bytes == address.bytes - freed)
    prove(
        may_send(asked.credits[producer], size)
        == (address.credits[producer] >= size or after.bytes + size <= address.limits.max_size)
    )


@theorem("CORE-T12", serves=("ARTEMIS-CORE-9",))
def a_message_without_credit_is_stored(address: CoreAddress, producer: ProducerName, size: int) -> None:
    """CORE-T12: this holds however full the address is; the credit stays as it was."""
    after = after_uncovered_send(address, size)
    possible(address.limits.blocks and address.bytes == address.limits.max_size == 1000)
    prove(after.bytes == address.bytes + size and after.credits[producer] == address.credits[producer])


@refuted(
    "CORE-R5", because="a client that sends without credit is not stopped by having none", serves=("ARTEMIS-CORE-9",)
)
def clients_that_ignore_their_credit_stay_within_the_bound(address: CoreAddress, size: int, together: int) -> None:
    """CORE-R5: so every bound is one for clients that keep to their credit."""
    assume(address.limits.blocks and address.limits.max_size > 0 and 0 < size <= together)
    assume(address.bytes <= address.limits.max_size + together)
    prove(after_uncovered_send(address, size).bytes <= address.limits.max_size + together)
