"""ActiveMQ Classic, for all sizes, limits and times: the outcome of a send, which sends wait, what releases them."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.classic import (
    Client,
    Destination,
    NoSpace,
    after_answer,
    after_removal,
    after_storing,
    failed,
    failed_by_timeout_first,
    full,
    full_together,
    holds_back,
    may_transmit,
    may_transmit_until_used_up,
    stored,
    wait_of,
    waits,
    waits_for_answers,
)

# the level


@theorem("CM-T1", serves=("CLASSIC-MEMORY-1",))
def a_limited_destination_is_full_exactly_from_its_limit_on(destination: Destination) -> None:
    """CM-T1: at its limit a destination is full; one byte below, it is not."""
    assume(destination.limit != -1)
    possible(destination.bytes == destination.limit)
    possible(destination.bytes == destination.limit - 1)
    prove(full(destination) == (destination.bytes >= destination.limit))


@theorem("CM-T2", serves=("CLASSIC-MEMORY-1",))
def without_a_limit_a_destination_is_never_full(destination: Destination) -> None:
    """CM-T2: -1 stands for no limit."""
    assume(destination.limit == -1)
    possible(destination.bytes > 1_000_000)
    prove(not full(destination))


@theorem("CM-T3", serves=("CLASSIC-MEMORY-6", "CLASSIC-MEMORY-8"))
def exactly_a_full_destination_under_control_holds_back(destination: Destination) -> None:
    """CM-T3: whatever kind of destination it is; without control none does, however full."""
    possible(not destination.controlled and full(destination))
    possible(destination.controlled and full(destination))
    prove(
        holds_back(destination)
        == (destination.controlled and destination.limit != -1 and destination.bytes >= destination.limit)
    )


@theorem("CM-T4", serves=("CLASSIC-MEMORY-9",))
def all_destinations_together_are_full_exactly_from_their_limit_on(every: Destination) -> None:
    """CM-T4: the limit that all share is a limit like a destination's own."""
    possible(every.bytes == every.limit > 0)
    prove(full_together(every) == (every.limit != -1 and every.bytes >= every.limit))


# the outcome of a send


@theorem("CM-T5", serves=("CLASSIC-MEMORY-1", "CLASSIC-MEMORY-2", "CLASSIC-FAIL-1", "CLASSIC-FAIL-2"))
def a_send_is_stored_or_waits_or_fails_and_never_two_of_these(
    no_space: NoSpace, destination: Destination, waited_ms: int
) -> None:
    """CM-T5: so the message of a failed or waiting send is not stored."""
    possible(stored(destination))
    possible(waits(no_space, destination, waited_ms))
    possible(failed(no_space, destination, waited_ms))
    prove(stored(destination) == (not holds_back(destination)))
    prove(stored(destination) or waits(no_space, destination, waited_ms) or failed(no_space, destination, waited_ms))
    prove(not (stored(destination) and waits(no_space, destination, waited_ms)))
    prove(not (stored(destination) and failed(no_space, destination, waited_ms)))
    prove(not (waits(no_space, destination, waited_ms) and failed(no_space, destination, waited_ms)))


@theorem("CM-T6", serves=("CLASSIC-MEMORY-2",))
def unless_configured_a_send_to_a_full_destination_waits_however_long(destination: Destination, waited_ms: int) -> None:
    """CM-T6: neither failing at once nor a time is configured."""
    assume(holds_back(destination))
    possible(waited_ms > 1_000_000)
    prove(waits(NoSpace(False, -1), destination, waited_ms))


@theorem("CM-T7", serves=("CLASSIC-MEMORY-3",))
def whoever_waits_goes_through_once_a_message_brings_the_bytes_below_the_limit(
    no_space: NoSpace, destination: Destination, waited_ms: int, size: int
) -> None:
    """CM-T7: no send keeps waiting beside free space."""
    assume(waits(no_space, destination, waited_ms))
    after = after_removal(destination, size)
    possible(destination.bytes - size == destination.limit - 1)
    possible(destination.bytes - size == destination.limit)
    prove(stored(after) == (destination.bytes - size < destination.limit))


