"""The optional groups of the adapter contract: verbs that an adapter offers with a capability of the same name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from tidegate.adapters.base import Adapter, Call, Limits, Outcome
from tidegate.record.report import Recording, ScriptTemplate


@dataclass(frozen=True)
class Settlement:
    """The outcome of a message that was unsettled when its send was answered."""

    message_id: str
    outcome: Outcome
    reason: str = ""
    """The exception that the client raised, class first, if the message was refused."""


@dataclass(frozen=True)
class Usage:
    """Limits that all destinations share, and how a send that finds no space fails. No field is -1 or 0."""

    memory_bytes: int | None = None
    """Limit for messages in memory (`memory-limit`), or the size of the memory (`memory-ratio`)."""
    store_bytes: int | None = None
    """Limit for persistent messages on disk (`persistent-messages`)."""
    temp_bytes: int | None = None
    """Limit for non-persistent messages on disk (`file-cursor`)."""
    fail_at_once: bool | None = None
    """Whether a send that finds no space fails instead of waiting (`memory-limit`)."""
    fail_after_ms: int | None = None
    """How long a send that finds no space waits before it fails (`memory-limit`)."""
    quota_bytes: int | None = None
    """Upper level of the disk that a virtual host's store takes (`disk-quota`)."""
    quota_resume_bytes: int | None = None
    """Lower level of the disk that a virtual host's store takes (`disk-quota`)."""
    block_percent: int | None = None
    """Per cent of `memory_bytes` that must be free; with less, producers are stopped (`memory-ratio`)."""
    resume_percent: int | None = None
    """Per cent of `memory_bytes`; once more than this is free, stopped producers are released (`memory-ratio`)."""
    connection_messages: int | None = None
    """Messages from one connection; with more, the connection's producers are stopped (`connection-count`)."""


@dataclass(frozen=True)
class Traffic:
    """The counts of a destination's messages that management shows, since its creation. None: no such count."""

    came: int | None = None
    """Messages that the destination took. A message that a consumer gives back does not count again."""
    left: int | None = None
    """Messages that left the destination: acknowledged, expired, refused for good, or removed by management."""
    in_hand: int | None = None
    """Unsettled messages that were sent to consumers, buffered by their clients or handed out."""
    expired: int | None = None
    """Messages that left because their time was over (`counts-expired`)."""
    held_bytes: int | None = None
    """Bytes of all messages that it holds, which may differ from the charged bytes (`counts-bytes`)."""
    came_bytes: int | None = None
    """Bytes of the messages that came (`counts-bytes`)."""
    left_bytes: int | None = None
    """Bytes of the messages that left (`counts-bytes`)."""
    in_hand_bytes: int | None = None
    """Bytes of the messages that consumers were sent (`counts-bytes`)."""
    expired_bytes: int | None = None
    """Bytes of the messages that expired (`counts-bytes`)."""


@dataclass(frozen=True)
class Created:
    """A destination whose name the implementation chose."""

    name: str
    """The name, unique in a run."""


@dataclass(frozen=True)
class ClientState:
    """The state of a producer's client."""

    connected: bool
    """Whether its connection is open."""
    session_open: bool
    """Whether its session can be used."""
    in_transaction: bool = False
    """Whether the producer's open transaction, with the messages sent in it, can still be committed or rolled back."""


@dataclass(frozen=True)
class ConsumerOptions:
    """The window and the rate of a consumer."""

    window_bytes: int | None = None
    """The bytes that its client buffers ahead (`consumer-window`). -1: no limit. 0: nothing is buffered."""
    rate: int | None = None
    """The most messages that it is handed in a second (`consumer-rate`). -1: no limit. 0: no limit, or not a single
    message (ARTEMIS-RATE-11 allows both)."""

    @property
    def is_rated(self) -> bool:
        """Whether its client limits the rate."""
        return self.rate is not None and self.rate > 0


@runtime_checkable
class ReadsLimits(Protocol):
    """The group `limits-readable`: the limits in force can be read through management."""

    def limits_in_force(self, destination: str) -> Limits:
        """The limits in force at the destination, configured or by default; None for a limit that cannot be read."""


@runtime_checkable
class SetsDefaultLimits(Protocol):
    """The group `default-limits`: limits for every destination that sets none of its own."""

    def declare_defaults(self, limits: Limits) -> None:
        """Configure default limits for the destinations of this scenario that are declared afterwards."""


