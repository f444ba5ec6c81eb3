"""Limits written as elements of broker.xml, which the broker reads at its start."""

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement, tostring

from tidegate.adapters.artemis.generation import has_namespace_of_replies
from tidegate.adapters.artemis.management import MANAGEMENT_ADDRESS
from tidegate.adapters.artemis.settings import (
    MAX_MESSAGES,
    MAX_SIZE,
    PAGE_FULL_POLICY,
    PAGE_LIMIT,
    PAGE_LIMIT_MESSAGES,
    PAGE_SIZE,
    POLICY,
    REJECT_THRESHOLD,
    settings_of,
)
from tidegate.adapters.base import Limits

ELEMENTS = {
    MAX_SIZE: "max-size-bytes",
    MAX_MESSAGES: "max-size-messages",
    PAGE_SIZE: "page-size-bytes",
    POLICY: "address-full-policy",
    REJECT_THRESHOLD: "max-size-bytes-reject-threshold",
    PAGE_LIMIT: "page-limit-bytes",
    PAGE_LIMIT_MESSAGES: "page-limit-messages",
    PAGE_FULL_POLICY: "page-full-policy",
}
"""The element of each setting, by the setting's name in JSON."""
REPLIES = "replies"
"""The prefix of the names of temporary queues for replies of management, for settings of these queues."""
EVERY_ADDRESS = "#"
"""A pattern that matches every name, and after a dot any number of words."""


def address_settings(settings: Mapping[str, Limits]) -> str:
    """The settings of addresses, by the pattern that matches the addresses."""
    whole = Element("address-settings")
    for match, limits in settings.items():
        setting = SubElement(whole, "address-setting", match=match)
        for name, value in settings_of(limits).items():
            SubElement(setting, ELEMENTS[name]).text = str(value)
    return tostring(whole, encoding="unicode")


def global_limits(limits: Limits, version: str) -> str:
    """The limits of all addresses together, with a policy that stops producers unless `limits` has another one.

    Management works while these limits are reached: its requests find room, and its replies are not paged.
    """
    levels = {"global-max-size": limits.limit_bytes, "global-max-messages": limits.limit_messages}
    elements = "".join(f"<{name}>{level}</{name}>" for name, level in levels.items() if level is not None)
    settings = {EVERY_ADDRESS: Limits(policy=limits.policy or "BLOCK"), MANAGEMENT_ADDRESS: Limits(policy="PAGE")}
    if limits.policy is not None and has_namespace_of_replies(version):
        elements += f"<temporary-queue-namespace>{REPLIES}</temporary-queue-namespace>"
        settings[f"{REPLIES}.{EVERY_ADDRESS}"] = Limits(policy="BLOCK")
    return elements + address_settings(settings)
