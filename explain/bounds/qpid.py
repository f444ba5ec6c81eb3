"""How far producers can fill a queue of the Qpid Java broker: by its levels, and by the policy of QPID-942."""

from dataclasses import dataclass, replace

from tidegate.explain.bounds.answers import no_bound, of_each_producer, of_messages
from tidegate.explain.bounds.levels import fitting, last_level, least
from tidegate.explain.vocabulary import Bound, Traffic
from tidegate.explain.witness import Course
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid, qpid942
from tidegate.model.mechanisms.policy import queue_policy
from tidegate.model.mechanisms.queue_gate import queue_gate


@dataclass(frozen=True)
class Gate:
    """A Qpid queue with its levels in force, in bytes and in messages (None: no limit in messages)."""

    queue: qpid.Queue
    messages: qpid.Queue | None = None
    model: Linker = DOCUMENTED

    @property
    def limit(self) -> int:
        """The limit, in bytes, that is varied to meet a target."""
        return self.queue.capacity

    def with_limit(self, limit: int) -> "Gate":
        """The same with another capacity, and the resume level in the same proportion."""
        old = self.queue
        resume = old.resume if old.capacity <= 0 or old.resume < 0 else old.resume * limit // old.capacity
        return replace(self, queue=replace(old, capacity=limit, resume=resume))

    def open_until(self, queue: qpid.Queue) -> int | None:
        """The highest level at which the queue holds no producer, or releases held producers; None for no limit."""
        overfull, underfull = self.model.linked(qpid.overfull), self.model.linked(qpid.underfull)
        open_level = last_level(lambda level: not overfull(replace(queue, bytes=level)))
        lets_go = last_level(lambda level: underfull(replace(queue, bytes=level)))
        return None if open_level is None or lets_go is None else max(open_level, lets_go)

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the queue, up to the limit in bytes or in messages that is reached first."""
        by_bytes = fitting(self.open_until(self.queue), traffic.size)
        by_messages = None if self.messages is None else self.open_until(self.messages)
        until = least(by_bytes, by_messages)
        counted = self.messages if until is not None and until == by_messages else None
        levels = counted or self.queue
        settings = qpid.Limits(levels.capacity, levels.resume)
        return Course(queue_gate(self.model), settings, until or 0, in_messages=counted is not None)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T5, EB-T6: a message beyond the open levels blocks its sender, and each of N producers can be blocked
        once."""
        by_bytes = fitting(self.open_until(self.queue), traffic.size)
        by_messages = None if self.messages is None else self.open_until(self.messages)
        until = least(by_bytes, by_messages)
        if until is None:
            return no_bound("the queue has no limit", ("QPID-QUEUE-3",), traffic)
        past = (
            "the crossing message goes past the limit"
            if traffic.producers == 1
            else f"one message from {of_each_producer(traffic)} goes past the limit, the crossing message among them"
        )
        because = f"{past}: a producer is stopped by its own message"
        proved = ("EB-T5", "EB-T6")
        return of_messages(until + traffic.producers, traffic, because, ("QPID-QUEUE-8", "QPID-QUEUE-12"), proved)


@dataclass(frozen=True)
class Policy:
    """A queue with the policy of QPID-942, whose producers are blocked beyond a limit in bytes."""

    limit: int
    model: Linker = DOCUMENTED

    def with_limit(self, limit: int) -> "Policy":
        """The same with another limit in bytes."""
        return replace(self, limit=limit)

    def open_messages(self, traffic: Traffic) -> int | None:
        """The most messages that do not violate the policy; None for no limit."""
        violated = self.model.linked(qpid942.violated)
        policy = qpid942.Policy(self.limit, qpid942.NOT_SET)
        return fitting(last_level(lambda level: not violated(policy, level, 0)), traffic.size)

    def course(self, traffic: Traffic) -> Course:
        """The course of filling the queue."""
        policy = qpid942.Policy(self.limit, qpid942.NOT_SET)
        return Course(queue_policy(self.model), policy, self.open_messages(traffic) or 0)

    def bound(self, traffic: Traffic) -> Bound:
        """EB-T13, EB-T14: a message beyond the policy blocks its sender, and each of N producers can be blocked
        once."""
        until = self.open_messages(traffic)
        if until is None:
            return no_bound("the queue has no policy", ("QPID-POLICY-5",), traffic)
        because = f"one message from {of_each_producer(traffic)} past the policy"
        return of_messages(until + traffic.producers, traffic, because, ("QPID-POLICY-1",), ("EB-T13", "EB-T14"))
