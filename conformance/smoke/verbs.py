"""The walk through the verbs that every adapter has: one message there and back, then a destination filled up."""

from functools import partial

from tidegate.adapters.base import Adapter, Delivery, Depth, Identity, Limits, Outcome, Parameters, Standing
from tidegate.conformance.smoke.probe import Probe, shown

LIMIT, RESUME, CREDIT, CREDIT_LOW = 1000, 800, 100, 30
"""The levels of the destinations, in bytes before the adapter's scale, and the credit window in messages."""
SIZE = 400
"""The bytes that a message is charged, before the scale: three messages exceed the limit."""
MOST_SENDS = 200
STOPS = (frozenset({"queue-gate"}), frozenset({"amqp-credit", "address-limit"}), frozenset({"memory-limit"}))
"""Mechanisms that stop a producer when its destination is full: all capabilities of any of these sets."""
STANDING = "answer standing from what the client was told (an order, or credit used up), never by sending"
DEPTH = "count the waiting and the unacknowledged messages, in the bytes that send was given"


def limits_for(adapter: Adapter) -> Limits:
    """Limits that every mechanism understands, for a destination that charges waiting messages."""
    scale = adapter.parameters.scale
    return Limits(
        limit_bytes=LIMIT * scale, resume_bytes=RESUME * scale, policy="BLOCK", credit=CREDIT, credit_low=CREDIT_LOW,
        cursor="memory" if "file-cursor" in adapter.capabilities else None,
    )  # fmt: skip


def size_for(parameters: Parameters) -> int:
    """The bytes that a message of the walk is charged, with the scale."""
    return SIZE * parameters.scale


def start(probe: Probe) -> None:
    """Start the adapter, and check the attributes that are final from then on."""
    probe.ask("start", fix="start your implementation, or connect to it, and return once it answers")
    identity, parameters = probe.adapter.identity, probe.adapter.parameters
    probe.require(
        "identity", shown(identity), "a name and a version",
        kept=isinstance(identity, Identity) and bool(identity.name and identity.version),
        fix="say which implementation this is, and in which version",
    )  # fmt: skip
    probe.require(
        "parameters", f"scale {parameters.scale}, smallest message {parameters.smallest_message_bytes} bytes",
        "a scale of at least 1, and no smallest message above it",
        kept=1 <= parameters.scale >= parameters.smallest_message_bytes,
        fix="raise scale to the charge of the smallest message: scenarios send 1 byte, times the scale",
    )  # fmt: skip


def attach(probe: Probe, scenario: str) -> tuple[str, str]:
    """Create a destination with limits and a producer on it; their names."""
    queue, producer = f"{scenario}.queue", f"{scenario}.producer"
    limits = limits_for(probe.adapter)
    probe.ask("declare", queue, limits, fix="create the destination, with these limits configured")
    probe.ask("open_producer", producer, f"{scenario}.connection", (queue,),
              fix="open the connection of this name unless it is open, and a channel on it")  # fmt: skip
    return queue, producer


def there_and_back(probe: Probe) -> None:
    """Send one message, see it, take it, acknowledge it, and see it gone."""
    queue, producer = attach(probe, "smoke1")
    size = size_for(probe.adapter.parameters)
    message, consumer = "smoke1.m1", "smoke1.consumer"
    probe.ask("standing", producer, expected="a Standing that is not stopped", check=is_free, eventually=True,
              fix=STANDING)  # fmt: skip
    holds(probe, queue, Depth(0, 0))
    attach_consumer(probe, consumer, queue)
    probe.ask("take", consumer, expected="None: nothing was sent yet", fix="answer None if no message waits")
    send(probe, producer, message)
    holds(probe, queue, Depth(size, 1))
    take(probe, consumer, message, queue)
    holds(probe, queue, Depth(size, 1))
    acknowledge(probe, consumer, message)
    holds(probe, queue, Depth(0, 0))
    probe.ask("advance", 1, fix="let 1 ms pass: time.sleep(ms / 1000), or move a virtual clock")
    end(probe)


