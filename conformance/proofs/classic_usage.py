"""The store and the temporary files of ActiveMQ Classic, for all limits and sizes: what uses which, and who waits."""

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.classic_usage import (
    Disk,
    Placement,
    after_deleting,
    after_writing,
    exhausted,
    held_back_by_disk,
    takes_memory,
    takes_store,
    takes_temp,
)


@theorem("CU-T1", serves=("CLASSIC-USAGE-1",))
def a_shared_limit_is_exhausted_exactly_once_it_is_reached(limit: int, used: int) -> None:
    """CU-T1: one byte below it is not; -1 stands for no limit."""
    possible(used == limit == 1000)
    possible(used == limit - 1 == 999)
    prove(exhausted(limit, used) == (limit != -1 and used >= limit))


@theorem("CU-T2", serves=("CLASSIC-USAGE-1", "CLASSIC-USAGE-2"))
def a_message_takes_space_of_one_kind_of_disk_at_most(placement: Placement) -> None:
    """CU-T2: persistent ones the store, others temporary space, and others in memory neither."""
    possible(takes_store(placement) and takes_memory(placement))
    possible(takes_temp(placement))
    possible(not takes_store(placement) and not takes_temp(placement))
    prove(not (takes_store(placement) and takes_temp(placement)))
    prove(takes_store(placement) == placement.persistent)
    prove(takes_temp(placement) == (not placement.persistent and not placement.in_memory))


@theorem("CU-T3", serves=("CLASSIC-USAGE-9",))
def under_the_memory_cursor_every_message_takes_memory(placement: Placement) -> None:
    """CU-T3: so the memory limit of its queue is reached; under the file cursor none does."""
    possible(placement.in_memory and not placement.persistent)
    prove(takes_memory(placement) == placement.in_memory)
    prove(placement.persistent or takes_memory(placement) != takes_temp(placement))


@theorem("CU-T4", serves=("CLASSIC-USAGE-1", "CLASSIC-USAGE-3"))
def a_persistent_message_waits_exactly_while_the_store_is_exhausted(
    limits: Disk, used: Disk, placement: Placement
) -> None:
    """CU-T4: whatever the temporary files hold."""
    assume(placement.persistent)
    possible(used.store == limits.store - 1 and used.temp >= limits.temp > 0)
    possible(used.store == limits.store > 0)
    prove(held_back_by_disk(limits, used, placement) == (limits.store != -1 and used.store >= limits.store))


@theorem("CU-T5", serves=("CLASSIC-USAGE-2", "CLASSIC-USAGE-3"))
def a_message_that_is_not_persistent_waits_exactly_while_temporary_space_is_exhausted(
    limits: Disk, used: Disk, placement: Placement
) -> None:
    """CU-T5: whatever the store holds, and only where the cursor writes it to a file."""
    assume(not placement.persistent)
    possible(not placement.in_memory and used.temp == limits.temp - 1 and used.store >= limits.store > 0)
    possible(not placement.in_memory and used.temp == limits.temp > 0)
    possible(placement.in_memory and used.temp >= limits.temp > 0)
    prove(
        held_back_by_disk(limits, used, placement)
        == (not placement.in_memory and limits.temp != -1 and used.temp >= limits.temp)
    )


@theorem("CU-T6", serves=("CLASSIC-USAGE-4",))
def what_a_message_took_comes_back_when_it_is_consumed(used: Disk, placement: Placement, size: int) -> None:
    """CU-T6: writing and then deleting a message leaves the disk unchanged."""
    possible(placement.persistent and size == 1)
    possible(not placement.persistent and not placement.in_memory and size == 1)
    written = after_writing(used, placement, size)
    deleted = after_deleting(written, placement, size)
    prove(written.store == (used.store + size if placement.persistent else used.store))
    prove(written.temp == (used.temp + size if takes_temp(placement) else used.temp))
    prove(deleted.store == used.store and deleted.temp == used.temp)


@theorem("CU-T7", serves=("CLASSIC-USAGE-4",))
def whoever_waits_for_disk_goes_on_once_enough_was_consumed(
    limits: Disk, used: Disk, placement: Placement, size: int
) -> None:
    """CU-T7: no wake-up is lost: one message that takes the level below the limit is enough."""
    assume(used.store - size < limits.store and used.temp - size < limits.temp)
    possible(placement.persistent and held_back_by_disk(limits, used, placement))
    possible(not placement.persistent and held_back_by_disk(limits, used, placement))
    prove(not held_back_by_disk(limits, after_deleting(used, placement, size), placement))


@refuted(
    "CU-R1", because="a message in memory that is not persistent takes no disk, so a full disk does not hold it back"
)
def a_full_disk_holds_everybody_back(limits: Disk, used: Disk, placement: Placement) -> None:
    """CU-R1: CLASSIC-USAGE-3 the other way round: each limit of the disk for all messages."""
    assume(limits.store >= 0 and limits.temp >= 0 and used.store >= limits.store and used.temp >= limits.temp)
    prove(held_back_by_disk(limits, used, placement))