@runtime_checkable
class SetsLimitsByPattern(Protocol):
    """The group `pattern-limits`: limits for every destination whose name matches a pattern."""

    def declare_pattern(self, beginning: str, limits: Limits) -> None:
        """Configure limits for the destinations of this scenario that are declared afterwards and match the pattern.

        The pattern matches names that begin with `beginning`, which ends with a dot. A destination's own limits
        override these, and these override any default.
        """


@runtime_checkable
class ChangesLimitsByPattern(Protocol):
    """The group `changed-patterns`: the limits of a pattern can be changed while destinations match it."""

    def change_pattern(self, beginning: str, limits: Limits) -> None:
        """Replace the limits of a pattern that `declare_pattern` configured (`pattern-limits`) by these.

        They are in force for each declared destination that matches, and for later ones. The cursor is None here.
        """


@runtime_checkable
class SetsLimitsByFile(Protocol):
    """The group `file-limits`: the broker reads a destination's limits from a file when it starts."""

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        """Start with a file of these limits, before anything is declared; it holds until the scenario ends.

        `destination` is declared afterwards. The adapter may start a broker process of its own.
        """


@runtime_checkable
class SharesLimits(Protocol):
    """The group `shared-limits`: a limit on all destinations together stops producers, as a destination's own does."""

    def declare_shared(self, limits: Limits) -> None:
        """Configure `limit_bytes` and `limit_messages` for all destinations together, before anything is declared.

        At that limit, `policy` applies to destinations without a policy of their own (`address-limit`); None: stop
        producers. The limits hold until the scenario ends. The adapter may start a broker process of its own.
        """


@runtime_checkable
class SetsUsage(Protocol):
    """The group `usage-limits`: limits that all destinations share."""

    def declare_usage(self, usage: Usage) -> None:
        """Configure shared limits for this scenario; called before anything is declared."""


@runtime_checkable
class ChangesUsage(Protocol):
    """The group `changed-usage`: management can change limits that all destinations share while they are reached."""

    def change_usage(self, usage: Usage) -> None:
        """Replace the limits in force by these; a field that is None keeps its limit."""


@runtime_checkable
class ReadsUsage(Protocol):
    """The group `usage-readable`: the limits that all destinations share can be read through management."""

    def usage_in_force(self) -> Usage:
        """The shared limits in force, configured or by default; None for a limit that cannot be read."""


@runtime_checkable
class ReadsTraffic(Protocol):
    """The group `traffic-readable`: management counts the messages that come to a destination and leave it."""

    def traffic(self, destination: str) -> Traffic:
        """The counts. `came`, `left` and `in_hand` are never None, unless the kind of destination lacks them."""


@runtime_checkable
class ShowsStops(Protocol):
    """The group `stops-shown`: management shows whether a producer is stopped."""

    def shown_stopped(self, producer: str) -> bool | None:
        """Whether management shows the producer as stopped; None if management shows nothing about the producer.

        The answer is the present state, not how often or for how long the producer was stopped.
        """


@runtime_checkable
class ShowsUsage(Protocol):
    """The group `usage-shown`: management shows the used percentage of a destination's limit in bytes."""

    def shown_percent(self, destination: str) -> int | None:
        """The whole percentage that management shows; None if management shows nothing about the destination.

        The rounding is open, and so is whether more than 100 is shown above the limit.
        """


@runtime_checkable
class MeasuresMemory(Protocol):
    """The group `memory-ratio`: producers are stopped by a ratio of the broker's memory, which can be measured."""

    def memory_used(self) -> int:
        """The used bytes of the broker's memory."""


@runtime_checkable
class FillsDisk(Protocol):
    """The group `full-disk`: the broker's data disk can be filled past the broker's limit for used space."""

    def use_small_disk(self) -> None:
        """Keep data on a small disk until the scenario ends. Called before any other verb.

        The adapter may start a broker process of its own. AdapterError if no such disk can be mounted on the machine.
        """

    def fill_disk(self) -> None:
        """Fill the disk past the limit that stops producers, and return once the broker can have seen that."""

    def free_disk(self) -> None:
        """Delete from the disk what `fill_disk` wrote."""


