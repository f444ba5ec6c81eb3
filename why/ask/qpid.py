"""Asks Broker-J, through the REST interface of its management, which queues hold producers up."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from tidegate.why.ask.http import Http
from tidegate.why.ask.told import Told
from tidegate.why.lines import qpid as lines
from tidegate.why.notices import Blocked, Cause, Figures, Said

API = "/api/latest"
RESUME = "queue.queueFlowResumeLimit"
WHOLE = 100
NO_LIMIT = -1


def ask(http: Http) -> Told | None:
    """The answer of the broker; None if there is no Broker-J."""
    broker = http.get(f"{API}/broker?depth=0")
    broker = broker[0] if isinstance(broker, list) and broker else broker
    if not isinstance(broker, dict) or "productVersion" not in broker:
        return None
    queues = http.get(f"{API}/queue") or []
    connections = http.get(f"{API}/connection?depth=1") or []
    return of_answers(str(broker["productVersion"]), queues, connections)


def of_answers(release: str, queues: list[dict[str, Any]], connections: Iterable[dict[str, Any]]) -> Told:
    """The blocked producers by the state of queues and of the sessions of connections."""
    stopped = [queue for queue in queues if queue.get("queueFlowStopped") is True]
    blocked = [
        f"{connection.get('clientId') or 'a client'} {connection.get('name', '')}".strip()
        for connection in connections
        for session in connection.get("sessions", [])
        if session.get("producerFlowBlocked") is True
    ]
    said: list[Said] = []
    for queue in stopped:
        cause, figures = limit_of(queue)
        # a session does not name the queue that holds it, so it is told only if a single queue is stopped
        who = blocked if len(stopped) == 1 and blocked else [""]
        said += [Blocked(cause, str(queue.get("name", "")), client, figures) for client in who]
    return Told("qpid", release.partition("-")[0], len(queues), tuple(said))


def limit_of(queue: Mapping[str, Any]) -> tuple[Cause, Figures]:
    """The limit that the queue exceeds most, in bytes or in messages, with the figures."""
    counted = {**queue, **(queue.get("statistics") or {})}
    bytes_told, messages_told = counted.get("queueDepthBytes"), counted.get("queueDepthMessages")
    size, count = bytes_told or 0, messages_told or 0
    if "queueFlowControlSizeBytes" in queue:  # before 7.0
        return lines.QUEUE, Figures(
            bytes_told, queue["queueFlowControlSizeBytes"], queue.get("queueFlowResumeSizeBytes")
        )
    capacity = queue.get("maximumQueueDepthBytes", NO_LIMIT)
    most = queue.get("maximumQueueDepthMessages", NO_LIMIT)
    percent = (queue.get("context") or {}).get(RESUME)
    if capacity == NO_LIMIT or (most != NO_LIMIT and count * max(capacity, 1) > size * max(most, 1)):
        return lines.MESSAGES, Figures(messages_told, most, _resume(percent, most), "messages")
    return lines.SINCE_7, Figures(bytes_told, capacity, _resume(percent, capacity))


def _resume(percent: Any, limit: int) -> int | None:
    """The resume level that a queue sets for itself; None if it has the default level."""
    return None if percent is None else math.ceil(float(percent) * limit / WHOLE)