def filled_up(probe: Probe) -> None:
    """Fill a destination past its limit, which must stop its producer, and free space, which must release it."""
    queue, producer = attach(probe, "smoke2")
    for number in range(1, MOST_SENDS + 1):
        told = probe.ask("send", producer, f"smoke2.m{number}", size_for(probe.adapter.parameters),
                         expected="an Outcome: ACCEPTED, until the destination is full", check=is_outcome,
                         fix="return BLOCKED if the producer is stopped and the message did not leave it")  # fmt: skip
        if told not in (Outcome.ACCEPTED, Outcome.REJECTED):  # what is rejected stops nobody
            break
    probe.ask("standing", producer, expected="a Standing that is stopped: the destination is full", check=is_stopped,
              eventually=True, fix=f"see that the limits are configured; {STANDING}")  # fmt: skip
    consumer = "smoke2.consumer"
    attach_consumer(probe, consumer, queue)
    for left in range(number, -1, -1):
        delivery = probe.ask("take", consumer, expected="a Delivery, or None once all are taken",
                             check=partial(is_handed_out, left=left),
                             fix="hand out a waiting message, in any order, and each message once")  # fmt: skip
        if delivery is None:
            break
        acknowledge(probe, consumer, delivery.message_id)
    holds(probe, queue, Depth(0, 0))
    probe.ask("standing", producer, expected="a Standing that is not stopped: there is space again", check=is_free,
              eventually=True, fix="see that acknowledge frees the space, and that the client hears of it")  # fmt: skip
    end(probe)


def is_handed_out(told: object, left: int) -> bool:
    """Whether the answer to `take` is right while up to `left` messages may be left."""
    return told is None or (isinstance(told, Delivery) and left > 0)


def stop(probe: Probe) -> None:
    """Stop the adapter twice."""
    probe.ask("stop", fix="end what start began, so that no process, thread or file is left")
    probe.ask("stop", fix="let a second call do nothing")


def end(probe: Probe) -> None:
    """End the scenario."""
    probe.ask("end_scenario", fix="close every producer, consumer and connection, and delete every destination")


def attach_consumer(probe: Probe, consumer: str, queue: str) -> None:
    """Attach a consumer on its own connection."""
    probe.ask("open_consumer", consumer, f"{consumer}-connection", queue,
              fix="attach a consumer that gets no message before take is called")  # fmt: skip


def send(probe: Probe, producer: str, message: str) -> None:
    """Send one message for which there is room."""
    probe.ask("send", producer, message, size_for(probe.adapter.parameters), expected="Outcome.ACCEPTED",
              check=lambda told: told is Outcome.ACCEPTED,
              fix="send one message that is charged exactly this size, wait for the answer, and return it")  # fmt: skip


def take(probe: Probe, consumer: str, message: str, queue: str) -> None:
    """Take a waiting message."""
    wanted = Delivery(message, queue)
    probe.ask("take", consumer, expected=shown(wanted), check=lambda told: told == wanted, eventually=True,
              fix="hand out the message with the id that send was given: carry the id in the message")  # fmt: skip


def acknowledge(probe: Probe, consumer: str, message: str) -> None:
    """Acknowledge a message that was handed out."""
    probe.ask("acknowledge", consumer, message, fix="acknowledge the message that was handed out with this id")


def holds(probe: Probe, queue: str, depth: Depth) -> None:
    """Wait until the destination holds this."""
    probe.ask("depth", queue, expected=shown(depth), check=lambda told: told == depth, eventually=True, fix=DEPTH)


def is_free(told: object) -> bool:
    """Whether the answer is the standing of a producer that may send."""
    return isinstance(told, Standing) and not told.stopped


def is_stopped(told: object) -> bool:
    """Whether the answer is the standing of a stopped producer."""
    return isinstance(told, Standing) and told.stopped


def is_outcome(told: object) -> bool:
    """Whether the answer is an outcome of the contract."""
    return isinstance(told, Outcome)
