"""The disk quota, for all sizes and any number of producers: when producers are blocked, how far the space can go."""

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.qpid import Broker, ChannelName, stopped
from tidegate.model.mechanisms.qpid_disk import (
    Store,
    after_deleting,
    after_writing,
    looked_at,
    overfull,
    overfull_when_reached,
    producer_stopped,
    quota_gate,
    underfull,
)


@notion
def open_only_within_its_limit(store: Store) -> bool:
    """QPID-DISK-5: a store that takes more than its overfull limit has its producers blocked."""
    return store.blocked or store.used_bytes <= store.quota.overfull_bytes


# the levels


@theorem("QD-T1", serves=("QPID-DISK-1",))
def a_store_is_overfull_exactly_above_its_overfull_limit(store: Store) -> None:
    """QD-T1: at the limit it is not, one byte more and it is; -1 stands for no quota."""
    possible(store.used_bytes == store.quota.overfull_bytes == 1000)
    possible(store.quota.overfull_bytes == 1000 and store.used_bytes == 1001)
    possible(store.quota.overfull_bytes == -1 and store.used_bytes > 1_000_000)
    prove(overfull(store) == (store.quota.overfull_bytes != -1 and store.used_bytes > store.quota.overfull_bytes))


@theorem("QD-T2", serves=("QPID-DISK-1",))
def the_two_readings_of_overfull_differ_at_the_limit_itself_and_nowhere_else(store: Store) -> None:
    """QD-T2: exceeded or reached: one byte tells them apart."""
    assume(store.quota.overfull_bytes != -1)
    possible(store.used_bytes == store.quota.overfull_bytes)
    prove((overfull(store) != overfull_when_reached(store)) == (store.used_bytes == store.quota.overfull_bytes))


@refuted("QD-R1", because="at the limit itself only one of them stops anybody", serves=("QPID-DISK-1",))
def the_two_readings_of_overfull_say_the_same(store: Store) -> None:
    """QD-R1: the shortest case that tells them apart is a store of one message, as large as the limit."""
    assume(store.quota.overfull_bytes >= 0 and store.used_bytes >= 0)
    prove(overfull(store) == overfull_when_reached(store))


@theorem("QD-T3", serves=("QPID-DISK-1",))
def without_a_quota_no_reading_has_the_store_overfull(store: Store) -> None:
    """QD-T3: -1 stands for no quota in either."""
    assume(store.quota.overfull_bytes == -1)
    possible(store.used_bytes > 1_000_000)
    prove(not overfull(store) and not overfull_when_reached(store) and underfull(store))
    prove(not looked_at(store).blocked)


@theorem("QD-T4", serves=("QPID-DISK-2", "QPID-DISK-7"))
def a_store_is_underfull_exactly_below_its_underfull_limit(store: Store) -> None:
    """QD-T4: at the limit it is not, one byte less and it is."""
    assume(store.quota.overfull_bytes != -1)
    possible(store.used_bytes == store.quota.underfull_bytes == 800)
    possible(store.quota.underfull_bytes == 800 and store.used_bytes == 799)
    prove(underfull(store) == (store.used_bytes < store.quota.underfull_bytes))
    prove(quota_gate(store.quota).high == store.quota.overfull_bytes)
    prove(quota_gate(store.quota).low == store.quota.underfull_bytes)


# which producers are blocked


@theorem("QD-T5", serves=("QPID-DISK-1", "QPID-DISK-2", "QPID-DISK-3"))
def producers_are_blocked_from_overfull_to_underfull(store: Store) -> None:
    """QD-T5: an open store blocks when it is overfull; a blocking store opens when it is underfull."""
    possible(not store.blocked and overfull(store))
    possible(store.blocked and underfull(store))
    possible(store.blocked and not underfull(store) and not overfull(store))
    prove(looked_at(store).blocked == (not underfull(store) if store.blocked else overfull(store)))
    prove(looked_at(store).used_bytes == store.used_bytes and looked_at(store).quota == store.quota)


@theorem("QD-T6", serves=("QPID-DISK-3",))
def a_store_that_blocks_stops_every_channel_and_an_open_one_none(
    store: Store, broker: Broker, channel: ChannelName, other: ChannelName
) -> None:
    """QD-T6: with several causes, a channel is stopped as long as one of the causes remains."""
    possible(store.blocked and not stopped(broker, channel))
    possible(not store.blocked and stopped(broker, channel) and not stopped(broker, other))
    prove(producer_stopped(store, broker, channel) == (store.blocked or stopped(broker, channel)))
    prove(not store.blocked or (producer_stopped(store, broker, channel) and producer_stopped(store, broker, other)))


