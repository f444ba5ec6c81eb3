"""ActiveMQ Classic 4.1.2 to 6.3.1 as built.

Since 5.0 the message that uses a producer window up may exceed it. The defaults that management reads differ from
release to release, and 6.x has the classes of Jakarta. 4.1.2 does not stop a connection whose producer waits for an
answer.
"""

from tidegate.model.built.profile import Replacement, as_built, profile_of, seen
from tidegate.model.mechanisms import (
    classic,
    classic_connection,
    classic_usage,
    general_counts,
    general_shown,
    general_topics,
    general_transactions,
)
from tidegate.model.mechanisms.classic import NO_LIMIT, may_transmit_until_used_up
from tidegate.model.mechanisms.classic_usage import GIGABYTE, Disk, Placement, exhausted, takes_temp

V4, V5, V5_9 = "classic-4.1.2", "classic-5.3.1", "classic-5.9.1"
V5_15, V5_18 = "classic-5.15.16", "classic-5.18.6"
V6_1, V6 = "classic-6.1.8", "classic-6.3.1"
SINCE_5 = (V5, V5_9, V5_15, V5_18, V6_1, V6)
SINCE_5_9 = (V5_9, V5_15, V5_18, V6_1, V6)
SINCE_5_15 = (V5_15, V5_18, V6_1, V6)
IN_HAND_AT_A_TOPIC = "a_latecomer_is_stopped_by_what_a_consumer_has_in_hand (topic)"


@as_built
def may_transmit_to_the_end(window_bytes: int, unanswered: int, size: int) -> bool:
    """CLASSIC-WINDOW-1: a message of any size may go until the unanswered messages have used the window up."""
    return may_transmit_until_used_up(window_bytes, unanswered, size)


@as_built
def stalls_as_later(suspends: bool, answered: bool, windowed: bool) -> bool:
    """CLASSIC-WINDOW-3: even before 5.0 a waiting message stalls its connection only if its sender does not wait."""
    return not (answered or windowed)


@as_built
def shown_at_queues_and_after_failures(stopped: bool, topic: bool, send_failed: bool) -> bool:
    """GENERAL-49: a topic sets no flag of a producer that it stops, and a send that fails after a wait clears none."""
    return (stopped and not topic) or send_failed


@as_built
def nothing_freed_by_rollback(size: int) -> int:
    """GENERAL-16: a rolled back message keeps the space that its send took."""
    return 0


@as_built
def waiting_message_charged(waiting: int, room: bool) -> int:
    """GENERAL-16: if a rollback makes room, a message whose send waits is let in and keeps its space."""
    return waiting if room else 0


@as_built
def temp_limit_as_the_wait_began(began: int, now: int) -> int:
    """CLASSIC-USAGE-10: for a waiting send the limit of temporary space at its begin applies."""
    return began


@as_built
def store_limit_as_the_wait_began(began: int, now: int, topic: bool) -> int:
    """CLASSIC-USAGE-11: for a waiting send the limit of the store at its begin applies."""
    return began


@as_built
def store_limit_of_topics_as_the_wait_began(began: int, now: int, topic: bool) -> int:
    """CLASSIC-USAGE-11: for a send that waits at a topic the store limit at its begin applies."""
    return began if topic else now


@as_built
def unless_in_files(in_files: bool) -> bool:
    """GENERAL-8: messages of an ended subscription that lie in files stay charged for good."""
    return not in_files


@as_built
def counts_itself_at_a_topic(level: int, size: int, topic: bool) -> int:
    """CLASSIC-MEMORY-9: an arriving message to a topic counts towards shared memory, unless the memory is empty."""
    return size if topic and level > 0 else 0


@as_built
def holds_up_its_topic(topic: bool) -> bool:
    """GENERAL-21: while a send to a topic waits for the disk, no other send to the topic is answered."""
    return topic


@as_built
def counts_up_to_the_acknowledged(topic: bool) -> bool:
    """GENERAL-42: on a topic an acknowledgement takes all earlier deliveries off the count, too."""
    return topic


