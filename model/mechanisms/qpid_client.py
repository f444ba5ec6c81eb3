"""Clients of the Qpid Java broker whose channel was ordered to stop: the fate of a send, and the state after the send.

Composes the wait. A client too old to know the order never waits.
"""

from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.wait import Wait, expired

FIRST_MINOR = 6
"""QPID-OLD-2: flow control came with 0.6, in the broker and in the client."""
FAILURE = "JMSException"
"""QPID-CLIENT-3: the exception of a send that has waited too long."""
NOTICE = "WARN Message send delayed by {seconds}s due to broker enforced flow control"
"""QPID-CLIENT-10: the log message of a client while a send waits; the seconds are the time waited so far."""


@dataclass(frozen=True)
class Version:
    """The first two numbers of a release: 0.6 comes before 0.18."""

    major: int
    minor: int


@dataclass(frozen=True)
class Client:
    """A client's session: whether it is open and in a transaction, and the number of its sent messages."""

    session_open: bool
    in_transaction: bool
    messages: int


@rule
def knows_flow_control(version: Version) -> bool:
    """QPID-OLD-2: a broker or a client has flow control from version 0.6 on."""
    return version.major > 0 or version.minor >= FIRST_MINOR


@rule
def flow_controlled(broker: Version, client: Version) -> bool:
    """QPID-OLD-2: a client can be stopped if broker and client both have flow control."""
    return knows_flow_control(broker) and knows_flow_control(client)


@rule
def held_back(obeys: bool, stopped: bool) -> bool:
    """QPID-OLD-1: an order to stop holds back only the sends of a client that obeys it."""
    return obeys and stopped


@rule
def sent(obeys: bool, stopped: bool) -> bool:
    """QPID-CLIENT-1: a send goes to the broker as soon as no order holds it back."""
    return not held_back(obeys, stopped)


@rule
def failed(wait: Wait, obeys: bool, stopped: bool, waited_ms: int) -> bool:
    """QPID-CLIENT-2: a send that is still held back fails once it has waited for its whole timeout."""
    return held_back(obeys, stopped) and expired(wait, waited_ms)


@rule
def still_waits(wait: Wait, obeys: bool, stopped: bool, waited_ms: int) -> bool:
    """QPID-CLIENT-1: a send that is held back waits until it fails."""
    return held_back(obeys, stopped) and not expired(wait, waited_ms)


@rule
def after_sending(client: Client, obeys: bool, stopped: bool) -> Client:
    """QPID-CLIENT-4: only a sent message belongs to its session; the rest of the session stays as it was."""
    return replace(client, messages=client.messages + 1) if sent(obeys, stopped) else client


@rule
def keeps_transaction(before: Client, after: Client) -> bool:
    """QPID-CLIENT-6: the transaction stays open, with the same number of messages."""
    return after.in_transaction == before.in_transaction and after.messages == before.messages


@rule
def times_in_ms(failure: int, notify_period: int) -> Wait:
    """QPID-CLIENT-11: both properties give their time in ms."""
    return Wait(timeout_ms=failure, notify_ms=notify_period)


@rule
def after_rollback(client: Client) -> Client:
    """QPID-CLIENT-8: a rolled back transaction keeps no message; the session stays open."""
    return replace(client, messages=0 if client.in_transaction else client.messages)
