"""Limits as elements of broker.xml, for what is in force from the start of a broker on."""

from xml.etree.ElementTree import Element, SubElement, tostring

from tidegate.adapters.artemis.settings import MAX_MESSAGES, MAX_SIZE, PAGE_SIZE, POLICY, REJECT_THRESHOLD, settings_of
from tidegate.adapters.base import Limits

ELEMENTS = {
    MAX_SIZE: "max-size-bytes",
    MAX_MESSAGES: "max-size-messages",
    PAGE_SIZE: "page-size-bytes",
    POLICY: "address-full-policy",
    REJECT_THRESHOLD: "max-size-bytes-reject-threshold",
}
"""Each setting by its name in JSON."""


def address_settings(address: str, limits: Limits) -> str:
    """The settings of an address."""
    settings = Element("address-settings")
    setting = SubElement(settings, "address-setting", match=address)
    for name, value in settings_of(limits).items():
        SubElement(setting, ELEMENTS[name]).text = str(value)
    return tostring(settings, encoding="unicode")


def global_limits(limits: Limits) -> str:
    """The limits of all addresses together."""
    levels = {"global-max-size": limits.limit_bytes, "global-max-messages": limits.limit_messages}
    return "".join(f"<{name}>{level}</{name}>" for name, level in levels.items() if level is not None)