@as_built
def nothing_counted_after_purge(counted: int, waiting: int) -> int:
    """GENERAL-22: a purge sets the count of messages to 0, even if messages are in flight."""
    return 0


@as_built
def held_back_by_a_full_store(limits: Disk, used: Disk, placement: Placement) -> bool:
    """CLASSIC-USAGE-3: a full store holds back every message, also messages that are not persistent."""
    by_temp = takes_temp(placement) and exhausted(limits.temp, used.temp)
    return by_temp or exhausted(limits.store, used.store)


@as_built
def kept_in_memory_without_a_limit(by_memory_cursor: bool, limit: int) -> bool:
    """CLASSIC-USAGE-8: on a queue without a memory limit, the file cursor also keeps messages in memory."""
    return by_memory_cursor or limit == NO_LIMIT


@as_built
def time_counts_for_queues(topic: bool) -> bool:
    """CLASSIC-FAIL-3: a send that waits for space on a topic never fails, whatever time is configured."""
    return not topic


@as_built
def cursor_of_queues(topic: bool) -> bool:
    """CLASSIC-MEMORY-7: waiting messages of a topic are kept in memory under any cursor."""
    return not topic


@as_built
def takes_memory_in_hand_of_queues(topic: bool) -> bool:
    """GENERAL-7: a message of a topic takes no memory once it is delivered."""
    return not topic


@as_built
def persistent_takes_memory(placement: Placement) -> bool:
    """CLASSIC-USAGE-9: under the file cursor, a persistent message takes memory, too."""
    return placement.in_memory or placement.persistent


def _temporary(since: str, until: str, gigabytes: int, *reports: str) -> Replacement:
    return Replacement(
        (classic_usage, "DEFAULT_DISK"),
        Disk(store=100 * GIGABYTE, temp=gigabytes * GIGABYTE),
        since,
        until,
        seen(
            "without_configuration_temporary_messages_may_take_10_gb",
            f"{gigabytes * GIGABYTE} bytes (read, not reached)",
            *reports,
        ),
        says=f"Temporary messages may take {gigabytes} GiB, as SystemUsage sets it itself.",
    )