@runtime_checkable
class ChangesLimits(Protocol):
    """The group `changed-limits`: the limits of a destination in use can be changed."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        """Replace the limits of the destination by these; a limit that is None is removed.

        The cursor is not changed, and is None here. AdapterError if a limit cannot be removed.
        """


@runtime_checkable
class Purges(Protocol):
    """The group `purge`: management can remove all messages of a destination."""

    def purge(self, destination: str) -> None:
        """Remove every message that waits at the destination."""


@runtime_checkable
class MovesMessages(Protocol):
    """The group `moves-messages`: management can move the messages of a destination to another one."""

    def move(self, destination: str, to: str) -> None:
        """Move every message that waits at the destination to another declared destination."""


@runtime_checkable
class ListsMessages(Protocol):
    """The group `lists-messages`: management can list the messages of a destination."""

    def list_messages(self, destination: str) -> int:
        """List the waiting messages with bodies and properties; the answer is their number. Changes nothing."""


@runtime_checkable
class BrowsesMessages(Protocol):
    """The group `browsed-messages`: a client can look at the messages of a destination without taking any."""

    def browse(self, destination: str) -> int:
        """Have a client look at every waiting message; the answer is their number. Changes nothing."""


@runtime_checkable
class GivesMessagesUp(Protocol):
    """The group `dead-letters`: a consumer can refuse a message for good."""

    def give_up(self, consumer: str, message_id: str) -> None:
        """Refuse a message that was handed out: it leaves its destination, and is never delivered there again.

        The broker drops the message, or keeps it elsewhere with its dead letters.
        """


@runtime_checkable
class GivesMessagesBack(Protocol):
    """The group `returned-messages`: a consumer can give its messages back to the broker, and stay attached."""

    def give_back(self, consumer: str) -> None:
        """Give back all unacknowledged messages of a consumer, as a client does that rolls back.

        The messages wait at their destination again. The broker hands them out again, to any consumer.
        """


@runtime_checkable
class AcknowledgesTogether(Protocol):
    """The group `acknowledges-together`: one acknowledgement can be for several messages."""

    def acknowledge_all(self, consumer: str) -> None:
        """Acknowledge all messages that a consumer has in hand, at least one, by one act of its client."""


@runtime_checkable
class RecreatesDestinations(Protocol):
    """The group `recreated-destinations`: a destination can be deleted by management, and created again."""

    def recreate(self, destination: str, limits: Limits) -> None:
        """Delete a destination that `declare` created, with its messages, and create it anew as `declare` does.

        No producer and no consumer is attached to it.
        """


@runtime_checkable
class FiltersForConsumers(Protocol):
    """The group `filtering-consumers`: a consumer can ask only for messages that have a certain property."""

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a consumer that asks for messages with a property that no message has, and waits for one."""


@runtime_checkable
class SendsExpiring(Protocol):
    """The group `expiring-messages`: a message can have a time after which it is not delivered."""

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        """Send one message, as `send` does, that expires after `lives_ms`.

        An expired message may take space until a consumer asks for messages.
        """


@runtime_checkable
class DeclaresTopics(Protocol):
    """The group `topics`: a destination whose messages go to subscriptions."""

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """Create a topic with one subscription, which consumers of the destination take from."""


