"""Reads answers of a broker's management that stand in a log as JSON, and says which queues or addresses are full.

The answers come from Jolokia (ActiveMQ Classic, Artemis) and from the HTTP API of Broker-J and RabbitMQ. A single line
of an answer names neither queue nor address.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.why.ask import artemis, classic, qpid, rabbitmq
from tidegate.why.ask.jolokia import properties
from tidegate.why.lines.artemis import ORDER, PAGING
from tidegate.why.lines.artemis_figures import ADDRESS_LEVEL, ALL_LEVEL
from tidegate.why.lines.classic import EITHER_MEMORY, FULL, reached
from tidegate.why.lines.qpid import QUEUE
from tidegate.why.lines.rabbitmq import KINDS, NO_ALARM
from tidegate.why.lines.rabbitmq_figures import figures_of
from tidegate.why.lists import OF_CONNECTIONS, of_row
from tidegate.why.notices import NO_FIGURES, Blocked, Figures, Notice, Said

SIGNS = (
    '"queueFlowStopped"',
    '"overflowPolicy"',
    '"MemoryLimit"',
    '"MemoryPercentUsage"',
    '"StorePercentUsage"',
    '"TempPercentUsage"',
    '"AddressLimitPercent"',
    '"AddressMemoryUsagePercentage"',
    '"DiskStoreUsage"',
    '"BlockedViaManagement"',
    '_alarm"',
    '"mem_limit"',
    '"disk_free_limit"',
    '"alarms"',
    '"state"',
    '"reject-publish',
)
"""Each answer that is read here has one of these."""
ALARMS = {"mem_alarm", "disk_free_alarm"}
CONNECTION = " -> "
"""The text between the two addresses in the name of a RabbitMQ connection."""
OF_CLASSIC, OF_ARTEMIS, OF_QPID = "org.apache.activemq:", "org.apache.activemq.artemis:", "org.apache.qpid:"
BELOW = Notice("artemis figures")
"""The disk is below the limit that the answer tells, so the level alone says nothing."""
FIGURES = {
    *("queueDepthBytes", "queueDepthMessages", "maximumQueueDepthBytes", "maximumQueueDepthMessages"),
    *("queueFlowControlSizeBytes", "queueFlowResumeSizeBytes"),
    *("mem_used", "mem_limit", "disk_free", "disk_free_limit"),
    *("DiskStoreUsage", "MaxDiskUsage", "AddressMemoryUsagePercentage"),
    *("StorePercentUsage", "StoreLimit", "TempPercentUsage", "TempLimit"),
    *("QueueDepth", "Capacity", "FlowResumeCapacity"),
    *("MemoryPercentUsage", "MemoryLimit", "MemoryUsageByteCount", "AddressLimitPercent"),
}
OBJECTS = {"statistics", "context", "client_properties"}
TEXTS = {"name", "state"}
PERCENT = re.compile(r"\d{1,3}(?:\.\d{1,9})?")
ADDRESS = replace(
    ADDRESS_LEVEL,
    reason="the address holds as much as it may, and it does not page: under address-full-policy BLOCK its producers "
    "wait, under FAIL their sends fail, under DROP their messages are dropped",
)
Answer = Mapping[str, Any]


def told(text: str) -> list[Said]:
    """The statements about each queue or address in an answer; none if the text is no answer."""
    objects = _objects(text)
    nodes = [dict(each) for each in objects if ALARMS & each.keys()]
    connections = [dict(each) for each in objects if "state" in each and CONNECTION in str(each.get("name"))]
    of_rabbitmq = [*rabbitmq.of_answers("", nodes, connections).said] if nodes or connections else []
    of_rabbitmq += [said for each in objects if _is_queue(each) for said in of_row(_texts(each))]
    of_rabbitmq += [said for each in objects for said in _listed(each.get("alarms"))]
    of_rabbitmq += [said for each in objects if not ALARMS & each.keys() for said in _of_levels(each)]
    return [*of_rabbitmq, *(said for each in objects for said in _of_answer(each))]


def _is_queue(answer: Answer) -> bool:
    """Whether an object is a queue of RabbitMQ, with its state or its limits."""
    return (
        isinstance(answer.get("name"), str) and CONNECTION not in answer["name"] and not answer.keys() & OF_CONNECTIONS
    )


def _texts(answer: Answer) -> Mapping[str, str]:
    """The values as the table of a command shows them."""
    return {key: value if isinstance(value, str) else json.dumps(value) for key, value in answer.items()}


def _listed(alarms: Any) -> Iterator[Said]:
    """The alarms in the status of a RabbitMQ node, each with its node and resource; an empty list tells of none."""
    if alarms == []:
        yield NO_ALARM
    for alarm in alarms if isinstance(alarms, list) else []:
        if isinstance(alarm, dict) and alarm.get("resource") in KINDS and isinstance(alarm.get("node"), str):
            yield Blocked(KINDS[alarm["resource"]], alarm["node"])


def _of_levels(answer: Answer) -> Iterator[Said]:
    """The limits that a RabbitMQ node has passed, by an answer without its alarms."""
    name = answer.get("name")
    if isinstance(name, str) and "@" in name and CONNECTION not in name:
        for said in figures_of(answer):
            if isinstance(said, Notice) and said.cause is not None:
                yield Blocked(said.cause, name, figures=said.figures)


def is_answer(text: str) -> bool:
    """Whether the whole text is such an answer."""
    return bool(_objects(text))


def _objects(text: str) -> list[Answer]:
    if not any(sign in text for sign in SIGNS):
        return []
    begin = min((place for place in map(text.find, "[{") if place >= 0), default=0)
    try:
        found = json.loads(text[begin:])
    except (ValueError, RecursionError):
        return []
    return [_sound(each) for each in (found if isinstance(found, list) else [found]) if isinstance(each, dict)]


def _sound(answer: Answer) -> Answer:
    """The answer without values that no broker gives, such as a text in place of a figure."""
    kept = {key: value for key, value in answer.items() if _fits(key, value)}
    return {key: _sound(value) if isinstance(value, dict) else value for key, value in kept.items()}


def _fits(key: str, value: Any) -> bool:
    if key in FIGURES:
        return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))
    if key == qpid.RESUME:
        return PERCENT.fullmatch(str(value)) is not None
    return isinstance(value, dict if key in OBJECTS else str if key in TEXTS else object)


def _of_answer(answer: Answer) -> Iterator[Said]:
    if answer.get("queueFlowStopped") is True or _over(answer):
        yield from qpid.of_answers("", [{**answer, "queueFlowStopped": True}], ()).said
    for bean, value in _beans(answer):
        yield from _of_bean(bean, value)


def _beans(answer: Answer) -> Iterator[tuple[str, Answer]]:
    """The attributes in an answer, each with the name of its bean; the name is empty if the answer lacks it."""
    request, value = answer.get("request"), answer.get("value")
    asked = request if isinstance(request, dict) else {}
    bean, attribute = str(asked.get("mbean", "")), asked.get("attribute")
    if isinstance(value, dict):
        yield from ((name, each) for name, each in value.items() if isinstance(each, dict))  # a pattern of names
        yield bean, value
    elif isinstance(attribute, str) and value is not None:
        yield bean, _sound({attribute: value})
    elif not asked and value is None:
        yield "", answer


def of_bean(bean: str, attributes: Answer) -> Iterator[Said]:
    """The statements about the broker, destination or address of this bean; none if its attributes show no limit."""
    yield from _of_bean(bean, _sound(attributes))


def _of_bean(bean: str, value: Answer) -> Iterator[Said]:
    if bean.startswith(OF_QPID):
        yield from _of_queue(properties(bean), value)
    known = properties(bean) if bean.startswith((OF_CLASSIC, OF_ARTEMIS)) else {}
    if "destinationName" in known:
        yield from _of_destination(known, value)
    elif "brokerName" in known and known.get("type") == "Broker":
        yield from classic.shared(value)
    address = known.get("address", value.get("Address"))
    if isinstance(address, str) and "queue" not in known:
        yield from _of_address(address, value)
    if {"DiskStoreUsage", "MaxDiskUsage"} <= value.keys():
        yield from [*artemis.disk(value)] or [BELOW]
        if _figure(value, "AddressMemoryUsagePercentage") >= FULL:
            yield Blocked(ALL_LEVEL, figures=Figures(text=f"{value['AddressMemoryUsagePercentage']}% used"))


def _of_destination(known: Mapping[str, str], value: Answer) -> Iterator[Said]:
    if _figure(value, "MemoryPercentUsage") < FULL:
        return
    limit = _figure(value, "MemoryLimit")
    figures = Figures(_figure(value, "MemoryUsageByteCount"), limit, limit)
    if limit <= 0 or not reached(figures):
        figures = Figures(limit=limit if limit > 0 else None, text=f"{value['MemoryPercentUsage']}% used")
    place = f"{known.get('destinationType', 'queue').lower()}://{known['destinationName']}"
    yield Blocked(EITHER_MEMORY, place, figures=figures)


def _of_queue(known: Mapping[str, str], value: Answer) -> Iterator[Said]:
    """A queue of the Qpid Java broker before 6.0, by JMX."""
    if value.get("FlowOverfull") is not True:
        return
    level, limit, resume = (_figure(value, name) for name in ("QueueDepth", "Capacity", "FlowResumeCapacity"))
    is_shown = limit > 0 and past_high(Gate(limit, limit), level)
    figures = Figures(level, limit, resume if resume >= 0 else None) if is_shown else NO_FIGURES
    place = "/".join(known[part] for part in ("VirtualHost", "name") if part in known)
    yield Blocked(QUEUE, place, figures=figures)


def _of_address(address: str, value: Answer) -> Iterator[Said]:
    if value.get("BlockedViaManagement") is True:
        yield Blocked(ORDER, address)
    elif value.get("Paging") is True:
        yield Blocked(PAGING, address)
    elif _figure(value, "AddressLimitPercent") >= FULL:
        cause = ADDRESS if value.get("Paging") is False else ADDRESS_LEVEL
        yield Blocked(cause, address, figures=Figures(text=f"{value['AddressLimitPercent']}% used"))


def _over(queue: Answer) -> bool:
    """Whether a Broker-J queue is beyond its limit, if the answer does not tell whether its flow is stopped."""
    if "queueFlowStopped" in queue or queue.get("overflowPolicy") != "PRODUCER_FLOW_CONTROL":
        return False
    _, figures = qpid.limit_of(queue)
    if figures.limit is None or figures.limit < 0 or figures.level is None:
        return False
    return past_high(Gate(figures.limit, figures.limit), figures.level)


def _figure(value: Answer, name: str) -> int:
    found = value.get(name)
    return int(found) if isinstance(found, int | float) and not isinstance(found, bool) else -1