@theorem("CM-T8", serves=("CLASSIC-MEMORY-3",))
def what_is_stored_takes_its_bytes_and_what_leaves_gives_them_back(destination: Destination, size: int) -> None:
    """CM-T8: usage returns to where it was, and to nothing once all messages have left."""
    possible(size == 1)
    prove(after_storing(destination, size).bytes == destination.bytes + size)
    prove(after_removal(after_storing(destination, size), size) == destination)


@theorem("CM-T9", serves=("CLASSIC-MEMORY-2",))
def only_the_own_destination_makes_a_producer_wait(
    no_space: NoSpace, own: Destination, other: Destination, waited_ms: int
) -> None:
    """CM-T9: a send to a free destination is stored, beside any full destination."""
    assume(not full(own))
    possible(holds_back(other) and own.controlled and own.bytes == own.limit - 1)
    prove(stored(own) and not waits(no_space, own, waited_ms))


@refuted("CM-R1", because="what is there counts, not what comes: one message passes the limit by its size")
def a_destination_never_holds_more_than_its_limit(destination: Destination, size: int) -> None:
    """CM-R1: the limit would be a bound on the bytes."""
    assume(destination.controlled and destination.limit > 0 and destination.bytes >= 0 and size > 0)
    assume(destination.bytes <= destination.limit and stored(destination))
    prove(after_storing(destination, size).bytes <= destination.limit)


@theorem("CM-T10", serves=("CLASSIC-MEMORY-1",))
def a_destination_passes_its_limit_by_less_than_one_message(destination: Destination, size: int) -> None:
    """CM-T10: the tight form of the bound, for messages that come one after the other."""
    assume(destination.controlled and destination.limit != -1 and stored(destination))
    possible(after_storing(destination, size).bytes == destination.limit + size - 1)
    prove(after_storing(destination, size).bytes < destination.limit + size)


# failing


@theorem("CF-T1", serves=("CLASSIC-FAIL-1",))
def where_sends_fail_at_once_none_waits(no_space: NoSpace, destination: Destination, waited_ms: int) -> None:
    """CF-T1: a held back send fails, whatever time is configured beside."""
    assume(no_space.fails_at_once)
    possible(holds_back(destination))
    prove(failed(no_space, destination, waited_ms) == holds_back(destination))


@theorem("CF-T2", serves=("CLASSIC-FAIL-3",))
def a_send_fails_exactly_from_its_time_on(no_space: NoSpace, destination: Destination, waited_ms: int) -> None:
    """CF-T2: one ms before the time it still waits, at the time it fails."""
    assume(not no_space.fails_at_once and no_space.fails_after_ms != -1 and holds_back(destination))
    possible(waited_ms == no_space.fails_after_ms)
    possible(waited_ms == no_space.fails_after_ms - 1)
    prove(failed(no_space, destination, waited_ms) == (waited_ms >= no_space.fails_after_ms))
    prove(waits(no_space, destination, waited_ms) == (waited_ms < no_space.fails_after_ms))


@theorem("CF-T3", serves=("CLASSIC-FAIL-4",))
def a_send_whose_destination_has_space_never_fails(no_space: NoSpace, destination: Destination, waited_ms: int) -> None:
    """CF-T3: however long it has waited, and whatever is configured."""
    assume(not holds_back(destination))
    possible(no_space.fails_after_ms == waited_ms)
    prove(not failed(no_space, destination, waited_ms))


@theorem("CF-T4", serves=("CLASSIC-FAIL-5",))
def with_both_configured_the_two_readings_differ_exactly_while_the_time_runs(
    no_space: NoSpace, destination: Destination, waited_ms: int
) -> None:
    """CF-T4: one send to a full destination tells them apart."""
    assume(no_space.fails_at_once and no_space.fails_after_ms != -1 and holds_back(destination))
    possible(waited_ms == 0 and no_space.fails_after_ms == 1)
    prove(failed(no_space, destination, waited_ms))
    prove(failed_by_timeout_first(no_space, destination, waited_ms) == (waited_ms >= no_space.fails_after_ms))


