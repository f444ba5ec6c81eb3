"""Connections of ActiveMQ Classic, for any number of producers, connections and sizes: which are stopped, which are
stuck.

In a broker of 4.x every producer stalls its connection; since 5.0 only producers without another stop do so.
"""

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.classic_connection import (
    Broker,
    ConnectionName,
    ProducerName,
    after_acknowledgement,
    after_admission,
    after_giving_up,
    after_send,
    stalled,
    stalls_connection,
    stuck,
    with_held,
)


@notion
def is_full(broker: Broker) -> bool:
    """CC-N1: the destination has a limit, flow control, and no room."""
    destination = broker.destination
    return destination.controlled and destination.limit != -1 and destination.bytes >= destination.limit


@notion
def nobody_waits(broker: Broker) -> bool:
    """CC-N2: no producer has a message that waits."""
    return all(broker.producers[producer].held == 0 for producer in broker.producers)


@notion
def nobody_stalls(broker: Broker) -> bool:
    """CC-N3: no producer's message stalls its connection."""
    return all(not broker.producers[producer].stalls for producer in broker.producers)


@notion
def everybody_stalls(broker: Broker) -> bool:
    """CC-N4: every producer's message stalls its connection, as in 4.x."""
    return all(broker.producers[producer].stalls for producer in broker.producers)


@theorem("CC-T1", serves=("CLASSIC-WINDOW-3",))
def only_4_x_or_a_sender_that_waits_for_nothing_stalls_a_connection(
    suspends: bool, answered: bool, windowed: bool
) -> None:
    """CC-T1: an answer or a window is enough, since 5.0; before it nothing is."""
    possible(suspends and answered and windowed)
    possible(not suspends and not answered and not windowed)
    prove(stalls_connection(True, answered, windowed))
    prove(stalls_connection(False, answered, windowed) == (not answered and not windowed))


@theorem("CC-T2", serves=("CLASSIC-CONNECTION-1",))
def a_message_that_waits_stalls_its_own_connection(
    broker: Broker, producer: ProducerName, connection: ConnectionName
) -> None:
    """CC-T2: of a producer that stalls, with a message of at least one byte, and on that connection."""
    waiting = broker.producers[producer]
    possible(waiting.connection == connection and waiting.stalls and waiting.held == 1)
    prove(not (waiting.connection == connection and waiting.stalls and waiting.held > 0) or stalled(broker, connection))


@theorem("CC-T3", serves=("CLASSIC-CONNECTION-1",))
def a_connection_without_such_a_message_is_read(broker: Broker, connection: ConnectionName) -> None:
    """CC-T3: a message on another connection, or of a producer that does not stall, leaves it alone."""
    assume(
        all(
            broker.producers[producer].connection != connection
            or not broker.producers[producer].stalls
            or broker.producers[producer].held <= 0
            for producer in broker.producers
        )
    )
    possible(any(broker.producers[producer].held > 0 for producer in broker.producers))
    prove(not stalled(broker, connection))


@theorem("CC-T4", serves=("CLASSIC-MEMORY-4", "CLASSIC-CONNECTION-1"))
def a_message_that_is_read_is_stored_or_waits_for_its_sender_alone(
    broker: Broker, sender: ProducerName, other: ProducerName, size: int
) -> None:
    """CC-T4: with room the message is stored; without room it waits; other senders do not change."""
    now = after_send(broker, sender, size)
    unread = stalled(broker, broker.producers[sender].connection)
    possible(not unread and is_full(broker) and other != sender and size > 0)
    possible(not unread and not is_full(broker) and size > 0)
    possible(unread and size > 0)
    kept = unread or is_full(broker)
    prove(now.destination.bytes == (broker.destination.bytes if kept else broker.destination.bytes + size))
    waits = not unread and is_full(broker) and other == sender
    prove(now.producers[other].held == (size if waits else broker.producers[other].held))
    prove(now.producers[other].connection == broker.producers[other].connection)
    prove(now.producers[other].stalls == broker.producers[other].stalls)
    prove(now.destination.limit == broker.destination.limit)


@theorem("CC-T5", serves=("CLASSIC-CONNECTION-3",))
def an_acknowledgement_frees_its_bytes_exactly_if_it_is_read(
    broker: Broker, connection: ConnectionName, size: int
) -> None:
    """CC-T5: also while the destination is full and producers wait."""
    now = after_acknowledgement(broker, connection, size)
    possible(is_full(broker) and not nobody_waits(broker) and not stalled(broker, connection) and size > 0)
    possible(stalled(broker, connection) and size > 0)
    prove(
        now.destination.bytes
        == (broker.destination.bytes if stalled(broker, connection) else broker.destination.bytes - size)
    )


@theorem("CC-T6", serves=("CLASSIC-MEMORY-3",))
def a_message_that_waited_is_stored_as_soon_as_there_is_room(
    broker: Broker, waiting: ProducerName, other: ProducerName
) -> None:
    """CC-T6: no wake-up is lost: with room no send keeps waiting; without room nothing changes."""
    now = after_admission(broker, waiting)
    held = broker.producers[waiting].held
    possible(held > 0 and not is_full(broker))
    possible(held > 0 and is_full(broker))
    prove(now.destination.bytes == (broker.destination.bytes if is_full(broker) else broker.destination.bytes + held))
    released = other == waiting and not is_full(broker)
    prove(now.producers[other].held == (0 if released else broker.producers[other].held))


