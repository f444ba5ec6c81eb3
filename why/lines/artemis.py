"""Forms of lines in the log of an Artemis broker, 1.0 to 2.56, and of HornetQ, 2.0 to 2.5, that tell or suggest a
blocked address."""

import re
from collections.abc import Callable
from dataclasses import replace

from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.why.lines.form import NUMBER, RELEASE, Fields, LineForm, form, number
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
    once=True,
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
    rule="",
)
ALL_MESSAGES = replace(
    ALL_BYTES,
    setting="global-max-messages",
    reason="all addresses together hold as many messages as global-max-messages allows",
    frees="consume and acknowledge on any address until all together hold fewer messages",
    change="find the largest address and consume there, or raise global-max-messages",
)
ONE_OF_FOUR = (
    "the address blocks its producers under the policy BLOCK: it reached its own max-size-bytes or max-size-messages, "
    "or all addresses together reached global-max-size or global-max-messages"
)
UNCLEAR = replace(
    BYTES,
    setting="",
    reason="the address blocks its producers, and no limit was reached any more when the line was written",
    frees="consume and acknowledge from the address; if all addresses together are at their limit, from the largest "
    "one; AMQ221046 names the address when its producers are released",
    change="compare AddressSize and NumberOfMessages of the address with its limits, and AddressMemoryUsage of the "
    "broker with GlobalMaxSize; add consumers, raise the limit that is reached, or set address-full-policy to PAGE",
    ask=f"{ASK}; of broker: AddressMemoryUsage, GlobalMaxSize",
    tells_limit=False,
    of_broker=True,
)
CUT = replace(
    UNCLEAR,
    reason=f"{ONE_OF_FOUR}; the figures that tell which of the four are missing at the end of the line",
)
USUAL_DISK = 90
"""The default of max-disk-usage, in percent of the disk."""
DISK = Cause(
    family=DISK_FAMILY,
    setting="max-disk-usage",
    where=f"broker.xml, in core; {USUAL_DISK} percent unless configured",
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
    reason="an operator blocked the address by management: block() of its AddressControl",
    frees="call unblock() of the AddressControl; no consuming helps",
    change="unblock the address, and look up who blocked it in the audit log",
    ask="the audit log (AMQ601xxx) names who called block()",
    figure=False,
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
    figure=False,
    place_is="address",
)
DROPPING = replace(
    PAGING,
    reason="the address is full and drops messages: its producers go on and their messages are lost",
    sends="go on, and their messages are lost",
    frees=BYTES.frees,
    change=BYTES.change,
)
REFUSING = replace(
    PAGING,
    setting="address-full-policy, page-full-policy or max-size-bytes-reject-threshold",
    where="broker.xml, in an address-setting",
    reason="the address is full and refuses messages (FAIL, or its reject threshold): a send fails at once, it does "
    "not hang",
    sends="fail",
    frees=BYTES.frees,
    change="add consumers, raise the limit that is reached, or set address-full-policy to PAGE",
)
PAGE_LIMIT = replace(
    PAGING,
    family="artemis page limit",
    setting="page-limit-messages",
    where="broker.xml, in an address-setting",
    reason="a queue of the address holds more messages than its page limit; page-full-policy drops or refuses them",
    sends="go on and their messages are lost, or they fail",
    frees="consume and acknowledge until fewer messages are paged than the page limit",
    change="add consumers, or raise the page limit",
)
PAGE_LIMIT_BYTES = replace(
    PAGE_LIMIT,
    setting="page-limit-bytes",
    reason="the address has more pages than its page limit; page-full-policy drops or refuses further messages",
)
DISABLED = replace(
    DROPPING,
    family="artemis queue",
    setting="a queue that takes no messages",
    where="management of the queue: enabled, purgeOnNoConsumers",
    reason="the queue is disabled, or purges without consumers: producers go on and their messages are dropped",
    frees="enable the queue, or let a consumer connect",
    change="enable the queue by management, or switch purge-on-no-consumers off",
    ask="management of the queue: Enabled, PurgeOnNoConsumers, ConsumerCount",
)
NO_DISPATCH = replace(
    PAGING,
    family="artemis dispatch",
    setting="max-read-page-messages, max-read-page-bytes",
    where="broker.xml, in an address-setting",
    reason="consumers get nothing more from pages until they acknowledge; producers go on",
)
UNANSWERED = Cause(
    family="artemis answer",
    setting="",
    reason="a client waited for the broker's answer in vain; whether a limit is the reason cannot be told from this",
    frees="the broker's answer; under a limit it comes once there is room",
    change="look up AMQ222183, AMQ222210, AMQ222212 and AMQ224114 in the broker's log; without these it is no limit",
    ask=ASK + "; of broker: DiskStoreUsage and MaxDiskUsage",
    tells_limit=False,
    tells_release=False,
    gave_up=True,
)
ANY_NAME = r"'?(?P<address>[^\s']{1,500}?)'?"
"""A name without spaces, with or without quotes."""
NAME = r"(?P<quote>['\"])?(?P<address>(?(quote)[^'\"]|.){1,500}?)(?(quote)['\"])"
"""An address, also in the double quotes of a person who retypes the line."""
IN_QUOTES = r'(?:\\?"){1,2}(?P<address>[^"\\]{1,500})(?:\\?"){1,2}'
"""An address in quotes, which a JSON or CSV record may have escaped or doubled."""
NAME_ENDS = r"(?=[,\"'`*»”.}\\\]]*(?:\\[nt]|</|<br|[\s)]|$))"
"""The end of a name without a closing mark: a character that a page, sentence or record puts behind it."""
ENDS = r"(?(quote)|(?:; size|\.?\s*$))"
"""The end of an address: figures or the end of the line follow a name without quotes, which may contain dots."""
NEW = (
    r"size=(?P<size>\d+) bytes \((?P<messages>\d+) messages\); "
    r"maxSize=(?P<limit>-?\d+) bytes \((?P<message_limit>-?\d+) messages\); "
    r"globalSize=(?P<all>\d+) bytes \((?P<all_messages>\d+) messages\); "
    r"globalMaxSize=(?P<all_limit>-?\d+) bytes \((?P<all_message_limit>-?\d+) messages\)"
)
OLD = (
    rf"size is currently: (?P<size>{NUMBER}) bytes; max-size-bytes(?: on address: (?P<limit>{NUMBER})(?=,\s)|"
    rf": (?P<limit_of_old>{NUMBER}))"
)
NEW_CUT = r"size=(?P<size>\d+) bytes \((?P<messages>\d+) messages\); maxSize=(?P<limit>-?\d+) "
"""The figures that suffice to tell whether the limit of the address itself is reached."""
DISK_FIGURES = re.compile(
    r"Free storage space is at (?P<free>\S{1,20}) of (?P<total>\S{1,20}) total\. Usage rate is (?P<usage>[\d.,]{1,10}%)"
)
OPENWIRE = replace(
    CUT,
    reason=f"{ONE_OF_FOUR}; a line about an OpenWire producer does not tell which of the four",
    tells_release=False,
)
CLOSED = (
    "a client whose protocol has no flow control, such as STOMP or MQTT, does not wait: the broker closes its "
    "connection with this error"
)
BEYOND = ("beyond the configured <max-disk-usage>", "below the configured <min-disk-free>")
"""The broker's words about a full disk, which identify the line even if its code is missing."""
PAIRS = (
    (ALL_BYTES, "all", "all_limit", "bytes"),
    (ALL_MESSAGES, "all_messages", "all_message_limit", "messages"),
    (MESSAGES, "messages", "message_limit", "messages"),
    (BYTES, "size", "limit", "bytes"),
)
"""Each limit in the line, with its level and unit."""


