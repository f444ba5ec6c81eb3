"""What the documents leave open, and what released versions do otherwise there."""

from tidegate.conformance.proofs.claims import assume, possible, prove, theorem
from tidegate.model.mechanisms.artemis import Address, ProducerName, after_rejection
from tidegate.model.mechanisms.classic import counted_as_it_comes, takes_memory_in_hand, time_counts
from tidegate.model.mechanisms.classic_usage import (
    heeds_cursor,
    kept_in_memory,
    store_limit_while_waiting,
    temp_limit_while_waiting,
)
from tidegate.model.mechanisms.general_address import full_disk_stops
from tidegate.model.mechanisms.general_counts import counted_after_purge
from tidegate.model.mechanisms.general_paging import pages_full, pages_on
from tidegate.model.mechanisms.general_topics import counts_those_before, given_up_with_subscription, holds_up_others
from tidegate.model.mechanisms.general_transactions import charged_after_rollback, freed_by_rollback
from tidegate.model.mechanisms.qpid import heeds_queues


@theorem("OPEN-T1", serves=("GENERAL-34",))
def a_limit_of_pages_is_one_of_bytes(limit: int, held: int, pages: int, page: int) -> None:
    """OPEN-T1: it is reached by the bytes in pages, in however many pages they lie; -1 stands for none."""
    possible(held == limit == 1000 and pages == 0)
    possible(held == limit - 1 == 999 and pages * page > limit)
    prove(pages_full(limit, held, pages, page) == (limit != -1 and held >= limit))


@theorem("OPEN-T2", serves=("GENERAL-16",))
def a_rollback_gives_everything_back(size: int) -> None:
    """OPEN-T2: as many bytes as the transaction took."""
    possible(size == 800)
    prove(freed_by_rollback(size) == size)


@theorem("OPEN-T3", serves=("QPID-QUEUE-7",))
def every_sender_heeds_its_queues(by_exchange: bool, by_amqp_1_0: bool) -> None:
    """OPEN-T3: this holds with or without an exchange, in every protocol."""
    possible(by_exchange and by_amqp_1_0)
    prove(heeds_queues(by_exchange, by_amqp_1_0))


@theorem("OPEN-T4", serves=("CLASSIC-USAGE-8",))
def the_cursor_alone_says_where_messages_wait(by_memory_cursor: bool, limit: int) -> None:
    """OPEN-T4: a queue without a memory limit keeps no more in memory than another."""
    possible(limit == -1 and not by_memory_cursor)
    prove(kept_in_memory(by_memory_cursor, limit) == by_memory_cursor)


@theorem("OPEN-T5", serves=("ARTEMIS-AMQP-1",))
def a_rejected_message_takes_one_credit_of_its_sender(
    address: Address, sender: ProducerName, other: ProducerName
) -> None:
    """OPEN-T5: and none of anybody else, and no space."""
    assume(other != sender)
    possible(address.credits[sender] == 98)
    rejected = after_rejection(address, sender)
    prove(rejected.credits[sender] == address.credits[sender] - 1)
    prove(rejected.credits[other] == address.credits[other] and rejected.bytes == address.bytes)


@theorem("OPEN-T6", serves=("GENERAL-34",))
def an_address_stops_paging_once_its_pages_are_empty(began: bool, written: int, paged: int) -> None:
    """OPEN-T6: once no message lies in its pages, also where none ever did."""
    possible(began and written == 0 and paged == 0)
    prove(pages_on(began, written, paged) == (paged > 0))


@theorem("OPEN-T7", serves=("CLASSIC-FAIL-3", "CLASSIC-MEMORY-7", "GENERAL-7"))
def a_topic_is_no_other_destination(topic: bool) -> None:
    """OPEN-T7: sends to a topic fail after their time, its cursor is heeded, and messages in hand take its memory."""
    possible(topic)
    prove(time_counts(topic) and heeds_cursor(topic) and takes_memory_in_hand(topic))


@theorem("OPEN-T8", serves=("GENERAL-16",))
def a_rollback_charges_nothing(waiting: int, room: bool) -> None:
    """OPEN-T8: this includes a message whose send still waits, even if there is room for it later."""
    possible(waiting == 300 and room)
    prove(charged_after_rollback(waiting, room) == 0)


@theorem("OPEN-T9", serves=("CLASSIC-USAGE-10", "CLASSIC-USAGE-11"))
def a_send_that_waits_goes_by_the_limits_now(began: int, now: int, topic: bool) -> None:
    """OPEN-T9: if a limit is raised from 20,000 to 100,000 bytes, 100,000 hold for a send that waits already."""
    possible(began == 20000 and now == 100000)
    prove(temp_limit_while_waiting(began, now) == now and store_limit_while_waiting(began, now, topic) == now)


@theorem("OPEN-T10", serves=("GENERAL-22",))
def a_purge_leaves_what_is_in_hand_counted(waiting: int, in_hand: int) -> None:
    """OPEN-T10: so no count is below zero once that is acknowledged, however many messages waited."""
    possible(waiting == 0 and in_hand == 2)
    prove(counted_after_purge(waiting + in_hand, waiting) == in_hand)


@theorem("OPEN-T11", serves=("GENERAL-8", "GENERAL-21", "GENERAL-42"))
def a_topic_charges_answers_and_counts_like_a_queue(topic: bool, in_files: bool) -> None:
    """OPEN-T11: no subscription remains, no send holds up another, and an acknowledgement is for one message."""
    possible(topic and in_files)
    prove(given_up_with_subscription(in_files))
    prove(not holds_up_others(topic) and not counts_those_before(topic))


@theorem("OPEN-T12", serves=("CLASSIC-MEMORY-9",))
def a_message_does_not_wait_for_itself(level: int, size: int, topic: bool) -> None:
    """OPEN-T12: a message counts towards shared limits once it is stored, and not when it arrives."""
    possible(level == 999 and size == 10 and topic)
    prove(counted_as_it_comes(level, size, topic) == 0)


@theorem("OPEN-T13", serves=("GENERAL-37",))
def a_full_disk_stops_whoever_sends(refuses: bool) -> None:
    """OPEN-T13: this holds even if the address refuses messages past its limit."""
    possible(refuses)
    prove(full_disk_stops(refuses))
