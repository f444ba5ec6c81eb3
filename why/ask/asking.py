"""Asks the broker at a URL, and gives its answers in the form of log lines."""

from tidegate.record.errors import BadInput
from tidegate.why.ask import artemis, classic, qpid, rabbitmq
from tidegate.why.ask.http import Http
from tidegate.why.ask.jolokia import PLACES, Jolokia
from tidegate.why.ask.told import Told
from tidegate.why.heard import Heard, Log
from tidegate.why.notices import Notice


def ask(url: str, user: str = "") -> Log:
    """The current answers of the broker at a URL. BadInput if no broker answers there, or the user may not read.

    The URL is that of the console or of the management, such as http://localhost:8161 (Artemis, Classic),
    http://localhost:8080 (Broker-J) or http://localhost:15672 (RabbitMQ).
    """
    http = Http(url, user)
    told = _told(http)
    if told is None:
        raise BadInput(
            f"expected the management of Artemis, Classic, Broker-J or RabbitMQ at {http.address}{http.path}; "
            f"looked for {', '.join(PLACES)}, {qpid.API} and /api/overview",
            field="--broker",
        )
    log = Log(lines=told.destinations, brokers={told.product}, asked=http.address, note=told.note)
    said = (Notice(told.product, release=told.release), *told.said)
    log.heard = [Heard(each, http.address, 0, None) for each in said]
    return log


def _told(http: Http) -> Told | None:
    if not http.path or not http.path.endswith("/jolokia"):
        found = qpid.ask(http) or rabbitmq.ask(http)
        if found is not None:
            return found
    for path in [http.path] if http.path.endswith("/jolokia") else PLACES:
        version = http.get(f"{path}/version")
        if isinstance(version, dict) and "value" in version:
            jolokia = Jolokia(http, path)
            return artemis.ask(jolokia) or classic.ask(jolokia)
    return None
