"""Forms of sockets as `ss` and `netstat` list them: bytes that a program has written and a broker has not taken."""

from tidegate.why.lines.form import Fields, form
from tidegate.why.notices import Blocked, Cause, Figures, Released, Said

PORTS = "5671|5672|61613|61614|61616|61617|1883|8883"
"""The usual ports of AMQP, STOMP, OpenWire and MQTT, without and with TLS."""
ADDRESS = r"\[?[0-9a-fA-F.:%\w]{2,60}\]?"
UNREAD = Cause(
    family="socket unread",
    setting="",
    reason="the other end does not take what is written to this connection: a broker that blocks or throttles its "
    "producers reads no more from them; a slow network, or a host that is gone, looks the same",
    frees="the other end reads on; under a limit it does once there is room",
    change="look again after some seconds: if as many bytes still wait, ask the broker which limit is reached",
    ask="RabbitMQ: `rabbitmq-diagnostics alarms`, `rabbitmqctl list_connections name state`; Artemis: DiskStoreUsage, "
    "AddressSize; Classic: MemoryPercentUsage, StorePercentUsage, TempPercentUsage; Broker-J: GET /api/latest/queue",
    tells_limit=False,
    tells_release=False,
)


def _unread(fields: Fields) -> Said:
    client = f"{fields['own']} -> {fields['peer']}"
    return Blocked(UNREAD, "", client, Figures(text=f"{int(fields['bytes']):,} bytes wait to be read"))


ENDS = rf"(?P<own>{ADDRESS}:\d{{1,5}})\s+(?P<peer>{ADDRESS}:(?:{PORTS}))"


def _closed(fields: Fields) -> Said:
    client = f"{fields['own']} -> {fields['peer']}"
    return Blocked(UNREAD, "", client, Figures(text="the window of the other end is 0"))


def _opened(fields: Fields) -> Said:
    return Released((UNREAD.family,), "", f"{fields['own']} -> {fields['peer']}")


HOST = r"[0-9a-fA-F.:%\w-]{2,60}"
DUMPED = (
    rf"IP6? (?P<peer>{HOST}\.(?:{PORTS}|amqps?)) > (?P<own>{HOST}\.\w{{1,20}}): "
    r"Flags \[[^\[\]R]{1,9}\](?:(?! win | length ).){0,120}"
)
"""A segment of a broker, as tcpdump shows it."""
FORMS = (
    form(", win 0,", rf"{DUMPED}, win 0,", _closed),
    form(", win ", rf"{DUMPED}, win [1-9]\d{{0,9}},", _opened),
    form(
        "[TCP ZeroWindow] ",  # tshark
        rf"(?P<peer>{HOST}) (?:→|->) (?P<own>{HOST}) .{{0,80}}\[TCP ZeroWindow\] (?:{PORTS}) ",
        _closed,
    ),
    form("ESTAB", rf"(?:tcp\s+)?ESTAB\s+\d+\s+(?P<bytes>[1-9]\d{{0,12}})\s+{ENDS}(?=\s|$)", _unread),
    form("ESTABLISHED", rf"tcp[46]{{0,2}}\s+\d+\s+(?P<bytes>[1-9]\d{{0,12}})\s+{ENDS}\s+ESTABLISHED", _unread),
)
