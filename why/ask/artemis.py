"""Asks Artemis for the level and the settings of each address, the global level, and the disk."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from tidegate.model.mechanisms import artemis as rules
from tidegate.model.mechanisms.general_address import NO_LEVEL, FurtherCauses, full_of_messages
from tidegate.why.ask.jolokia import Jolokia, properties
from tidegate.why.ask.told import Told
from tidegate.why.lines import artemis as lines
from tidegate.why.notices import Blocked, Cause, Figures, Said

BROKER = "org.apache.activemq.artemis:broker=*"
ADDRESSES = "org.apache.activemq.artemis:broker=*,component=addresses,address=*"
OF_BROKER = ["Version", "AddressMemoryUsage", "GlobalMaxSize", "DiskStoreUsage", "MaxDiskUsage"]
OF_ADDRESS = ["Address", "AddressSize", "NumberOfMessages", "Paging", "BlockedViaManagement"]
SETTINGS = "getAddressSettingsAsJSON(java.lang.String)"
PRODUCERS = "listProducers(java.lang.String,int,int)"
EVERY_PRODUCER = [json.dumps({"field": "", "operation": "", "value": ""}), 1, 10_000]
NO_LIMIT = -1
NO_ORDER = "before 2.50 management does not tell which address an operator blocked: look for AMQ224114 in the log"
WHOLE = 100


def ask(jolokia: Jolokia) -> Told | None:
    """The answer of the broker in this JVM; None if there is no broker."""
    brokers = jolokia.search(BROKER)
    if not brokers:
        return None
    (broker,) = jolokia.read(brokers[:1], OF_BROKER)
    addresses = jolokia.read(jolokia.search(ADDRESSES), OF_ADDRESS)
    names = [[address["Address"]] for address in addresses if "Address" in address]
    settings = jolokia.call(brokers[0], SETTINGS, names)
    (producers,) = jolokia.call(brokers[0], PRODUCERS, [EVERY_PRODUCER])
    name = properties(brokers[0]).get("broker", "")
    told = [json.loads(each) if isinstance(each, str) else {} for each in settings]
    return of_answers(broker, [each for each in addresses if "Address" in each], told, clients_of(producers), name)


def clients_of(answer: Any) -> dict[str, list[str]]:
    """By address, its senders; `answer` is the result of listProducers."""
    found: dict[str, list[str]] = defaultdict(list)
    rows = json.loads(answer).get("data", []) if isinstance(answer, str) else []
    for row in rows:
        who = row.get("clientID") or row.get("remoteAddress") or row.get("session") or "a client"
        found[row.get("address", "")].append(str(who))
    return found


def of_answers(
    broker: Mapping[str, Any],
    addresses: list[dict[str, Any]],
    settings: list[dict[str, Any]],
    clients: Mapping[str, list[str]],
    name: str = "",
) -> Told:
    """The blocked producers by attributes and settings, judged by the rules of the model."""
    said: list[Said] = list(disk(broker))
    for address, setting in zip(addresses, settings, strict=True):
        cause = _cause(broker, address, setting)
        if cause is not None:
            who = clients.get(address["Address"]) or [""]
            said += [Blocked(cause[0], address["Address"], client, cause[1]) for client in who]
    note = "" if any("BlockedViaManagement" in address for address in addresses) else NO_ORDER
    return Told("artemis", str(broker.get("Version", "")).partition("-")[0], len(addresses), tuple(said), note)


def disk(broker: Mapping[str, Any]) -> Iterator[Said]:
    """The statement that the disk is fuller than the broker's MaxDiskUsage; none if it is not, or either is missing."""
    used, most = broker.get("DiskStoreUsage"), broker.get("MaxDiskUsage")
    if not isinstance(used, int | float) or not isinstance(most, int) or most < 0:
        return
    percent = used * WHOLE if used <= 1 else used
    if percent > most:
        yield Blocked(lines.DISK, figures=Figures(text=f"{percent:.1f}% used of at most {most}%"))


def _cause(
    broker: Mapping[str, Any], address: Mapping[str, Any], setting: Mapping[str, Any]
) -> tuple[Cause, Figures] | None:
    blocks = setting.get("addressFullMessagePolicy") == "BLOCK"
    if address.get("BlockedViaManagement") is True:
        return lines.ORDER, Figures()
    if blocks:
        level, limit = address.get("AddressSize", 0), setting.get("maxSizeBytes", NO_LIMIT)
        if rules.full(rules.AddressLimits(limit, rules.NO_LIMIT, blocks), level):
            return lines.BYTES, Figures(level, limit, limit)
        messages, most = address.get("NumberOfMessages", 0), setting.get("maxSizeMessages", NO_LIMIT)
        if full_of_messages(FurtherCauses(False, NO_LEVEL if most == NO_LIMIT else most, messages)):
            return lines.MESSAGES, Figures(messages, most, most, "messages")
        every, whole = broker.get("AddressMemoryUsage", 0), broker.get("GlobalMaxSize", NO_LIMIT)
        if rules.full(rules.AddressLimits(whole, rules.NO_LIMIT, blocks), every):
            return lines.ALL_BYTES, Figures(every, whole, whole)
    return (lines.PAGING, Figures()) if address.get("Paging") is True else None
