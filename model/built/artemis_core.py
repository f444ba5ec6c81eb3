"""Artemis 2.6.2 to 2.55.0 as built, for Core clients.

A producer asks for half of its window at a time, on top of its credit left, and also when it is opened. The broker
grants the request as long as the address is not full; in 2.6.2 it is full only beyond its limit. A consumer is sent
messages ahead until they exceed its window, and gives their bytes back once the messages handed out are more than half
of the window. Rates are counted by seconds that begin when a client is asked, and nothing passes in the first second.
"""

from dataclasses import replace

from tidegate.model.built.artemis import (
    CORE,
    CORE_2_6,
    CORE_2_20,
    CORE_2_31,
    CORE_2_44,
    CORE_2_50,
    CORE_2_55,
    LAST,
    LIMITS,
)
from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import artemis, artemis_consumer, artemis_producer, rate
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.model.mechanisms.artemis_consumer import UNBOUNDED, Consumer
from tidegate.model.mechanisms.artemis_producer import cost

BY_HALVES = (CORE_2_20, CORE_2_31, CORE_2_44, CORE_2_50)
SINCE_2_20 = (*BY_HALVES, CORE_2_55)
TWO_PRODUCERS_PAST_A_LIMIT = "producers_take_an_address_past_its_limit_by_no_more_than_a_window_each[2-1600]"
SMALLEST = "producers_of_the_smallest_messages_take_an_address_past_its_limit_by_no_more_than_a_window_each"
FIRST = "2.6.2"
CHARGED_BEYOND_COST, CHARGED_BEYOND_COST_AT_FIRST = 424, 416
"""The bytes that an address is charged for a message beyond its cost in credit, since 2.20.0 and before."""
LEAST_COST = 40
"""The bytes of credit that a message without a body costs, for an address with a name of one character."""
PORTIONS = 2
"""The number of requests in which a producer asks for its window."""


@as_built
def full_beyond(limits: AddressLimits, level: int) -> bool:
    """ARTEMIS-BLOCK-1: under BLOCK an address is full above its maximum size."""
    return limits.blocks and limits.max_size != NO_LIMIT and level > limits.max_size


@as_built
def granted_unless_full(limits: AddressLimits, level: int, left: int, asked: int) -> int:
    """ARTEMIS-CORE-5: a request is granted in full as long as the address is not full, whatever its room."""
    return 0 if full(limits, level) else asked