def _name(fields: Fields) -> str:
    return fields["address"]


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
    figures = _figures(fields["size"], fields["limit"] or fields["limit_of_old"])
    if _reached(figures):
        return Blocked(BYTES, _name(fields), figures=figures)
    # the global maximum in this line is the size of the address, so the line does not tell the global figures
    return Blocked(ALL_BYTES, _name(fields))


def _refused_by_disk(fields: Fields) -> Said:
    said = _disk(fields)
    return replace(said, cause=replace(said.cause, reason=f"{said.cause.reason}; {CLOSED}"))


def _disk(fields: Fields) -> Blocked:
    text = fields["text"]
    told = DISK_FIGURES.search(text)
    figures = Figures(text=f"{told['usage']} used, {told['free']} of {told['total']} free") if told else NO_FIGURES
    return Blocked(MIN_FREE if "min-disk-free" in text else DISK, figures=figures)


STOPPED = (221002, 224079, 224080)
"""The codes of a broker that stopped, and of one that its critical analyzer halts or stops."""


def coded(code: int | str, text: str, says: Callable[[Fields], Said], *, cut_off: bool = False) -> LineForm:
    """The form of a line with a code of Artemis, or of HornetQ, its predecessor."""
    return form(f"Q{code}", rf"(?:AM|H)Q{code}: {text}", says, cut_off=cut_off)