@theorem("CC-T7", serves=("CLASSIC-CONNECTION-3",))
def where_no_message_stalls_its_connection_nobody_is_ever_stuck(
    broker: Broker, connection: ConnectionName, size: int
) -> None:
    """CC-T7: 5.x with answers or windows: consumers on any connection bring the level down, message by message."""
    assume(nobody_stalls(broker) and size > 0)
    possible(is_full(broker) and any(broker.producers[producer].held > 0 for producer in broker.producers))
    prove(not stuck(broker, connection))
    prove(after_acknowledgement(broker, connection, size).destination.bytes < broker.destination.bytes)


@theorem("CC-T8", serves=("CLASSIC-CONNECTION-3",))
def who_stalls_stays_the_same(
    broker: Broker, sender: ProducerName, waiting: ProducerName, connection: ConnectionName, size: int
) -> None:
    """CC-T8: step of CC-T7: no send, acknowledgement or admission makes a producer stall its connection."""
    assume(nobody_stalls(broker))
    possible(is_full(broker) and size > 0)
    prove(nobody_stalls(after_send(broker, sender, size)))
    prove(nobody_stalls(after_acknowledgement(broker, connection, size)))
    prove(nobody_stalls(after_admission(broker, waiting)))


@theorem("CC-T9", serves=("CLASSIC-CONNECTION-1",))
def nothing_that_happens_on_a_stuck_connection_gets_it_out(
    broker: Broker, connection: ConnectionName, sender: ProducerName, waiting: ProducerName, size: int
) -> None:
    """CC-T9: a deadlock: sends, acknowledgements over this connection and looking again all leave it stuck."""
    assume(stuck(broker, connection))
    possible(everybody_stalls(broker) and size > 0)
    prove(stuck(after_send(broker, sender, size), connection))
    prove(stuck(after_acknowledgement(broker, connection, size), connection))
    prove(stuck(after_admission(broker, waiting), connection))


@theorem("CC-T10", serves=("CLASSIC-CONNECTION-1",))
def an_acknowledgement_over_another_connection_gets_it_out(
    broker: Broker, connection: ConnectionName, other: ConnectionName, size: int
) -> None:
    """CC-T10: if that one is read, and frees enough."""
    assume(not stalled(broker, other))
    assume(broker.destination.bytes - size < broker.destination.limit)
    possible(stuck(broker, connection) and everybody_stalls(broker) and size == 1)
    prove(not stuck(after_acknowledgement(broker, other, size), connection))


@theorem("CC-T11", serves=("CLASSIC-CONNECTION-1",))
def consumers_on_a_connection_without_producers_are_never_stuck(
    broker: Broker, connection: ConnectionName, sender: ProducerName, size: int
) -> None:
    """CC-T11: what users of 4.x were left with: one connection to send, another one to receive."""
    assume(all(broker.producers[producer].connection != connection for producer in broker.producers))
    possible(everybody_stalls(broker) and is_full(broker))
    prove(not stuck(broker, connection))
    prove(not stuck(after_send(broker, sender, size), connection))


@theorem("CC-T12", serves=("CLASSIC-MEMORY-4",))
def holding_a_message_of_one_producer_changes_no_other(
    broker: Broker, waiting: ProducerName, other: ProducerName, size: int
) -> None:
    """CC-T12: each producer has its own waiting message."""
    now = with_held(broker, waiting, size)
    possible(other != waiting and size > 0)
    prove(now.producers[other].held == (size if other == waiting else broker.producers[other].held))
    prove(now.destination.bytes == broker.destination.bytes)


@theorem("CC-T13", serves=("CLASSIC-FAIL-7",))
def after_a_send_that_failed_a_producer_is_as_if_it_had_not_sent(
    broker: Broker, sender: ProducerName, other: ProducerName, size: int
) -> None:
    """CC-T13: none of its messages waits, none was stored, and other producers do not change."""
    waiting = after_send(broker, sender, size)
    now = after_giving_up(waiting, sender)
    possible(waiting.producers[sender].held == size > 0 and waiting.destination.bytes > 0)
    prove(now.producers[sender].held == 0)
    prove(now.destination.bytes == waiting.destination.bytes)
    prove(other == sender or now.producers[other].held == broker.producers[other].held)


@refuted(
    "CC-R1",
    because="one message fills the destination, the next one suspends the connection, and no acknowledgement is read",
    serves=("CLASSIC-CONNECTION-2",),
)
def a_shared_connection_of_4_x_is_not_stuck_within_three_steps(
    broker: Broker, producer: ProducerName, first: int, second: int
) -> None:
    """CC-R1: a producer sends twice, and a consumer on the same connection acknowledges the first message."""
    assume(everybody_stalls(broker) and nobody_waits(broker) and broker.destination.bytes == 0)
    assume(broker.destination.limit > 0 and first > 0 and second > 0)
    line = broker.producers[producer].connection
    full = after_send(broker, producer, first)
    suspended = after_send(full, producer, second)
    prove(not stuck(after_acknowledgement(suspended, line, first), line))


@refuted(
    "CC-R2",
    because="a producer that waits for no answer and has no window leaves the broker nothing else to stop",
    serves=("CLASSIC-WINDOW-3",),
)
def since_5_0_no_connection_is_ever_stuck(
    broker: Broker, connection: ConnectionName, answered: bool, windowed: bool
) -> None:
    """CC-R2: CC-T7 without its assumption."""
    assume(
        all(
            broker.producers[producer].stalls == stalls_connection(False, answered, windowed)
            and broker.producers[producer].held >= 0
            for producer in broker.producers
        )
    )
    assume(broker.destination.bytes >= 0 and broker.destination.limit >= 0)
    prove(not stuck(broker, connection))
