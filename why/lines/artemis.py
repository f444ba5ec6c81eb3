"""The log of an Artemis broker, 2.6 to 2.50: what blocks an address, and what only looks like it."""

import re
from dataclasses import replace

from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.why.lines.form import NUMBER, Fields, form, number
from tidegate.why.notices import NO_FIGURES, Blocked, Cause, Figures, Notice, Released, Said

ADDRESS_FAMILY, DISK_FAMILY, ORDER_FAMILY, PAGING_FAMILY = (
    "artemis address",
    "artemis disk",
    "artemis order",
    "artemis paging",
)
ASK = (
    "management of address.ADDRESS: AddressSize, NumberOfMessages, AddressLimitPercent, Paging, and "
    "getAddressSettingsAsJSON (`artemis address show`, or Jolokia at /console/jolokia)"
)
BYTES = Cause(
    family=ADDRESS_FAMILY,
    setting="max-size-bytes",
    reason="the messages of the address take as many bytes as max-size-bytes allows, and address-full-policy is BLOCK",
    frees="consume and acknowledge until the address takes less",
    change="add consumers, raise max-size-bytes, or set address-full-policy to PAGE",
    ask=ASK,
    rule="ARTEMIS-BLOCK-1",
    place_is="address",
)
MESSAGES = replace(
    BYTES,
    setting="max-size-messages",
    where="broker.xml, in an address-setting",
    reason="the address holds as many messages as max-size-messages allows, and address-full-policy is BLOCK",
    frees="consume and acknowledge until the address holds fewer messages",
    change="add consumers, raise max-size-messages, or set address-full-policy to PAGE",
    rule="GENERAL-18",
)
ALL_BYTES = replace(
    BYTES,
    setting="global-max-size",
    where="broker.xml, in core",
    reason="the messages of all addresses together take as many bytes as global-max-size allows",
    frees="consume and acknowledge on any address until all together take less",
    change="find the largest address and consume there, or raise global-max-size (and the heap with it)",
    ask="management of broker: AddressMemoryUsage, AddressMemoryUsagePercentage, GlobalMaxSize",
    rule="GENERAL-17",
)
ALL_MESSAGES = replace(
    ALL_BYTES,
    setting="global-max-messages",
    reason="all addresses together hold as many messages as global-max-messages allows",
    frees="consume and acknowledge on any address until all together hold fewer messages",
    change="find the largest address and consume there, or raise global-max-messages",
)
UNCLEAR = replace(
    BYTES,
    setting="",
    reason="the address blocks its producers, and no limit was reached any more when the line was written",
    frees="what frees it depends on the limit",
    change="read the figures of the address and of all addresses by management",
    tells_limit=False,
)
DISK = Cause(
    family=DISK_FAMILY,
    setting="max-disk-usage",
    where="broker.xml, in core; 90 percent unless configured",
    reason="the disk of the journal is fuller than max-disk-usage allows, whatever the addresses hold",
    frees="free space on the disk until its usage is below max-disk-usage; the broker looks every disk-scan-period",
    change="free or enlarge the disk, or raise max-disk-usage",
    ask="management of broker: DiskStoreUsage and MaxDiskUsage; `df` on the journal's folder",
    rule="GENERAL-37",
    one_for_all=True,
    place_is="address",
)
MIN_FREE = replace(
    DISK,
    setting="min-disk-free",
    where="broker.xml, in core",
    reason="the disk of the journal has less space free than min-disk-free asks for",
    frees="free space on the disk until more is free than min-disk-free",
    change="free or enlarge the disk, or lower min-disk-free",
)
ORDER = Cause(
    family=ORDER_FAMILY,
    setting="the operation block()",
    where="management of the address; no limit of the configuration",
    reason="somebody blocked the address by management: block() of its AddressControl",
    frees="call unblock() of the AddressControl; no consuming helps",
    change="unblock the address, and look up who blocked it in the audit log",
    ask="the audit log (AMQ601xxx) names who called block()",
    place_is="address",
)
PAGING = Cause(
    family=PAGING_FAMILY,
    setting="address-full-policy",
    reason="the address is full and pages to disk: its producers go on",
    frees="",
    change="",
    ask=ASK,
    rule="ARTEMIS-BLOCK-3",
    holds=False,
    place_is="address",
)
DROPPING = replace(
    PAGING, reason="the address is full and drops messages: its producers go on and their messages are lost"
)
REFUSING = replace(PAGING, reason="the address is full and refuses messages: a send fails at once, it does not hang")
PAGE_LIMIT = replace(
    PAGING,
    setting="page-limit-messages",
    where="broker.xml, in an address-setting",
    reason="a queue of the address holds more messages than its page limit; page-full-policy drops or refuses them",
)
NAME = r"(?P<address>'?.{1,500}?'?)"
ENDS = r"(?:; size|\.?\s*$)"
"""Where a name ends: the figures follow, or nothing. A name may have dots itself."""
NEW = (
    r"size=(?P<size>\d+) bytes \((?P<messages>\d+) messages\); "
    r"maxSize=(?P<limit>-?\d+) bytes \((?P<message_limit>-?\d+) messages\); "
    r"globalSize=(?P<all>\d+) bytes \((?P<all_messages>\d+) messages\); "
    r"globalMaxSize=(?P<all_limit>-?\d+) bytes \((?P<all_message_limit>-?\d+) messages\)"
)
OLD = rf"size is currently: (?P<size>{NUMBER}) bytes; max-size-bytes(?: on address)?: (?P<limit>{NUMBER})"
DISK_FIGURES = re.compile(
    r"Free storage space is at (?P<free>\S{1,20}) of (?P<total>\S{1,20}) total\. Usage rate is (?P<usage>[\d.,]{1,10}%)"
)
PAIRS = (
    (ALL_BYTES, "all", "all_limit", "bytes"),
    (ALL_MESSAGES, "all_messages", "all_message_limit", "messages"),
    (MESSAGES, "messages", "message_limit", "messages"),
    (BYTES, "size", "limit", "bytes"),
)
"""Each limit in the line, with its level."""