@runtime_checkable
class BindsSeveralQueues(Protocol):
    """The group `several-bindings`: each message to one destination goes to several queues."""

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Create a topic with one subscription, as `declare_topic` does, and more subscriptions of these names.

        The subscriptions in `before` are bound before the first one, with limits of their own where subscriptions can
        have limits. `after` is bound last, with no limit. Consumers and `depth` name each subscription as a
        destination of its own. If limits belong to the topic, the `depth` of each subscription has the bytes of the
        topic, and the messages of the subscription.
        """

    def unbind(self, destination: str, queue: str) -> None:
        """Delete one of the further queues of a destination, with the messages on the queue."""


@runtime_checkable
class BindsLater(Protocol):
    """The group `later-bindings`: queues can be bound to a destination in use (with `several-bindings`)."""

    def bind(self, destination: str, queue: str) -> None:
        """Bind one more queue, with no limit of its own, to a destination that `declare_bound` created."""


@runtime_checkable
class SubscribesTemporarily(Protocol):
    """The group `temporary-subscriptions`: a subscription can end with its consumer (with `several-bindings`)."""

    def subscribe(self, consumer: str, connection: str, destination: str) -> None:
        """Attach a consumer to a destination that `declare_bound` created, by a subscription with the consumer's name.

        The subscription gets each later message, and has no limit of its own. It is not durable: when the consumer is
        closed or its connection ends, the broker drops the subscription with its messages.
        """


@runtime_checkable
class SendsDelayed(Protocol):
    """The group `delayed-messages`: a message can have a time before which it is not delivered."""

    def send_delayed(self, producer: str, message_id: str, size_bytes: int, delay_ms: int) -> Outcome:
        """Send one message, as `send` does, that is handed to no consumer before `delay_ms` have passed.

        It takes space from the beginning, and `purge` removes it too.
        """


@runtime_checkable
class OrdersByPriority(Protocol):
    """The group `priority-queues`: queues can hand out messages of a higher priority first."""

    def order_by_priority(self) -> None:
        """Create queues that hand out messages of a higher priority first, and give the messages that are sent the
        priorities 0 to 9 in turn, until the scenario ends. Called before anything is declared."""


@runtime_checkable
class DeclaresTemporarily(Protocol):
    """The group `temporary-destinations`: a client can create a queue that ends with the client's connection."""

    def declare_temporary(self, connection: str, limits: Limits) -> Created:
        """Create a queue with these limits. Later verbs name it by the name in the answer.

        When the connection ends, the broker deletes the queue with its messages. Consumers are on this connection.
        """


@runtime_checkable
class SendsBursts(Protocol):
    """The group `bursts`: producers can send many messages in a row before the first answer."""

    def send_burst(self, producers: Sequence[str], message_ids: Sequence[str], size_bytes: int) -> Sequence[Outcome]:
        """Send these messages, the producers in turn, without waiting in between; then the outcome of each message.

        A producer that is stopped, or has no credit, passes its turn: the message is blocked, not queued to be sent.
        """


@runtime_checkable
class SendsAnonymously(Protocol):
    """The group `anonymous-producers`: a producer that names a destination with each message."""

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        """Attach an anonymous producer, in its own session or in a named one that others of its connection share."""

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        """Send one message, as `send` does, to this destination."""


@runtime_checkable
class Transacts(Protocol):
    """The group `transactions`: the messages of a transacted producer are unsettled until the transaction ends."""

    def commit(self, producer: str) -> Outcome:
        """Commit the transaction: accepted if all its messages were accepted, unsettled if the call still waits.

        Blocked, and nothing is committed, while a send of the producer waits.
        """

    def rollback(self, producer: str) -> None:
        """End the transaction without its messages."""


@runtime_checkable
class SettlesLate(Protocol):
    """The group `late-answers`: a send may wait for long, and its answer comes later."""

    def settlements(self, producer: str) -> Sequence[Settlement]:
        """Outcomes of unsettled messages since the last call, in order; also why other messages were refused."""


@runtime_checkable
class TellsOfClients(Protocol):
    """The group `client-wait`: clients let a stopped send wait for a configured time, and say so in their log."""

    def client_state(self, producer: str) -> ClientState:
        """The state of the producer's client."""

    def client_warnings(self, producer: str) -> Sequence[str]:
        """The log entries of the producer's client since the last call."""


@runtime_checkable
class BuffersAhead(Protocol):
    """The group `consumer-window`: consumers whose client buffers messages before they are taken."""

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        """Attach a consumer with its window or rate configured."""

    def buffered(self, consumer: str) -> int:
        """The number of messages that the consumer's client has buffered and not yet handed out."""


@runtime_checkable
class ClosesClients(Protocol):
    """The group `close-clients`: producers and consumers can be detached in the middle of a scenario."""

    def close_producer(self, producer: str) -> None:
        """Detach a producer in good order, as its client does."""

    def close_consumer(self, consumer: str) -> None:
        """Detach a consumer; messages that it did not acknowledge go back to the destination."""


@runtime_checkable
class KillsClients(Protocol):
    """The group `kill-clients`: a client can be killed without notice to the broker."""

    def kill(self, connection: str) -> None:
        """Drop the connection with all of its producers and consumers."""


@runtime_checkable
class ClosesByManagement(Protocol):
    """The group `management-close`: management can close a client's connection, and shows which connections exist."""

    def close_connection(self, connection: str) -> None:
        """Order the broker to close the connection. The client does nothing; the call does not wait for the close."""

    def has_connection(self, connection: str) -> bool:
        """Whether the broker still has this connection."""


