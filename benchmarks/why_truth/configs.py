"""Writes the broker configuration that sets the limits of an instant, in the form of the suite's adapters."""

import json
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from truth import Instant

from tidegate.adapters.artemis.file import address_settings
from tidegate.adapters.base import Limits
from tidegate.adapters.qpid import broker_6
from tidegate.adapters.qpid.broker_j import attributes_of

OWN = {"max-size", "core-max-size", "capacity", "memory-limit", "messages"}
"""The causes of limits that a destination's own configuration sets."""
CONFIGURED_BY_JSON = 6
"""The major version from which the Qpid Java broker is configured by JSON here."""


def configuration(of: str, version: str, at: Instant, folder: Path) -> Path | None:
    """The file; None if the limits of this instant are set elsewhere, or were changed in the meantime."""
    own = {limit.cause: limit for limit in at.limits}
    if len(own) != len(at.limits) or not at.reached or not all(limit.cause in OWN for limit in at.reached):
        return None
    (first, *more) = at.reached
    if more:
        return None
    in_messages = first.cause == "messages"
    limits = Limits(
        limit_bytes=None if in_messages else first.figure,
        limit_messages=first.figure if in_messages else None,
        resume_bytes=None if in_messages else first.resume,
        policy="BLOCK",
    )
    match of:
        case "artemis":
            return _artemis(at.destination, limits, folder)
        case "classic":
            return _classic(at.destination, limits, folder)
        case _ if (major := int(version.partition(".")[0])) >= CONFIGURED_BY_JSON:
            of_6 = major == CONFIGURED_BY_JSON
            attributes = broker_6.attributes_of(limits) if of_6 else attributes_of(limits, None)
            return _broker_j(at.destination, attributes, folder)
        case _:
            return _old_qpid(at.destination, limits, folder)


def _artemis(name: str, limits: Limits, folder: Path) -> Path:
    shipped = files("tidegate.adapters.artemis").joinpath("broker.xml").read_text(encoding="utf-8")
    file = folder / "broker.xml"
    ports = {"unconfigured_port": 5672, "windowed_port": 5673, "core_port": 61616, "credit": 1000, "credit_low": 300}
    text = Template(shipped).substitute(
        ports, durable="true", limits=address_settings({name: limits}), beside="", further=""
    )
    file.write_text(text, encoding="utf-8")
    return file


def _broker_j(name: str, attributes: dict[str, Any], folder: Path) -> Path:
    shipped = files("tidegate.adapters.qpid").joinpath("initial-config.json").read_text(encoding="utf-8")
    written = json.loads(shipped)
    host = {"type": "Memory", "queues": [{"name": name, **attributes}]}
    written["virtualhostnodes"][0]["virtualHostInitialConfiguration"] = json.dumps(host)
    file = folder / "initial-config.json"
    file.write_text(json.dumps(written), encoding="utf-8")
    return file


def _old_qpid(name: str, limits: Limits, folder: Path) -> Path:
    shipped = files("tidegate.adapters.qpid").joinpath("old_virtualhosts.xml").read_text(encoding="utf-8")
    capacity = f"<capacity>{limits.limit_bytes}</capacity>"
    resume = "" if limits.resume_bytes is None else f"<flowResumeCapacity>{limits.resume_bytes}</flowResumeCapacity>"
    queue = f"<queue><name>{escape(name)}</name><{name}>{capacity}{resume}</{name}></queue>"
    file = folder / "virtualhosts.xml"
    file.write_text(Template(shipped).substitute(name="test", store="", queues=queue), encoding="utf-8")
    return file


def _classic(name: str, limits: Limits, folder: Path) -> Path:
    policies = "".join(
        f"<policyEntry {kind}={quoteattr(name)} producerFlowControl='true' memoryLimit='{limits.limit_bytes}'/>"
        for kind in ("queue", "topic")
    )
    file = folder / "activemq.xml"
    file.write_text(
        "<broker xmlns='http://activemq.apache.org/schema/core' brokerName='tidegate'><destinationPolicy><policyMap>"
        f"<policyEntries>{policies}</policyEntries></policyMap></destinationPolicy></broker>\n",
        encoding="utf-8",
    )
    return file
