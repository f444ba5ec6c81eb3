"""The flow control of ActiveMQ Classic 5: a destination's memory limit, the fate of a send there, and who waits.

Composes the wait. A destination has one level; the broker's policy decides about a send that finds it full.
"""

from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.wait import NEVER, Wait, expired

NO_LIMIT = -1


@dataclass(frozen=True)
class Destination:
    """A queue or topic: its memory limit (NO_LIMIT for none), whether flow control is on, and its bytes."""

    limit: int
    controlled: bool
    bytes: int


@dataclass(frozen=True)
class NoSpace:
    """The policy for a send without space: fail at once, or after `fails_after_ms` (NEVER: wait without end)."""

    fails_at_once: bool
    fails_after_ms: int


DEFAULT_NO_SPACE = NoSpace(fails_at_once=False, fails_after_ms=NEVER)
"""CLASSIC-MEMORY-5: where nothing is configured, a send waits until there is space."""


REFUSAL = "javax.jms.ResourceAllocationException"
"""CLASSIC-FAIL-6: the exception of a send that fails for lack of space."""


@dataclass(frozen=True)
class Client:
    """How a JMS client sends: whether its messages are persistent, and the two settings of its connection."""

    persistent: bool
    use_async_send: bool
    always_sync_send: bool


@rule
def full(destination: Destination) -> bool:
    """CLASSIC-MEMORY-1: a destination is full once its messages take as many bytes as its memory limit."""
    return destination.limit != NO_LIMIT and destination.bytes >= destination.limit


@rule
def full_together(every: Destination) -> bool:
    """CLASSIC-MEMORY-9: the shared memory is full once all messages together take as many bytes as its limit."""
    return full(every)


@rule
def counted_as_it_comes(level: int, size: int, topic: bool) -> int:
    """CLASSIC-MEMORY-9: an arriving message takes no shared memory yet."""
    return 0


@rule
def holds_back(destination: Destination) -> bool:
    """CLASSIC-MEMORY-6: a full destination holds sends back, unless its flow control is switched off."""
    return destination.controlled and full(destination)


@rule
def stored(destination: Destination) -> bool:
    """CLASSIC-MEMORY-1: a message of any size is stored unless its destination is full when the message arrives."""
    return not holds_back(destination)


@rule
def wait_of(no_space: NoSpace) -> Wait:
    """CLASSIC-FAIL-3: a send that may wait does so for the configured time, without notices."""
    return Wait(timeout_ms=no_space.fails_after_ms, notify_ms=NEVER)


@rule
def time_counts(topic: bool) -> bool:
    """CLASSIC-FAIL-3: the configured time applies to sends to queues and to topics."""
    return True


@rule
def fails_at_once(no_space: NoSpace, destination: Destination) -> bool:
    """CLASSIC-FAIL-1: a send to a full destination fails at once if sends are configured to."""
    return holds_back(destination) and no_space.fails_at_once


@rule
def fails_after_its_time(no_space: NoSpace, destination: Destination, waited_ms: int) -> bool:
    """CLASSIC-FAIL-3: a send that is still held back fails once it has waited for the configured time."""
    return holds_back(destination) and expired(wait_of(no_space), waited_ms)


@rule
def failed(no_space: NoSpace, destination: Destination, waited_ms: int) -> bool:
    """CLASSIC-FAIL-5: a send fails at once if that is configured, whatever the configured time; else after the time."""
    return fails_at_once(no_space, destination) or fails_after_its_time(no_space, destination, waited_ms)


@rule
def waits(no_space: NoSpace, destination: Destination, waited_ms: int) -> bool:
    """CLASSIC-MEMORY-2: a send that is held back waits unless it fails."""
    return holds_back(destination) and not failed(no_space, destination, waited_ms)


@rule
def failed_by_timeout_first(no_space: NoSpace, destination: Destination, waited_ms: int) -> bool:
    """CLASSIC-FAIL-5: the other reading, in which a configured timeout overrides failing at once."""
    at_once = no_space.fails_at_once and no_space.fails_after_ms == NEVER
    return holds_back(destination) and (at_once or expired(wait_of(no_space), waited_ms))


@rule
def after_storing(destination: Destination, size: int) -> Destination:
    """CLASSIC-MEMORY-1: a stored message takes its bytes of the memory."""
    return replace(destination, bytes=destination.bytes + size)


@rule
def after_removal(destination: Destination, size: int) -> Destination:
    """CLASSIC-MEMORY-3: a message that leaves gives its bytes back."""
    return replace(destination, bytes=destination.bytes - size)


@rule
def takes_memory_in_hand(topic: bool) -> bool:
    """GENERAL-7: a message in flight takes memory of its queue or topic until it leaves."""
    return True


@rule
def waits_by_default(client: Client) -> bool:
    """CLASSIC-SEND-1: by default only persistent messages are sent synchronously."""
    return client.persistent


@rule
def always_waits(client: Client) -> bool:
    """CLASSIC-SEND-3: with alwaysSyncSend every message is sent synchronously."""
    return client.always_sync_send


@rule
def never_waits(client: Client) -> bool:
    """CLASSIC-SEND-4: with useAsyncSend no message is sent synchronously, unless alwaysSyncSend is set too."""
    return client.use_async_send and not always_waits(client)


@rule
def waits_for_answers(client: Client) -> bool:
    """CLASSIC-SEND-2: a send waits for its answer if it is synchronous, whether its destination is full or not."""
    return always_waits(client) or (waits_by_default(client) and not never_waits(client))


@rule
def may_transmit(window_bytes: int, unanswered: int, size: int) -> bool:
    """CLASSIC-WINDOW-1: a message may go if it fits the window with all unanswered messages, or if there are none."""
    return unanswered + size <= window_bytes or unanswered == 0


@rule
def after_answer(unanswered: int, answered: int) -> int:
    """CLASSIC-WINDOW-2: an answered message gives its bytes of the window back."""
    return unanswered - answered


@rule
def may_transmit_until_used_up(window_bytes: int, unanswered: int, size: int) -> bool:
    """CLASSIC-WINDOW-1: the other reading, in which the last message may exceed the window."""
    return unanswered < window_bytes
