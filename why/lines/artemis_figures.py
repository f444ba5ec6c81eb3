"""Forms of Artemis' figures outside its log: attributes of its management, metrics, `artemis check`."""

from collections.abc import Callable
from dataclasses import replace

from tidegate.why.lines.artemis import ALL_BYTES, BYTES, DISK, ORDER, USUAL_DISK
from tidegate.why.lines.form import Fields, LineForm, form, read_by_jolokia
from tidegate.why.notices import Blocked, Cause, Figures, Said

FULL = 100
"""Percent."""
RATIO = 1.5
"""A level below this figure is a fraction of the disk; a level above it is in percent."""
DISK_LEVEL = replace(
    DISK,
    family="artemis disk level",
    reason=f"the disk of the journal is fuller than {USUAL_DISK} percent, which is max-disk-usage unless another is "
    "configured; whatever the addresses hold, producers wait then",
    tells_limit=False,
    place_is="",
)
ADDRESS_LEVEL = replace(
    BYTES,
    family="artemis address level",
    setting="max-size-bytes or max-size-messages",
    where="broker.xml, in an address-setting",
    reason="the address holds as much as it may: under address-full-policy BLOCK its producers wait, under FAIL their "
    "sends fail, under PAGE they go on; the figure does not tell which",
    tells_limit=False,
)
ALL_LEVEL = replace(
    ALL_BYTES,
    family="artemis global level",
    reason="the messages of all addresses together take as many bytes as global-max-size allows: under "
    "address-full-policy BLOCK producers wait, under FAIL their sends fail, under PAGE they go on",
    tells_limit=False,
    place_is="",
)
LABELS = r"(?:\{[^{}]{0,400}\})?"
LEVEL = r"(?P<level>\d{1,4}(?:\.\d{1,18})?)(?![\w.])"


def _disk(fields: Fields) -> Said | None:
    level = float(fields["level"])
    percent = level * FULL if level < RATIO else level
    if percent <= USUAL_DISK:
        return None
    return Blocked(DISK_LEVEL, figures=Figures(text=f"{percent:.1f}% used"))


def _full(cause: Cause) -> Callable[[Fields], Said | None]:
    def said(fields: Fields) -> Said | None:
        if float(fields["level"]) < FULL:
            return None
        return Blocked(cause, fields.get("address") or "", figures=Figures(text=f"{fields['level']}% used"))

    return said


def _ordered(fields: Fields) -> Said | None:
    return Blocked(ORDER) if fields["set"] == "true" else None


def _attribute(name: str, value: str, says: Callable[[Fields], Said | None]) -> tuple[LineForm, ...]:
    """The forms of an attribute: with its value behind it, and as Jolokia's answer to a read of the attribute alone."""
    spelt = f"[{name[0]}{name[0].lower()}]{name[1:]}"
    return (
        form(name[1:], rf"\"?{spelt}\"?(?:\s{{0,20}}[:=|]\s{{0,20}}|\t|\s{{2,40}})\"?{value}", says),
        form('"attribute"', read_by_jolokia(name, value), says),
    )


FORMS = (
    *_attribute("DiskStoreUsage", LEVEL, _disk),
    form("artemis_disk_store_usage", rf"artemis_disk_store_usage{LABELS}[ :=]{{1,4}}{LEVEL}", _disk),
    form(
        "The DiskStoreUsage",
        r"(?:Checking that .{1,120}? \.\.\. )?(?:failure: )?The DiskStoreUsage (?P<used>\d{1,3}) is less than "
        r"(?P<limit>\d{1,3})",
        lambda fields: Blocked(DISK, figures=Figures(text=f"{fields['used']}% used of {fields['limit']}% allowed")),
    ),
    *_attribute("AddressLimitPercent", LEVEL, _full(ADDRESS_LEVEL)),
    *_attribute("AddressMemoryUsagePercentage", LEVEL, _full(ALL_LEVEL)),
    form(
        "artemis_address_memory_usage_percentage",
        rf"artemis_address_memory_usage_percentage{LABELS}[ :=]{{1,4}}{LEVEL}",
        _full(ALL_LEVEL),
    ),
    form(
        "artemis_limit_percent",
        r"artemis_limit_percent\{(?:[^{}]{0,200}?\b)??address=\"(?P<address>[^\"]{1,300})\"[^{}]{0,200}\}[ :=]{1,4}"
        + LEVEL,
        _full(ADDRESS_LEVEL),
    ),
    *(  # the exporter of JMX for Prometheus writes the name as its rules say
        form(
            mark,
            r"\w{0,80}artemis_\w{0,60}?[aA]ddress_?[lL]"
            + mark.replace("{", r"\{(?:[^{}]{0,200}?\b)??address=\"(?P<address>[^\"]{1,300})\"[^{}]{0,200}\}[ :=]{1,4}")
            + LEVEL,
            _full(ADDRESS_LEVEL),
        )
        for mark in ("imitPercent{", "imitpercent{", "imit_percent{")
    ),
    *_attribute("BlockedViaManagement", r"(?P<set>true|false)\b", _ordered),
)