@theorem("QD-T7", serves=("QPID-DISK-4",))
def consuming_unblocks_everybody_as_soon_as_the_store_is_underfull(
    store: Store, broker: Broker, channel: ChannelName, size: int
) -> None:
    """QD-T7: no producer that no queue holds is left stopped beside an underfull store."""
    after = after_deleting(store, size)
    assume(store.blocked and not stopped(broker, channel))
    possible(not after.blocked)
    possible(after.blocked)
    prove(after.used_bytes == store.used_bytes - size)
    prove(producer_stopped(after, broker, channel) == (not underfull(after)))


@theorem("QD-T8", serves=("QPID-DISK-4",))
def an_empty_store_blocks_nobody(store: Store, size: int) -> None:
    """QD-T8: consuming every message unblocks every producer, if the underfull limit is above 0."""
    assume(store.quota.overfull_bytes >= 0 and store.quota.underfull_bytes > 0 and store.used_bytes == size)
    possible(store.blocked)
    prove(not after_deleting(store, size).blocked)


@refuted("QD-R2", because="no space is less than none", serves=("QPID-DISK-4",))
def an_empty_store_blocks_nobody_whatever_its_limits(store: Store, size: int) -> None:
    """QD-R2: QD-T8 without its assumption: an underfull limit of 0 is never met."""
    assume(store.quota.overfull_bytes >= 0 and store.quota.underfull_bytes >= 0)
    assume(store.used_bytes == size >= 0 and store.blocked)
    prove(not after_deleting(store, size).blocked)


# how far the space can go


@theorem("QD-T9", serves=("QPID-DISK-5",))
def without_transactions_a_send_takes_the_store_past_its_limit_by_less_than_itself(
    store: Store, size: int, largest: int
) -> None:
    """QD-T9: step; only an open store takes messages, so all producers together pass the limit by one."""
    assume(store.quota.overfull_bytes >= 0 and size <= largest)
    assume(open_only_within_its_limit(store) and not store.blocked)
    after = after_writing(store, size)
    possible(size == largest > 0 and after.used_bytes == store.quota.overfull_bytes + largest)
    prove(after.used_bytes == store.used_bytes + size)
    prove(after.used_bytes <= store.quota.overfull_bytes + largest)
    prove(open_only_within_its_limit(after))


@theorem("QD-T10")
def deleting_keeps_a_store_open_only_within_its_limit(store: Store, size: int) -> None:
    """QD-T10: step: with the underfull limit no more than a byte above the overfull one."""
    assume(store.quota.overfull_bytes >= 0 and store.quota.underfull_bytes <= store.quota.overfull_bytes + 1)
    possible(store.blocked and not after_deleting(store, size).blocked)
    prove(open_only_within_its_limit(after_deleting(store, size)))


@refuted("QD-R3", because="two bytes above, and it opens while it is overfull", serves=("QPID-DISK-5",))
def deleting_keeps_a_store_open_only_within_its_limit_whatever_the_limits(store: Store, size: int) -> None:
    """QD-R3: QD-T10 with the assumption loosened by one byte."""
    assume(store.quota.overfull_bytes >= 0 and store.quota.underfull_bytes <= store.quota.overfull_bytes + 2)
    assume(size >= 0 and open_only_within_its_limit(store))
    prove(open_only_within_its_limit(after_deleting(store, size)))


@refuted("QD-R4", because="the message that fills the store to its limit stops nobody", serves=("QPID-DISK-5",))
def without_transactions_the_store_stays_within_its_limit(store: Store, size: int) -> None:
    """QD-R4: QD-T9 without the one message."""
    assume(store.quota.overfull_bytes >= 0 and size >= 0 and store.used_bytes >= 0)
    assume(open_only_within_its_limit(store) and not store.blocked)
    prove(after_writing(store, size).used_bytes <= store.quota.overfull_bytes)


@refuted(
    "QD-R5",
    because="transactions that were open before are committed although the store blocks",
    serves=("QPID-DISK-5",),
)
def with_transactions_the_store_stays_within_one_message_of_its_limit(
    store: Store, first: int, second: int, largest: int
) -> None:
    """QD-R5: QD-T9 for the commits of two transactions, each of one message."""
    assume(store.quota.overfull_bytes >= 0 and 0 < first <= largest and 0 < second <= largest)
    assume(store.used_bytes >= 0 and open_only_within_its_limit(store) and not store.blocked)
    after = after_writing(after_writing(store, first), second)
    prove(after.used_bytes <= store.quota.overfull_bytes + largest)


@theorem("QD-T11", serves=("QPID-DISK-5",))
def a_commit_takes_the_store_no_further_than_what_was_open_when_it_blocked(
    store: Store, size: int, pending: int, most: int
) -> None:
    """QD-T11: step: a commit does not increase the sum of written and open messages."""
    assume(store.used_bytes + pending <= most)
    after = after_writing(store, size)
    possible(store.blocked and size == pending and after.used_bytes == most)
    prove(after.used_bytes + (pending - size) <= most)