@runtime_checkable
class BlocksByManagement(Protocol):
    """The groups `management-block` and `stop-and-start`: management can stop the producers of a destination."""

    def block(self, destination: str) -> None:
        """Stop all producers of the destination."""

    def unblock(self, destination: str) -> None:
        """Release the producers that `block` stopped."""


@runtime_checkable
class RestartsBroker(Protocol):
    """The group `restarts-broker`: the broker can be killed, and started again with the data on its disk."""

    def keep_data(self) -> None:
        """Store destinations, their limits and messages on disk until the scenario ends. Called before any other verb.

        All messages are sent as persistent ones from then on. The adapter may start a second broker for it.
        """

    def restart_broker(self) -> None:
        """Kill the broker's process, start it with the same data and settings, and return once it is ready.

        The kill ends every connection with its producers and consumers, and every send that waits.
        """


@runtime_checkable
class PausesBroker(Protocol):
    """The group `pauses-broker`: the broker can be halted for a while, as by a long pause of its machine."""

    def pause_broker(self) -> None:
        """Halt the broker. Until it goes on, it does nothing, and the suite calls only `advance`."""

    def unpause_broker(self) -> None:
        """Let the halted broker go on."""


@runtime_checkable
class CutsConnections(Protocol):
    """The group `cuts-connections`: a network fault of a single connection."""

    def make_cuttable(self, connection: str) -> None:
        """Lead this connection, which is opened afterwards, over a proxy that can stall and cut it."""

    def stall(self, connection: str) -> None:
        """Let no byte pass in either direction until `unstall`; the connection stays open."""

    def unstall(self, connection: str) -> None:
        """Let the held bytes and all later ones pass."""

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        """Send one message as `send` does, and cut the producer's connection meanwhile, with all that is on it.

        The cut comes once the whole message has passed and before its answer does (`arrives`), or after about half
        of the message. Unsettled where the producer was not answered; blocked where it was stopped and sent nothing.
        """


@runtime_checkable
class WritesLog(Protocol):
    """The groups of logs (`qpid-log`, `artemis-log`, `classic-log`): the implementation writes operational messages."""

    log_path: Path
    """The file of these messages."""

    def log_lines(self) -> list[str]:
        """The lines written since the last call."""


class NoScript(ValueError):
    """A check has a call that no line of a script can repeat, such as the kill of a broker."""


@runtime_checkable
class WritesReproducers(Protocol):
    """The group of implementations reached over a wire: a script can show a violation without tidegate.

    A script repeats the calls of a check and compares their answers. It needs the client library and a running broker,
    not tidegate. The template `reproduce.py.j2` writes it from the values of both verbs, with the `steps`, the `check`,
    the rule's `sentence`, and the `version` of the implementation. All values are values of JSON.
    """

    def script_template(self) -> ScriptTemplate:
        """The package that has the template of all scripts, and the values that all scripts share."""

    def recording(self, calls: Sequence[Call]) -> Recording:
        """The calls of a check as its script repeats them. The script defines every function that a step calls.

        Raises `NoScript`.
        """


@dataclass(frozen=True)
class AllBut:
    """Declines all rules whose ids do not begin with `prefix`, for an adapter that drives only a part of a product."""

    prefix: str
    reason: str


Declined = Mapping[str, str] | AllBut
"""Rules that an adapter does not claim although it has their capabilities: a reason by rule id, or one for many."""


@runtime_checkable
class DeclinesRules(Protocol):
    """The group of adapters that do not claim every rule of their capabilities.

    The document of a profile may describe behaviour that breaks a property of ours (level SHOULD), or an adapter may
    drive only a part of a product (`AllBut`).
    """

    not_claimed: Declined
    """The reason for each declined rule, by the rule's id; or one reason for all rules whose ids lack a prefix."""


def declined(adapter: Adapter) -> Declined:
    """The rules that an adapter does not claim although it has their capabilities."""
    return adapter.not_claimed if isinstance(adapter, DeclinesRules) else {}


def reason_to_decline(declined: Declined, rule: str) -> str | None:
    """The reason for which a rule is declined; None if it is not declined."""
    if isinstance(declined, AllBut):
        return None if rule.startswith(declined.prefix) else declined.reason
    return declined.get(rule)