def _name(fields: Fields) -> str:
    return fields["address"].strip("'")


def _figures(level: str | None, limit: str | None, unit: str = "bytes") -> Figures:
    least = number(limit)
    return Figures(number(level), least, least, unit)


def _reached(figures: Figures) -> bool:
    if figures.level is None or figures.limit is None:
        return False
    return full(AddressLimits(max_size=figures.limit, reject_threshold=NO_LIMIT, blocks=True), figures.level)


def _blocked(fields: Fields) -> Said:
    for cause, level, limit, unit in PAIRS:
        figures = _figures(fields[level], fields[limit], unit)
        if _reached(figures):
            return Blocked(cause, _name(fields), figures=figures)
    return Blocked(UNCLEAR, _name(fields))


def _blocked_of_old(fields: Fields) -> Said:
    figures = _figures(fields["size"], fields["limit"])
    if _reached(figures):
        return Blocked(BYTES, _name(fields), figures=figures)
    # what the line calls the global maximum is the size of the address, so the line does not tell the global figures
    return Blocked(ALL_BYTES, _name(fields))


def _disk(fields: Fields) -> Said:
    text = fields["text"]
    told = DISK_FIGURES.search(text)
    figures = Figures(text=f"{told['usage']} used, {told['free']} of {told['total']} free") if told else NO_FIGURES
    return Blocked(MIN_FREE if "min-disk-free" in text else DISK, figures=figures)


FORMS = (
    form("AMQ222183", rf"AMQ222183: Blocking message production on address {NAME}; {NEW}", _blocked),
    form("AMQ222183", rf"AMQ222183: Blocking message production on address {NAME}; {OLD}", _blocked_of_old),
    form(
        "AMQ221046",
        rf"AMQ221046: Unblocking message production on address {NAME}{ENDS}",
        lambda fields: Released((ADDRESS_FAMILY, DISK_FAMILY), _name(fields)),
    ),
    form("AMQ222210", r"AMQ222210: (?P<text>.*(?:storage|[Dd]isk).*)", _disk),
    form("AMQ222210", r"AMQ222210: (?P<text>Storage usage is beyond max-disk-usage.*)", _disk),
    form("AMQ229119", r"AMQ229119: (?P<text>Free storage space.*)", _disk),
    form("AMQ222211", r"AMQ222211: (?:Free storage space|Storage)", lambda fields: Released((DISK_FAMILY,))),
    form(
        "AMQ222212",
        rf"AMQ222212: Disk Full! Blocking message production on address {NAME}\. ",
        lambda fields: Blocked(DISK, _name(fields)),
    ),
    form(
        "AMQ224114",
        rf"AMQ224114: Address control block, blocking message production on address {NAME}\. ",
        lambda fields: Blocked(ORDER, _name(fields)),
    ),
    form(
        "AMQ224115",
        rf"AMQ224115: Address control unblock of address {NAME}\. ",
        lambda fields: Released((ORDER_FAMILY,), _name(fields)),
    ),
    form(
        "AMQ222038",
        rf"AMQ222038: Starting paging on address {NAME}{ENDS}",
        lambda fields: Blocked(PAGING, _name(fields)),
    ),
    form(
        "AMQ224108",
        rf"AMQ224108: Stopped paging on address {NAME}{ENDS}",
        lambda fields: Released((PAGING_FAMILY,), _name(fields)),
    ),
    form(
        "AMQ222039",
        rf"AMQ222039: Messages sent to address {NAME} are being dropped{ENDS}",
        lambda fields: Blocked(DROPPING, _name(fields)),
    ),
    form(
        "AMQ224120",
        rf"AMQ224120: Queue .{{1,300}} on Address {NAME} has more messages than configured page limit",
        lambda fields: Blocked(PAGE_LIMIT, _name(fields)),
    ),
    *(
        form(
            code,  # before 2.5 the code was another
            rf'{code}: Address "(?P<address>[^"]{{1,500}})" is full',
            lambda fields: Blocked(REFUSING, _name(fields)),
        )
        for code in ("AMQ229102", "AMQ119102")
    ),
    form("AMQ221000", "AMQ221000: ", lambda fields: Notice("artemis", started=True)),
)