def cut(code: int | str, text: str, says: Callable[[Fields], Said]) -> LineForm:
    """The form of a line without its end."""
    return coded(code, text, says, cut_off=True)


def _of(cause: Cause) -> Callable[[Fields], Said]:
    return lambda fields: Blocked(cause, _name(fields))


def _ends(*families: str) -> Callable[[Fields], Said]:
    return lambda fields: Released(families, _name(fields))


def _cut_blocked(fields: Fields) -> Said:
    """The statement of a line without the figures that would show the reached limit."""
    return Blocked(CUT, fields["address"].strip("'"))


def _cut_figures(fields: Fields) -> Said:
    figures = _figures(fields["size"], fields["limit"])
    return Blocked(BYTES, _name(fields), figures=figures) if _reached(figures) else Blocked(CUT, _name(fields))


def _cut_named(cause: Cause) -> Callable[[Fields], Said]:
    return lambda fields: Blocked(cause, fields["address"].strip("'"))


def _openwire(fields: Fields) -> Said:
    return Blocked(OPENWIRE, _name(fields), fields["producer"], seconds=number(fields["seconds"]) or 0)


def _no_address(fields: Fields) -> Said:
    return Blocked(replace(DISK, place_is=""))


def _unanswered(fields: Fields) -> Said:
    return Blocked(UNANSWERED, "", "a Core client", Figures(text=f"no answer to packet {fields['packet']}"))