@theorem("CF-T5", serves=("CLASSIC-FAIL-5",))
def with_at_most_one_configured_the_two_readings_agree(
    no_space: NoSpace, destination: Destination, waited_ms: int
) -> None:
    """CF-T5: failing at once alone, a time alone, or neither."""
    assume(not no_space.fails_at_once or no_space.fails_after_ms == -1)
    possible(no_space.fails_at_once)
    possible(no_space.fails_after_ms == 3000 and holds_back(destination))
    prove(failed(no_space, destination, waited_ms) == failed_by_timeout_first(no_space, destination, waited_ms))


@theorem("CF-T6", serves=("CLASSIC-FAIL-3",))
def a_send_that_waits_says_nothing_meanwhile(no_space: NoSpace) -> None:
    """CF-T6: the wait has the configured time, and no notices."""
    possible(no_space.fails_after_ms == 3000)
    prove(wait_of(no_space).timeout_ms == no_space.fails_after_ms and wait_of(no_space).notify_ms == -1)


# sending


@theorem("CS-T1", serves=("CLASSIC-SEND-2", "CLASSIC-SEND-3", "CLASSIC-SEND-4"))
def what_a_client_waits_for_follows_from_its_messages_and_two_settings(client: Client) -> None:
    """CS-T1: alwaysSyncSend decides first, then the kind of the messages."""
    possible(client.persistent and client.use_async_send and not client.always_sync_send)
    possible(not client.persistent and client.always_sync_send)
    prove(not client.always_sync_send or waits_for_answers(client))
    prove(client.always_sync_send or not client.use_async_send or not waits_for_answers(client))
    prove(client.always_sync_send or client.use_async_send or waits_for_answers(client) == client.persistent)


@theorem("CW-T1", serves=("CLASSIC-WINDOW-1",))
def what_is_unanswered_never_exceeds_the_window(window: int, unanswered: int, size: int) -> None:
    """CW-T1: beside others, a message goes exactly if it fits the window."""
    assume(unanswered > 0)
    possible(unanswered + size == window)
    possible(unanswered + size == window + 1)
    prove(may_transmit(window, unanswered, size) == (unanswered + size <= window))


@theorem("CW-T2", serves=("CLASSIC-WINDOW-2",))
def once_all_is_answered_the_next_message_may_go(window: int, unanswered: int, size: int) -> None:
    """CW-T2: this holds for a message larger than the window too, so none waits for ever."""
    possible(size > window > 0)
    prove(may_transmit(window, after_answer(unanswered, unanswered), size))


@theorem("CW-T4", serves=("CLASSIC-WINDOW-2",))
def an_answer_makes_as_much_room_as_it_answers(window: int, unanswered: int, answered: int, size: int) -> None:
    """CW-T4: while other messages have no answer yet, a message may go if it fits beside these into the window."""
    assume(answered < unanswered)
    possible(not may_transmit(window, unanswered, size))
    prove(may_transmit(window, after_answer(unanswered, answered), size) == (unanswered - answered + size <= window))


@theorem("CW-T3", serves=("CLASSIC-WINDOW-1",))
def in_the_other_reading_a_window_is_passed_by_less_than_one_message(window: int, unanswered: int, size: int) -> None:
    """CW-T3: in that reading a message may go while any part of the window is left."""
    assume(may_transmit_until_used_up(window, unanswered, size))
    possible(unanswered + size == window + size - 1)
    prove(unanswered + size < window + size)


@refuted("CW-R1", because="in the other reading the last message may go past the window", serves=("CLASSIC-WINDOW-1",))
def both_readings_of_the_window_say_the_same(window: int, unanswered: int, size: int) -> None:
    """CW-R1: two messages tell them apart."""
    assume(window > 0 and unanswered >= 0 and size > 0)
    prove(may_transmit(window, unanswered, size) == may_transmit_until_used_up(window, unanswered, size))