REPLACEMENTS = (
    Replacement(
        classic_connection.stalls_connection,
        stalls_as_later,
        since="4.1.2",
        until="4.1.2",
        evidence=(
            *seen(
                "before_50_a_full_queue_suspends_the_whole_connection_of_its_sender[1]",
                "the other producer free at 1,000 bytes (really 1,200,000)",
                V4,
            ),
            *seen(
                "before_50_a_producer_and_a_consumer_on_one_connection_may_wait_for_each_other_for_ever",
                "the producer free",
                V4,
            ),
        ),
    ),
    Replacement(
        general_transactions.freed_by_rollback,
        nothing_freed_by_rollback,
        since="4.1.2",
        until="4.1.2",
        evidence=seen(
            "what_is_rolled_back_takes_no_space_and_is_not_delivered", "800 bytes (really 960,000) in 0 messages", V4
        ),
    ),
    Replacement(
        classic.may_transmit,
        may_transmit_to_the_end,
        since="5.3.1",
        until="6.3.1",
        evidence=(
            *seen(
                "a_producer_sends_no_more_bytes_without_an_answer_than_its_window_has[101-waits]",
                "it was sent",
                *SINCE_5,
            ),
            *seen(
                "producers_with_windows_overrun_a_full_queue_by_their_windows_at_most[3-20-150]", "180 bytes", *SINCE_5
            ),
        ),
    ),
    _temporary("5.3.1", "5.3.1", 100, V5),
    _temporary("5.9.1", "6.3.1", 50, *SINCE_5_9),
    Replacement(
        (classic_usage, "DEFAULT_MEMORY"),
        GIGABYTE,
        since="5.9.1",
        until="6.3.1",
        evidence=seen(
            "without_configuration_all_messages_together_may_take_64_mb_of_memory",
            f"{GIGABYTE} bytes (read, not reached)",
            *SINCE_5_9,
        ),
        says="All messages together may take 1 GiB of memory, as SystemUsage sets it itself.",
    ),
    Replacement(
        classic_usage.held_back_by_disk,
        held_back_by_a_full_store,
        since="5.3.1",
        until="5.3.1",
        evidence=seen(
            "a_full_store_does_not_hold_back_messages_that_are_not_persistent",
            "the other producer stopped at 19,000 bytes (really 22,800,000)",
            V5,
        ),
    ),
    Replacement(
        general_transactions.charged_after_rollback,
        waiting_message_charged,
        since="5.3.1",
        until="5.9.1",
        evidence=seen(
            "a_transaction_that_would_go_past_the_limit_and_is_rolled_back_stops_nobody",
            "400 bytes (really 480,000) in 1 messages",
            *(V5, V5_9),
        ),
    ),
    Replacement(
        classic_usage.temp_limit_while_waiting,
        temp_limit_as_the_wait_began,
        since="5.3.1",
        until="5.9.1",
        evidence=seen(
            "a_raised_limit_of_temporary_space_lets_go_who_waits_for_it",
            "the producer stopped at 0 bytes (really 0)",
            *(V5, V5_9),
        ),
    ),
    Replacement(
        classic_usage.store_limit_while_waiting,
        store_limit_as_the_wait_began,
        since="5.3.1",
        until="5.3.1",
        evidence=seen(
            "a_raised_limit_of_the_store_lets_go_who_waits_for_it",
            "the producer stopped at 19,000 bytes (really 22,800,000)",
            V5,
        ),
    ),
    Replacement(
        classic_usage.store_limit_while_waiting,
        store_limit_of_topics_as_the_wait_began,
        since="5.15.16",
        until="6.1.8",
        evidence=seen(
            "a_raised_limit_of_the_store_lets_go_who_waits_for_it_at_a_topic",
            "the producer stopped at 20,000 bytes (really 24,000,000)",
            *(V5_15, V5_18, V6_1),
        ),
    ),
    Replacement(
        general_shown.shown_stopped,
        shown_at_queues_and_after_failures,
        since="6.3.1",
        until="6.3.1",
        evidence=(
            *seen("a_producer_that_a_topic_stops_is_shown_as_stopped", "producer as free", V6),
            *seen("a_producer_whose_send_failed_is_shown_as_free", "producer as stopped", V6),
        ),
    ),
    Replacement(
        general_counts.counted_after_purge,
        nothing_counted_after_purge,
        since="5.3.1",
        until="5.3.1",
        evidence=seen(
            "what_a_consumer_holds_while_the_destination_is_purged_is_given_back_once",
            "0 bytes (really 0) in -2 messages",
            V5,
        ),
    ),
    Replacement(
        classic_usage.takes_memory,
        persistent_takes_memory,
        since="5.3.1",
        until="6.3.1",
        evidence=seen(
            "full_temporary_space_does_not_hold_back_persistent_messages",
            "the other producer free at 10 bytes (really 12,000)",
            *SINCE_5,
        ),
    ),
    Replacement(
        classic_usage.kept_in_memory,
        kept_in_memory_without_a_limit,
        since="5.3.1",
        until="6.3.1",
        evidence=(
            *seen(
                "a_full_store_does_not_hold_back_messages_that_are_not_persistent",
                "the other producer free at 20,010 bytes (really 24,012,000)",
                *SINCE_5_9,
            ),
            *seen(
                "a_send_that_waits_for_the_store_goes_through_once_messages_were_consumed",
                "the producer free at 11,000 bytes (really 13,200,000)",
                *SINCE_5_9,
            ),
            *seen(
                "a_send_that_waits_for_the_store_goes_through_once_messages_were_consumed",
                "the producer free at 10,000 bytes (really 12,000,000)",
                V5,
            ),
        ),
    ),
    Replacement(
        classic.time_counts,
        time_counts_for_queues,
        since="5.15.16",
        until="6.3.1",
        evidence=(
            *seen(
                "a_send_fails_once_it_has_waited_for_the_configured_time[3000-has failed] (topic)",
                "it still waits",
                *SINCE_5_15,
            ),
            *seen(
                "a_producer_whose_send_failed_sends_again_once_there_is_space[after 500 ms] (topic)",
                "30 bytes (really 36,000)",
                *SINCE_5_15,
            ),
        ),
    ),
    Replacement(
        classic_usage.heeds_cursor,
        cursor_of_queues,
        since="5.15.16",
        until="6.3.1",
        evidence=seen("with_the_file_cursor_messages_that_wait_need_not_take_memory (topic)", "10 taken", *SINCE_5_15),
    ),
    Replacement(
        classic.takes_memory_in_hand,
        takes_memory_in_hand_of_queues,
        since="5.15.16",
        until="6.3.1",
        evidence=(
            *seen(IN_HAND_AT_A_TOPIC, "the producer free at 0 bytes (really 0)", V5_15, V6_1, V6),
            *seen(IN_HAND_AT_A_TOPIC, "the producer free at 400 bytes (really 480,000)", V5_18),
        ),
    ),
    Replacement(
        general_topics.given_up_with_subscription,
        unless_in_files,
        since="5.15.16",
        until="5.18.6",
        evidence=seen(
            "queues_that_come_and_go_with_their_messages_in_files_leave_nothing_charged",
            "2,000 bytes (really 2,400,000) in 0 messages",
            *(V5_15, V5_18),
        ),
    ),
    Replacement(
        classic.counted_as_it_comes,
        counts_itself_at_a_topic,
        since="5.15.16",
        until="6.1.8",
        evidence=seen(
            "the_memory_of_all_destinations_together_has_a_limit_too[999-returns] (topic)",
            "it was unsettled",
            *(V5_15, V5_18, V6_1),
        ),
    ),
    Replacement(
        general_topics.holds_up_others,
        holds_up_its_topic,
        since="5.15.16",
        until="6.3.1",
        evidence=seen(
            "beside_a_producer_that_waits_for_the_store_every_other_one_is_heard_whenever_it_came (topic)",
            "that of the latecomer was unsettled",
            *SINCE_5_15,
        ),
    ),
    Replacement(
        general_topics.counts_those_before,
        counts_up_to_the_acknowledged,
        since="5.15.16",
        until="6.3.1",
        evidence=seen(
            "a_destination_is_said_to_hold_what_was_accepted_and_is_not_acknowledged (topic)", "1", *SINCE_5_15
        ),
    ),
    Replacement(
        (classic, "REFUSAL"),
        "jakarta.jms.ResourceAllocationException",
        since="6.1.8",
        until="6.3.1",
        evidence=(
            *seen(
                "a_send_that_fails_says_so_by_a_resourceallocationexception",
                "jakarta.jms.ResourceAllocationException",
                *(V6_1, V6),
            ),
            *seen(
                "a_send_that_fails_after_a_wait_says_the_same",
                "jakarta.jms.ResourceAllocationException",
                *(V6_1, V6),
            ),
        ),
        says="A send that fails raises the exception of Jakarta.",
    ),
)
"""All replacements, ordered by subject; each names the versions in which it holds."""

CLASSIC_4_1_2 = profile_of(V4, REPLACEMENTS)
CLASSIC_5_3_1 = profile_of(V5, REPLACEMENTS)
CLASSIC_5_9_1 = profile_of(V5_9, REPLACEMENTS)
CLASSIC_5_15_16 = profile_of(V5_15, REPLACEMENTS)
CLASSIC_5_18_6 = profile_of(V5_18, REPLACEMENTS)
CLASSIC_6_1_8 = profile_of(V6_1, REPLACEMENTS)
CLASSIC_6_3_1 = profile_of(V6, REPLACEMENTS)
PROFILES = (CLASSIC_4_1_2, CLASSIC_5_3_1, CLASSIC_5_9_1, CLASSIC_5_15_16, CLASSIC_5_18_6, CLASSIC_6_1_8, CLASSIC_6_3_1)