FORMS = (
    coded(222183, rf"Blocking message production on address {NAME}; {NEW}", _blocked),
    coded(222183, rf"Blocking message production on address {NAME}; {OLD}", _blocked_of_old),
    coded(221046, rf"Unblocking message production on address {NAME}{ENDS}", _ends(ADDRESS_FAMILY, DISK_FAMILY)),
    coded(222210, r"(?P<text>.*(?:storage|[Dd]isk).*)", _disk),
    coded(222210, r"(?P<text>Storage usage is beyond max-disk-usage.*)", _disk),
    coded(229119, r"(?P<text>Free storage space.*)", _refused_by_disk),
    *(  # before 2.5 the code was another one
        coded(code, r"(?P<text>Disk Capacity is Low, cannot produce more messages)", _refused_by_disk)
        for code in (229119, 119119)
    ),
    coded(224128, r"(?P<text>Free storage space.*min-disk-free.*)", _disk),
    coded(222211, r"(?:Free storage space|Storage)", lambda fields: Released((DISK_FAMILY,))),
    coded(224129, r"Free storage space", lambda fields: Released((DISK_FAMILY,))),
    coded(222212, rf"Disk Full! Blocking message production on address {NAME}\. ", _of(DISK)),
    cut(222212, r"Disk Full! Blocking message production", _no_address),
    cut(222212, r"Disk Full!", _no_address),
    cut(222210, r"", lambda fields: Blocked(DISK)),
    cut(222183, rf"Blocking message production on address {NAME}; {NEW_CUT}", _cut_figures),
    cut(222183, r"Blocking message production on address (?P<address>\S{1,500}?)[;.]?(?:\s|$)", _cut_blocked),
    cut(222038, r"Starting paging on address (?P<address>\S{1,500}?)[;.]?(?:\s|$)", _cut_named(PAGING)),
    cut(222039, r"Messages sent to address (?P<address>\S{1,500}?)[;.]?(?:\s|$)", _cut_named(DROPPING)),
    *(form(beyond, rf"(?P<text>Free storage space is at .{{1,80}}which is {beyond}.*)", _disk) for beyond in BEYOND),
    coded(224114, rf"Address control block, blocking message production on address {NAME}\. ", _of(ORDER)),
    coded(224115, rf"Address control unblock of address {NAME}\. ", _ends(ORDER_FAMILY)),
    coded(222038, rf"Starting paging on address {NAME}{ENDS}", _of(PAGING)),
    *(  # HornetQ 2.3 and 2.4; the first releases of HornetQ with codes had others
        coded(code, rf"Starting paging on {ANY_NAME}, size = (?:{NUMBER}), maxSize=(?:{NUMBER})", _of(PAGING))
        for code in (222038, 222076, 212076)
    ),
    form(  # HornetQ; its releases before 2.3 have no codes
        "Starting paging on ",
        rf"Starting paging on {ANY_NAME}, size = (?:{NUMBER}), maxSize=(?:{NUMBER})",
        _of(PAGING),
    ),
    form(
        "Memory Limit reached. Producer (",
        r"(?:AMQ222193: )?(?<!Usage Manager )Memory Limit reached\. Producer \((?P<producer>[^()]{1,300})\) stopped to "
        rf"prevent flooding {ANY_NAME}(?: \(blocking for (?P<seconds>\d+)s\)|\.? See |\s*$)",
        _openwire,
    ),
    coded(224108, rf"Stopped paging on address {NAME}{ENDS}", _ends(PAGING_FAMILY, PAGE_LIMIT.family)),
    coded(222039, rf"Messages sent to address {NAME} are being dropped{ENDS}", _of(DROPPING)),
    *(
        coded(code, rf"Messages are being dropped on address {NAME}{ENDS}", _of(DROPPING))
        for code in (222039, 222077, 212077)
    ),
    coded(
        224113,
        rf"Auto removing address {NAME}{ENDS}",
        lambda fields: Released((ADDRESS_FAMILY, PAGING_FAMILY, PAGE_LIMIT.family), _name(fields), closes=True),
    ),
    coded(224120, rf"Queue .{{1,300}} on Address {NAME} has more messages than configured page limit", _of(PAGE_LIMIT)),
    coded(224123, rf"Address {NAME} has more pages than allowed\.", _of(PAGE_LIMIT_BYTES)),
    coded(224122, rf"Address {NAME} number of messages is under page limit again", _ends(PAGE_LIMIT.family)),
    coded(222703, rf"Address {IN_QUOTES} is full\. Bridge", _of(REFUSING)),
    *(
        coded(code, r"Messages (?:are being|will be) dropped on address (?P<address>\S{1,500}) / queue ", _of(DISABLED))
        for code in (224148, 224149, 224150)
    ),
    *(
        cut(
            code,
            r"Messages (?:are being|will be) dropped on address (?P<address>\S{1,500}?)(?:\s|$)",
            _cut_named(DISABLED),
        )
        for code in (224148, 224149, 224150)
    ),
    *(  # the audit log names only the view of the address
        coded(code, rf"User \S{{1,200}} is {verb} target resource", says)
        for code, verb, says in (
            (601754, "blocking", lambda fields: Blocked(ORDER)),
            (601755, "unblocking", lambda fields: Released((ORDER_FAMILY,))),
        )
    ),
    coded(224127, rf"Message dispatch from paging is blocked\. Address {NAME}/Queue ", _of(NO_DISPATCH)),
    *(  # before 2.5, codes that now begin with 2 began with 1
        coded(code, rf"Address {IN_QUOTES} is full", _of(REFUSING)) for code in (229102, 119102)
    ),
    form(
        "Queue is full ",
        r"(?:(?:javax|jakarta)\.jms\.)?ResourceAllocationException(?:: |\(\")"
        r"Queue is full (?P<address>[^\s\"]{0,500})",
        _of(REFUSING),
    ),
    *(
        form(
            mark,
            rf"(?:[\w.]{{0,80}}\.)?(?:ActiveMQ|HornetQ)AddressFullException{behind}",
            lambda fields: Blocked(REFUSING),
            cut_off=True,
        )
        for mark, behind in (("AddressFullException", r"(?:\[errorType=ADDRESS_FULL|\[errorCode=|: |\s*$)"),)
    ),
    form(
        "Address is full: ",
        rf"Address is full: (?P<address>\S{{1,500}}?){NAME_ENDS}",
        _of(REFUSING),
    ),
    *(
        coded(code, r"Timed out after waiting [\d,.]+ ms for response when sending packet (?P<packet>\d+)", _unanswered)
        for code in (219014, 119014)
    ),
    form(  # HornetQ; its releases before 2.3 have no codes
        "response when sending packet",
        r"(?:HQ119014: |HQ119033: )?Timed out waiting for response when sending packet (?P<packet>\d+)",
        _unanswered,
    ),
    *(
        form(mark, rf"{mark}{ANY_NAME}\s*$", _of(DROPPING))
        for mark in ("Messages are being dropped on address ", "Messages are being dropped on adress ")
    ),
    coded(221000, "", lambda fields: Notice("artemis", started=True)),
    *(coded(code, "", lambda fields: Notice("artemis", stopped=True)) for code in STOPPED),
    form(
        "AMQ221001",
        rf"AMQ221001: Apache (?:ActiveMQ )?Artemis Message Broker version {RELEASE}",
        lambda fields: Notice("artemis", release=fields["release"]),
    ),
)