@as_built
def asked_for_on_top(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: a producer with less credit than a portion asks for a portion, or for a larger message."""
    whole = cost(size) if cost(size) > producer_window else producer_window
    return whole if left < whole else 0


@as_built
def asked_for_on_top_at_a_portion(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: a producer with at most one portion asks for a portion, or for a larger message."""
    whole = cost(size) if cost(size) > producer_window else producer_window
    return whole if left <= whole else 0


@as_built
def cost_of_the_message_alone(size: int) -> int:
    """ARTEMIS-CORE-6: a message costs fewer credits than its address is charged, by a fixed number of bytes."""
    return size - CHARGED_BEYOND_COST if size > CHARGED_BEYOND_COST + LEAST_COST else LEAST_COST


@as_built
def cost_of_the_message_alone_at_first(size: int) -> int:
    """ARTEMIS-CORE-6: a message costs fewer credits than its address is charged, by fewer fixed bytes."""
    return size - CHARGED_BEYOND_COST_AT_FIRST if size > CHARGED_BEYOND_COST_AT_FIRST + LEAST_COST else LEAST_COST


@as_built
def has_room_until_passed(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: messages of any size are prefetched until the buffered messages exceed the window."""
    return consumer_window == UNBOUNDED or (consumer_window > 0 and buffered <= consumer_window)


@as_built
def given_back_by_halves(consumer: Consumer, size: int) -> Consumer:
    """ARTEMIS-CONSUMER-6: the bytes of delivered messages are given back once they exceed half of the window."""
    owed = consumer.owed + size
    return (
        replace(consumer, buffered=consumer.buffered - owed, owed=0)
        if 2 * owed > consumer.window
        else replace(consumer, owed=owed)
    )


@as_built
def counts_from_its_second(passed_ms: int, second_began_ms: int) -> int:
    """ARTEMIS-RATE-2: a message counts until the client's second in which it passed is over."""
    return second_began_ms


@as_built
def used_up_at_first(per_second: int) -> int:
    """ARTEMIS-RATE-1: in the first second after a client's first request, no message passes."""
    return per_second if per_second > 0 else 0


REPLACEMENTS = (
    LIMITS,
    Replacement(
        artemis.full,
        full_beyond,
        since=FIRST,
        until=FIRST,
        evidence=(
            *seen("only_policy_block_makes_a_core_producer_wait[BLOCK-waits]", "it was accepted", CORE_2_6),
            *seen("a_topics_subscriptions_stop_its_producers[1000-waits]", "it was accepted", CORE_2_6),
        ),
    ),
    Replacement(
        artemis_consumer.has_room,
        has_room_until_passed,
        since=FIRST,
        until=LAST,
        evidence=(
            *seen("messages_are_sent_ahead_as_long_as_they_fit_the_window[401-1]", "2 buffered", *CORE),
            *seen("a_window_counts_bytes_not_messages[100-10]", "11 buffered", *CORE),
        ),
    ),
    Replacement(
        artemis_consumer.after_handing_out,
        given_back_by_halves,
        since=FIRST,
        until=LAST,
        evidence=seen("what_the_program_takes_makes_room_for_the_next_message", "2 buffered", *CORE),
    ),
    Replacement(
        (artemis_producer, "PORTIONS"),
        PORTIONS,
        since=FIRST,
        until=LAST,
        evidence=(
            *seen("a_producer_has_no_more_credit_than_its_window[298-returns]", "it was unsettled", *BY_HALVES),
            *seen(
                "a_producer_is_granted_its_window_if_the_address_has_room_for_it[399-returns]",
                "it was unsettled",
                *BY_HALVES,
            ),
            *seen(TWO_PRODUCERS_PAST_A_LIMIT, "1,300 bytes (really 1,300,000)", CORE_2_6),
            *seen(TWO_PRODUCERS_PAST_A_LIMIT, "1,200 bytes (really 1,200,000)", CORE_2_55),
        ),
        rules=("ARTEMIS-CORE-3",),
        says="A producer asks for half of its window at a time.",
    ),
    Replacement(
        artemis_producer.asked_for,
        asked_for_on_top,
        since=FIRST,
        until="2.50.0",
        evidence=(
            *seen(
                "a_producer_that_asks_again_has_no_more_credit_than_its_window",
                "it was accepted",
                *(CORE_2_6, CORE_2_20, CORE_2_31, CORE_2_50),
            ),
            *seen(TWO_PRODUCERS_PAST_A_LIMIT, "1,200 bytes (really 1,200,000)", CORE_2_44),
        ),
    ),
    Replacement(
        artemis_producer.asked_for,
        asked_for_on_top_at_a_portion,
        since=LAST,
        until=LAST,
        evidence=(
            *seen("a_producer_that_asks_again_has_no_more_credit_than_its_window", "it was accepted", CORE_2_55),
            *seen(
                "a_producer_is_granted_no_more_than_the_address_has_room_for[300-waits]", "it was accepted", CORE_2_55
            ),
        ),
    ),
    Replacement(
        artemis_producer.cost,
        cost_of_the_message_alone_at_first,
        since=FIRST,
        until=FIRST,
        evidence=(
            *seen(f"{SMALLEST}[1-130]", "203.454 bytes (really 203,454)", CORE_2_6),
            *seen(f"{SMALLEST}[5-250]", "678.18 bytes (really 678,180)", CORE_2_6),
        ),
    ),
    Replacement(
        artemis_producer.cost,
        cost_of_the_message_alone,
        since="2.20.0",
        until=LAST,
        evidence=(
            *seen(f"{SMALLEST}[1-130]", "206.502 bytes (really 206,502)", *SINCE_2_20),
            *seen(f"{SMALLEST}[5-250]", "688.34 bytes (really 688,340)", *SINCE_2_20),
        ),
    ),
    Replacement(
        artemis_producer.granted,
        granted_unless_full,
        since=FIRST,
        until=LAST,
        evidence=(
            *seen("beside_one_byte_of_room_two_are_not_granted", "it was accepted", *CORE),
            *seen("a_message_needs_a_credit_for_each_of_its_bytes[1001-waits]", "it was accepted", *CORE),
        ),
    ),
    Replacement(
        rate.counts_from,
        counts_from_its_second,
        since=FIRST,
        until=LAST,
        evidence=(
            *seen("messages_of_the_last_second_count_even_if_it_began_in_the_middle_of_another", "2 handed out", *CORE),
        ),
        rules=("ARTEMIS-RATE-2", "ARTEMIS-RATE-8"),
    ),
    Replacement(
        rate.used_at_first,
        used_up_at_first,
        since=FIRST,
        until=LAST,
        evidence=(
            *seen("a_consumer_is_handed_as_many_messages_at_once_as_its_rate_allows[9-9]", "0 handed out", *CORE),
            *seen("a_producer_sends_as_many_messages_at_once_as_its_rate_allows[9-returns-9]", "it was blocked", *CORE),
        ),
        rules=("ARTEMIS-RATE-1", "ARTEMIS-RATE-7"),
    ),
)
"""All replacements; a version has those whose versions include it."""

ARTEMIS_CORE_2_6_2 = profile_of(CORE_2_6, REPLACEMENTS)
ARTEMIS_CORE_2_20_0 = profile_of(CORE_2_20, REPLACEMENTS)
ARTEMIS_CORE_2_31_2 = profile_of(CORE_2_31, REPLACEMENTS)
ARTEMIS_CORE_2_44_0 = profile_of(CORE_2_44, REPLACEMENTS)
ARTEMIS_CORE_2_50_0 = profile_of(CORE_2_50, REPLACEMENTS)
ARTEMIS_CORE_2_55_0 = profile_of(CORE_2_55, REPLACEMENTS)
PROFILES = (
    ARTEMIS_CORE_2_6_2,
    ARTEMIS_CORE_2_20_0,
    ARTEMIS_CORE_2_31_2,
    ARTEMIS_CORE_2_44_0,
    ARTEMIS_CORE_2_50_0,
    ARTEMIS_CORE_2_55_0,
)
