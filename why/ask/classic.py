"""Asks ActiveMQ Classic for the memory of each destination and for the shared memory, store and temporary space."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tidegate.model.mechanisms import classic as rules
from tidegate.why.ask.jolokia import Jolokia, properties
from tidegate.why.ask.told import Told
from tidegate.why.lines import classic as lines
from tidegate.why.notices import Blocked, Figures, Said

BROKER = "org.apache.activemq:type=Broker,brokerName=*"
EVERYTHING = "org.apache.activemq:type=Broker,brokerName=*,destinationType=*,destinationName=*,*"
SHARED = (("Memory", lines.ALL_MEMORY), ("Store", lines.STORE), ("Temp", lines.TEMP), ("JobSchedulerStore", lines.JOBS))
OF_BROKER = ["BrokerVersion", *(f"{name}{part}" for name, _ in SHARED for part in ("Limit", "PercentUsage"))]
OF_DESTINATION = ["Name", "MemoryLimit", "MemoryUsageByteCount", "ProducerFlowControl", "BlockedSends"]
FULL = 100
"""Percent."""


def ask(jolokia: Jolokia) -> Told | None:
    """The answer of the broker in this JVM; None if there is no broker."""
    brokers = jolokia.search(BROKER)
    if not brokers:
        return None
    (broker,) = jolokia.read(brokers[:1], OF_BROKER)
    beans = jolokia.search(EVERYTHING)
    places = [bean for bean in beans if "endpoint" not in properties(bean)]
    clients: dict[str, list[str]] = defaultdict(list)
    for bean in beans:
        known = properties(bean)
        if known.get("endpoint") == "Producer":
            clients[_place(known)].append(known.get("clientId", "a client"))
    found = jolokia.read(places, OF_DESTINATION)
    destinations = {_place(properties(bean)): answer for bean, answer in zip(places, found, strict=True)}
    return of_answers(broker, destinations, clients)


def _place(known: Mapping[str, str]) -> str:
    return f"{known.get('destinationType', 'queue').lower()}://{known.get('destinationName', '')}"


def of_answers(
    broker: Mapping[str, Any], destinations: Mapping[str, Mapping[str, Any]], clients: Mapping[str, list[str]]
) -> Told:
    """The blocked producers by attributes, judged by the rules of the model; a destination is `queue://NAME`."""
    said = [*shared(broker)]
    for place, one in destinations.items():
        level, limit = one.get("MemoryUsageByteCount", 0), one.get("MemoryLimit", rules.NO_LIMIT)
        controlled = bool(one.get("ProducerFlowControl", True))
        if rules.holds_back(rules.Destination(limit=limit, controlled=controlled, bytes=level)):
            figures = Figures(level, limit, limit)
            said += [Blocked(lines.MEMORY, place, client, figures) for client in clients.get(place) or [""]]
    return Told("classic", str(broker.get("BrokerVersion", "")).partition("-")[0], len(destinations), tuple(said))


def shared(broker: Mapping[str, Any]) -> Iterator[Said]:
    """The statements about usages of the whole broker that are full, by its percentages and limits."""
    for name, cause in SHARED:
        percent, limit = broker.get(f"{name}PercentUsage"), broker.get(f"{name}Limit")
        limit = limit if isinstance(limit, int) else None
        if isinstance(percent, int) and percent >= FULL and (limit is None or limit > 0):
            yield Blocked(replace(cause, place_is=""), figures=Figures(limit=limit, text=f"{percent}% used"))
