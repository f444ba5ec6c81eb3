"""Implementations that each break one promise: the reference with one fault."""

from dataclasses import replace

from tidegate.adapters.base import AdapterError, Delivery, Limits, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis, qpid


class StopsAtTheCapacity(QpidReference):
    """Treats a queue as overfull as soon as it holds its capacity."""

    def declare(self, destination: str, limits: Limits) -> None:
        one_less = None if not limits.limit_bytes else limits.limit_bytes - 1
        super().declare(destination, replace(limits, limit_bytes=one_less))


class ReleasesAtTheResumeLevel(QpidReference):
    """Treats a queue as underfull as soon as it holds its resume level."""

    def declare(self, destination: str, limits: Limits) -> None:
        one_more = None if limits.resume_bytes is None else limits.resume_bytes + 1
        super().declare(destination, replace(limits, resume_bytes=one_more))


class StopsEverybodyWhereALimitIsLowered(QpidReference):
    """Stops every producer of a queue whose limit is lowered below its level, even producers that send nothing."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        super().change_limits(destination, limits)
        queue = qpid.QueueName(destination)
        if qpid.overfull(self._state.queues[queue]):
            holds = {channel: {**held, queue: True} for channel, held in self._state.holds.items()}
            self._state = replace(self._state, holds=holds)


class ForgetsTheResumeLevel(QpidReference):
    """Releases below the capacity, whatever the resume level."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, resume_bytes=None))


class LimitsWhereThereIsNone(QpidReference):
    """Treats a capacity of 0 as one of 10 MiB."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, limit_bytes=limits.limit_bytes or 10485760))


class ForgetsItsVirtualHost(QpidReference):
    """Ignores the limits that a virtual host sets for its queues."""

    def declare_defaults(self, limits: Limits) -> None:
        super().declare_defaults(Limits())


class LetsTheSecondSenderPast(QpidReference):
    """Stops the producer that crosses the capacity, and no producer that sends afterwards."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        was_overfull = any(qpid.overfull(queue) for queue in self._state.queues.values())
        outcome = super().send(producer, message_id, size_bytes)
        if was_overfull and outcome is Outcome.ACCEPTED:
            self._set_free(producer)
        return outcome

    def _set_free(self, producer: str) -> None:
        channel = qpid.ChannelName(producer)
        nothing = dict.fromkeys(self._state.queues, False)
        self._state = replace(self._state, holds={**self._state.holds, channel: nothing})


class RefusesTheCrossingMessage(QpidReference):
    """Refuses a message that would take a queue past its capacity, instead of storing it."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        for name in self._routes[producer]:
            queue = self._state.queues[qpid.QueueName(name)]
            if qpid.overfull(replace(queue, bytes=queue.bytes + size_bytes)):
                return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class StopsEverybody(QpidReference):
    """Stops every producer for an overfull queue, not only producers that send to it."""

    def standing(self, producer: str) -> Standing:
        return Standing(any(qpid.stopped(self._state, channel) for channel in self._state.holds))


class ReleasesWhenTheFirstCauseClears(QpidReference):
    """Releases a channel as soon as one of the queues that block it is underfull."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state
        super().acknowledge(consumer, message_id)
        let_go = {
            channel: dict.fromkeys(held, False) if before.holds[channel] != held else held
            for channel, held in self._state.holds.items()
        }
        self._state = replace(self._state, holds=let_go)


class LogsStopsOnce(QpidReference):
    """Logs the first channel that a queue stops, and no other."""

    def log_lines(self) -> list[str]:
        lines = super().log_lines()
        stops = [line for line in lines if "CHN-1005" in line]
        return [line for line in lines if line not in stops[1:]]


class DeliversTwice(QpidReference):
    """Hands out every message once more after it was acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self._once_more: dict[str, str] = {}

    def take(self, consumer: str) -> Delivery | None:
        again = self._once_more.get(consumer)
        if again is None:
            return super().take(consumer)
        return Delivery(again, self._storage.destination_of(consumer))

    def acknowledge(self, consumer: str, message_id: str) -> None:
        if self._once_more.pop(consumer, None) is None:
            super().acknowledge(consumer, message_id)
            self._once_more[consumer] = message_id


class DiesAtMessagesOf500Bytes(QpidReference):
    """Ends when a message of 500 bytes is sent, and stays down until it is started again."""

    def __init__(self) -> None:
        super().__init__()
        self._dead = False

    def start(self) -> None:
        self._dead = False
        super().start()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._dead = self._dead or size_bytes == 500
        if self._dead:
            raise AdapterError("the broker is gone")
        return super().send(producer, message_id, size_bytes)

    def end_scenario(self) -> None:
        if self._dead:
            raise AdapterError("the broker is gone")
        super().end_scenario()


class FullOnlyAboveTheMaximum(ArtemisReference):
    """Treats an address as full only when it holds more than its maximum size."""

    def declare(self, destination: str, limits: Limits) -> None:
        one_more = None if limits.limit_bytes is None else limits.limit_bytes + 1
        super().declare(destination, replace(limits, limit_bytes=one_more))


class RefillsOneCreditLate(ArtemisReference):
    """Refills one credit below the low mark."""

    def declare(self, destination: str, limits: Limits) -> None:
        late = None if limits.credit_low is None else limits.credit_low - 1
        super().declare(destination, replace(limits, credit_low=late))


class FullOneByteEarly(ArtemisReference):
    """Treats an address as full one byte below its maximum size."""

    def declare(self, destination: str, limits: Limits) -> None:
        one_less = None if limits.limit_bytes is None else limits.limit_bytes - 1
        super().declare(destination, replace(limits, limit_bytes=one_less))


class RefillsOneCreditEarly(ArtemisReference):
    """Refills one credit above the low mark."""

    def declare(self, destination: str, limits: Limits) -> None:
        early = None if limits.credit_low is None else limits.credit_low + 1
        super().declare(destination, replace(limits, credit_low=early))


class TakesNoCreditForSmallMessages(ArtemisReference):
    """Takes a credit only for messages of 100 bytes or more."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.ACCEPTED and size_bytes < 100:
            destination, name = self._target[producer], artemis.ProducerName(producer)
            address = self._addresses[destination]
            one_more = {**address.credits, name: address.credits[name] + 1}
            self._become(destination, replace(address, credits=one_more))
        return outcome


