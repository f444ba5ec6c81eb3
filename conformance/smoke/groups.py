"""The walk through the optional groups that an adapter claims, each in its own scenario."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from tidegate.adapters.base import Adapter, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Settlement, Usage
from tidegate.conformance.smoke.probe import Probe
from tidegate.conformance.smoke.verbs import (
    attach,
    attach_consumer,
    end,
    holds,
    is_free,
    is_outcome,
    is_stopped,
    limits_for,
    send,
    size_for,
    take,
)

PLENTY = 1 << 30
"""A limit in bytes that no message here reaches."""


def walks(adapter: Adapter) -> Iterator[Callable[[Probe], None]]:
    """A walk for each claimed group that has one; it raises NotAsExpected at the first unexpected answer."""
    for capability in sorted(adapter.capabilities & WALKS.keys()):
        yield partial(_walk, capability)


def _walk(capability: str, probe: Probe) -> None:
    probe.about = frozenset({capability})
    WALKS[capability](probe, f"smoke-{capability}")
    end(probe)


def _limits_readable(probe: Probe, scenario: str) -> None:
    queue, _ = attach(probe, scenario)
    wanted = limits_for(probe.adapter).limit_bytes
    probe.ask("limits_in_force", queue, expected=f"Limits with limit_bytes={wanted}",
              check=lambda told: isinstance(told, Limits) and told.limit_bytes == wanted,
              fix="read the limits in force through management, in the units of declare")  # fmt: skip


def _default_limits(probe: Probe, scenario: str) -> None:
    probe.ask("declare_defaults", limits_for(probe.adapter),
              fix="configure these limits for each destination declared from now on without limits")  # fmt: skip
    probe.ask("declare", f"{scenario}.queue", Limits(), fix="create a destination without limits of its own")


def _pattern_limits(probe: Probe, scenario: str) -> None:
    probe.ask("declare_pattern", f"{scenario}.", limits_for(probe.adapter),
              fix="configure these limits for each destination with this prefix and without limits")  # fmt: skip
    probe.ask("declare", f"{scenario}.queue", Limits(), fix="create a destination without limits of its own")


def _changed_patterns(probe: Probe, scenario: str) -> None:
    _pattern_limits(probe, scenario)
    wider = replace(limits_for(probe.adapter), limit_bytes=PLENTY)
    probe.ask("change_pattern", f"{scenario}.", wider,
              fix="replace the limits of this prefix, also for destinations that are there already")  # fmt: skip


def _file_limits(probe: Probe, scenario: str) -> None:
    probe.ask("start_with_limits", f"{scenario}.queue", limits_for(probe.adapter),
              fix="write these limits into the file that the broker reads when it starts, and start it")  # fmt: skip
    probe.ask("declare", f"{scenario}.queue", Limits(), fix="create a destination without limits of its own")


def _shared_limits(probe: Probe, scenario: str) -> None:
    probe.ask("declare_shared", limits_for(probe.adapter),
              fix="configure these limits for what all destinations hold together")  # fmt: skip
    probe.ask("declare", f"{scenario}.queue", Limits(), fix="create a destination without limits of its own")


def _usage_limits(probe: Probe, scenario: str) -> None:
    probe.ask("declare_usage", Usage(memory_bytes=PLENTY), fix="configure each option that is not None")
    attach(probe, scenario)


def _changed_limits(probe: Probe, scenario: str) -> None:
    queue, producer = attach(probe, scenario)
    wider = replace(limits_for(probe.adapter), limit_bytes=PLENTY, resume_bytes=PLENTY)
    probe.ask("change_limits", queue, wider, fix="replace the limits of the destination by these limits")
    for number in range(1, 5):
        send(probe, producer, f"{scenario}.m{number}")


def _purge(probe: Probe, scenario: str) -> None:
    queue, producer = attach(probe, scenario)
    send(probe, producer, f"{scenario}.m1")
    holds(probe, queue, Depth(size_for(probe.adapter.parameters), 1))
    probe.ask("purge", queue, fix="remove every waiting message, through management")
    holds(probe, queue, Depth(0, 0))


def _topics(probe: Probe, scenario: str) -> None:
    topic = f"{scenario}.topic"
    probe.ask("declare_topic", topic, limits_for(probe.adapter),
              fix="create a topic with one subscription, from which the consumers of this name take")  # fmt: skip
    probe.ask("open_producer", f"{scenario}.producer", f"{scenario}.connection", (topic,),
              fix="attach a producer to a topic as to a queue")  # fmt: skip
    attach_consumer(probe, f"{scenario}.consumer", topic)
    send(probe, f"{scenario}.producer", f"{scenario}.m1")
    take(probe, f"{scenario}.consumer", f"{scenario}.m1", topic)


def _anonymous_producers(probe: Probe, scenario: str) -> None:
    queue, _ = attach(probe, scenario)
    producer = f"{scenario}.anonymous"
    probe.ask("open_anonymous_producer", producer, f"{producer}-connection",
              fix="attach a producer that is bound to no destination")  # fmt: skip
    probe.ask("send_to", producer, queue, f"{scenario}.m1", size_for(probe.adapter.parameters),
              expected="Outcome.ACCEPTED", check=lambda told: told is Outcome.ACCEPTED,
              fix="send one message to the named destination, and return its outcome")  # fmt: skip


def _transactions(probe: Probe, scenario: str) -> None:
    queue, _ = attach(probe, scenario)
    producer, size = f"{scenario}.transacted", size_for(probe.adapter.parameters)
    probe.ask("open_producer", producer, f"{producer}-connection", (queue,), ProducerOptions(transacted=True),
              fix="attach a producer whose messages count from its commit on")  # fmt: skip
    for number, verb, expected, answers in (
        (1, "commit", "Outcome.ACCEPTED", (Outcome.ACCEPTED,)),
        (2, "rollback", "None", (None,)),
    ):
        probe.ask("send", producer, f"{scenario}.m{number}", size, expected="Outcome.UNSETTLED",
                  check=lambda told: told is Outcome.UNSETTLED,
                  fix="a message of an open transaction is UNSETTLED until the transaction ends")  # fmt: skip
        probe.ask(verb, producer, expected=expected, check=answers.__contains__,
                  fix=f"{verb} the open transaction, and begin the next")  # fmt: skip
    holds(probe, queue, Depth(size, 1))


def _late_answers(probe: Probe, scenario: str) -> None:
    _, producer = attach(probe, scenario)
    probe.ask("settlements", producer, expected="no Settlement: every send was answered at once",
              check=lambda told: isinstance(told, Sequence) and not told,
              fix=f"answer a list of {Settlement.__name__}: all since the last call")  # fmt: skip


def _close_clients(probe: Probe, scenario: str) -> None:
    queue, producer = attach(probe, scenario)
    first, second = f"{scenario}.first", f"{scenario}.second"
    send(probe, producer, f"{scenario}.m1")
    attach_consumer(probe, first, queue)
    take(probe, first, f"{scenario}.m1", queue)
    probe.ask("close_consumer", first, fix="detach the consumer; its unacknowledged messages go back")
    attach_consumer(probe, second, queue)
    take(probe, second, f"{scenario}.m1", queue)
    probe.ask("close_producer", producer, fix="detach the producer as its client normally does")


def _kill_clients(probe: Probe, scenario: str) -> None:
    queue, _ = attach(probe, scenario)
    probe.ask("kill", f"{scenario}.connection", fix="drop the connection of that name without notice to the broker")
    probe.ask("depth", queue, expected="a Depth: the broker lives on", check=lambda told: isinstance(told, Depth),
              fix="end the client only")  # fmt: skip


def _restarts_broker(probe: Probe, scenario: str) -> None:
    probe.ask("keep_data", fix="keep the broker's settings and messages on disk from now on")
    queue, producer = attach(probe, scenario)
    send(probe, producer, f"{scenario}.m1")
    probe.ask("restart_broker", fix="kill the broker's process, and start it with the same data and settings")
    probe.ask("depth", queue, expected="a Depth of 1 message", check=lambda told: told.messages == 1,
              fix="send messages that survive a restart")  # fmt: skip


def _orders_by_priority(probe: Probe, scenario: str) -> None:
    probe.ask("order_by_priority", fix="hand out messages of a higher priority first, and send with priorities 0 to 9")
    queue, producer = attach(probe, scenario)
    for number in (1, 2):
        send(probe, producer, f"{scenario}.m{number}")
    consumer = f"{scenario}.consumer"
    attach_consumer(probe, consumer, queue)
    take(probe, consumer, f"{scenario}.m2", queue)


def _pauses_broker(probe: Probe, scenario: str) -> None:
    queue, producer = attach(probe, scenario)
    probe.ask("pause_broker", fix="halt the broker's process, as SIGSTOP does")
    probe.ask("unpause_broker", fix="let it go on, as SIGCONT does")
    send(probe, producer, f"{scenario}.m1")
    holds(probe, queue, Depth(size_for(probe.adapter.parameters), 1))


def _cuts_connections(probe: Probe, scenario: str) -> None:
    queue, line, producer = f"{scenario}.queue", f"{scenario}.connection", f"{scenario}.producer"
    probe.ask("declare", queue, limits_for(probe.adapter), fix="create a destination with these limits configured")
    probe.ask("make_cuttable", line, fix="lead this connection through a proxy that can stall and cut it")
    probe.ask("open_producer", producer, line, (queue,), fix="attach the producer through the proxy")
    probe.ask("stall", line, fix="let no byte pass")
    probe.ask("unstall", line, fix="let bytes pass again")
    probe.ask("cut_in_send", producer, f"{scenario}.m1", size_for(probe.adapter.parameters), True,
              expected="Outcome.UNSETTLED", check=lambda told: told is Outcome.UNSETTLED,
              fix="cut the connection after the message and before the answer")  # fmt: skip


def _management_block(probe: Probe, scenario: str) -> None:
    queue, producer = attach(probe, scenario)
    probe.ask("block", queue, fix="order the producers of the destination to stop, through management")
    probe.ask("standing", producer, expected="a Standing that is stopped, or uses up the credit that is left",
              check=lambda told: is_stopped(told) or bool(told.credit_left), eventually=True,
              fix="let standing show an order by management too")  # fmt: skip
    probe.ask("unblock", queue, fix="lift that order")
    probe.ask("standing", producer, expected="a Standing that is not stopped", check=is_free, eventually=True,
              fix="let standing show that the order was lifted")  # fmt: skip


def _log(probe: Probe, scenario: str) -> None:
    attach(probe, scenario)
    probe.ask("log_lines", expected="a list of lines",
              check=lambda told: isinstance(told, list) and all(isinstance(line, str) for line in told),
              fix="answer the lines written since the last call, without line ends")  # fmt: skip


def _several_queues(probe: Probe, scenario: str) -> None:
    limits, queues = limits_for(probe.adapter), (f"{scenario}.one", f"{scenario}.two")
    for queue in queues:
        probe.ask("declare", queue, limits, fix="create the destination, with these limits configured")
    probe.ask("open_producer", f"{scenario}.producer", f"{scenario}.connection", queues,
              fix="attach a producer that sends each message to all the destinations")  # fmt: skip
    send(probe, f"{scenario}.producer", f"{scenario}.m1")
    for queue in queues:
        holds(probe, queue, Depth(size_for(probe.adapter.parameters), 1))


def _asynchronous_sends(probe: Probe, scenario: str) -> None:
    queue, _ = attach(probe, scenario)
    producer = f"{scenario}.asynchronous"
    probe.ask("open_producer", producer, f"{producer}-connection", (queue,), ProducerOptions(asynchronous=True),
              fix="attach a producer that does not wait for answers")  # fmt: skip
    probe.ask("send", producer, f"{scenario}.m1", size_for(probe.adapter.parameters), check=is_outcome,
              expected="an Outcome: SENT while there is no answer",
              fix="return SENT once the message is handed over")  # fmt: skip


WALKS: Mapping[str, Callable[[Probe, str], None]] = {
    "several-queues": _several_queues,
    "asynchronous-sends": _asynchronous_sends,
    "limits-readable": _limits_readable,
    "default-limits": _default_limits,
    "pattern-limits": _pattern_limits,
    "changed-patterns": _changed_patterns,
    "file-limits": _file_limits,
    "shared-limits": _shared_limits,
    "usage-limits": _usage_limits,
    "changed-limits": _changed_limits,
    "purge": _purge,
    "topics": _topics,
    "anonymous-producers": _anonymous_producers,
    "transactions": _transactions,
    "late-answers": _late_answers,
    "close-clients": _close_clients,
    "kill-clients": _kill_clients,
    "restarts-broker": _restarts_broker,
    "pauses-broker": _pauses_broker,
    "priority-queues": _orders_by_priority,
    "cuts-connections": _cuts_connections,
    "management-block": _management_block,
    "qpid-log": _log,
    "artemis-log": _log,
    "classic-log": _log,
}
"""The walk through the verbs of each capability."""