class IssuesAThousand(ArtemisReference):
    """Issues 1000 credits if nothing is configured."""

    def declare(self, destination: str, limits: Limits) -> None:
        unconfigured = limits.credit is None
        super().declare(destination, replace(limits, credit=1000, credit_low=300) if unconfigured else limits)


class PagesByDefault(ArtemisReference):
    """Has no maximum size and pages if nothing is configured."""

    def declare(self, destination: str, limits: Limits) -> None:
        unconfigured = limits.limit_bytes is None
        super().declare(destination, replace(limits, limit_bytes=-1, policy="PAGE") if unconfigured else limits)


class BlocksUnderEveryPolicy(ArtemisReference):
    """Stops producers whatever the policy."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, policy="BLOCK"))


class KeepsItsPolicy(ArtemisReference):
    """Ignores changes of a policy."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        kept = self.limits_in_force(destination).policy
        super().change_limits(destination, replace(limits, policy=kept))


class KeepsItsRejectThreshold(ArtemisReference):
    """Ignores changes of a reject threshold."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        kept = self.limits_in_force(destination).reject_bytes
        super().change_limits(destination, replace(limits, reject_bytes=kept))


class TakesNoCreditForRejectedMessages(ArtemisReference):
    """Gives back the credit of a message that it rejects."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        destination, name = self._target[producer], artemis.ProducerName(producer)
        address = self._addresses[destination]
        if outcome is Outcome.REJECTED:
            given_back = {**address.credits, name: address.credits[name] + 1}
            self._addresses[destination] = replace(address, credits=given_back)
        return outcome


class ChargesCreditByTheByte(ArtemisReference):
    """Takes a credit for every 100 bytes."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        destination = self._target[producer]
        address = self._addresses[destination]
        left = max(address.credits[artemis.ProducerName(producer)] - size_bytes // 100, 0)
        credits_left = {**address.credits, artemis.ProducerName(producer): left}
        self._addresses[destination] = replace(address, credits=credits_left)
        return outcome


class IssuesCreditWhileFull(ArtemisReference):
    """Refills every producer at the low mark, even if the address is full, but gives new producers no credit."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        destination, name = self._target[producer], artemis.ProducerName(producer)
        address = self._addresses[destination]
        if address.credits[name] <= address.window.low:
            self._issued[producer] += address.window.size - address.credits[name]
            refilled = {**address.credits, name: address.window.size}
            self._addresses[destination] = replace(address, credits=refilled)
        return outcome


class NeverIssuesAgain(ArtemisReference):
    """Does not issue credit when space is freed."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        self._addresses[destination] = artemis.after_removal(self._addresses[destination], size_bytes)


class RejectsOneByteLate(ArtemisReference):
    """Rejects only when the address holds more than its reject threshold."""

    def declare(self, destination: str, limits: Limits) -> None:
        late = None if limits.reject_bytes is None or limits.reject_bytes < 0 else limits.reject_bytes + 1
        super().declare(destination, replace(limits, reject_bytes=late))


class NeverRejects(ArtemisReference):
    """Ignores the reject threshold."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, reject_bytes=-1))


class RejectsAlways(ArtemisReference):
    """Treats a reject threshold of -1 as the maximum size."""

    def declare(self, destination: str, limits: Limits) -> None:
        threshold = limits.limit_bytes if limits.reject_bytes == -1 else limits.reject_bytes
        super().declare(destination, replace(limits, reject_bytes=threshold))

    def limits_in_force(self, destination: str) -> Limits:
        return replace(super().limits_in_force(destination), reject_bytes=0)


class TakesMinusOneForALevel(ArtemisReference):
    """Treats a reject threshold of -1 as a level that every address has reached."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(
            destination, replace(limits, reject_bytes=0 if limits.reject_bytes == -1 else limits.reject_bytes)
        )


class RejectsFromHalfTheThresholdOn(ArtemisReference):
    """Rejects messages at half of the reject threshold or above."""

    def declare(self, destination: str, limits: Limits) -> None:
        half = None if limits.reject_bytes is None or limits.reject_bytes < 0 else limits.reject_bytes // 2
        super().declare(destination, replace(limits, reject_bytes=half))


class RejectsWhatIsFull(ArtemisReference):
    """Rejects messages to a full address although their producers have credit."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        address = self._addresses[self._target[producer]]
        if artemis.full(address.limits, address.bytes):
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class StoresWhatItRejects(ArtemisReference):
    """Tells the producer that a message was rejected, and delivers it nevertheless."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.BLOCKED:
            self._storage.store(self._target[producer], message_id, size_bytes)
        return outcome
