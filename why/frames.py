"""Reads traces of AMQP 1.0 frames: which sender has used up the credit of its link.

Each client library has its own layout: Proton (PN_TRACE_FRM), Qpid JMS (the logger FRAMES), AmqpNetLite, rhea, go-amqp
and fe2o3-amqp.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.why.lines.amqp_client import NONE_LEFT
from tidegate.why.notices import Blocked, Cause, Released, Said

USED_UP = replace(
    NONE_LEFT,
    family="amqp frames",
    reason="the sender has used up the credit of its link, and the other end (a broker, or a router) grants no more: a "
    "limit of the destination, of the broker or of its disk is reached, or nobody consumes",
    ask="Artemis: AddressSize and getAddressSettingsAsJSON of the address; Broker-J: GET /api/latest/queue; RabbitMQ: "
    "`rabbitmq-diagnostics alarms`",
    tells_release=True,
)
MAYBE = replace(
    USED_UP,
    family="amqp frames of any link",
    reason="a flow frame leaves a link without credit, and the frames do not tell who sends on it: if that is the "
    "client, its sends wait; if that is the broker, the client takes no more messages, and no send waits",
    change="give the attach frame of the link too, and look up in the log of the broker which limit is reached",
)
SIGNS = ("handle", "Handle")
"""Each frame that counts here has the handle of its link."""
FRAME = re.compile(
    r"(?P<front>(?:^|.{0,400}?[^<>-]))(?P<way><-|->|\b(?:RECV|SENT|SEND|RX|TX)\b):?\s+"
    r"(?P<between>(?:AMQP: |\(ch=\d{1,5}\) |\([^()]{0,160}\): |frame=|Frame ?\{[^{}]{0,160}?(?:(?i:body): (?:Flow\(|"
    r"Transfer[ {(]|Attach\()?))?)@?"
    r"(?P<kind>[Ff]low|[Tt]ransfer|[Aa]ttach|[Dd]etach)(?:\(\d{1,3}\)|#[0-9a-f]{1,3})? ?(?P<fields>[\[{(].{0,2000})"
)
OUT = frozenset(("->", "SENT", "SEND", "TX"))
LINK = re.compile(r"(?P<link>\[(?![^\[\]]*\d:\d\d:)[^\[\]]{1,80}\](?:: ?(?:AMQP:)?(?:FRAME:)?\d{0,5})?)\W*\Z")
"""The connection and the channel in front of the direction; the time of a line is neither."""
VALUE = r"[\"']?\s?[=:]\s?(?:Some\()?(?:\w{1,20}\()?[\"']?(?P<value>"
FIGURES = {
    name: re.compile(rf"(?<![a-z-]){spelt}{VALUE}\d{{1,20}})", re.IGNORECASE)
    for name, spelt in (
        ("handle", "handle"),
        ("credit", "link[-_ ]?credit"),
        ("count", "delivery[-_ ]?count"),
        ("initial", "initial[-_ ]?delivery[-_ ]?count"),
    )
}
ROLE = re.compile(rf"\brole{VALUE}true|false|receiver|sender)", re.IGNORECASE)
NAME = re.compile(r"\bname[\"']?\s?[=:]\s?[\"']?(?P<value>[^\"',\]})]{1,300})", re.IGNORECASE)
ADDRESS = (
    r"[\"']?\s?[=:]\s?(?:[\w@#]{1,20}(?:\(\d{1,3}\))?)?[\s(]{0,2}[\[{(]?[\"']?\s?address[\"']?\s?[=:]\s?(?:Some\()?[\"']?"
    r"(?P<value>(?!(?:null|None|nil)\b)[^\"',\]})]{1,300})"
)
SOURCE, TARGET = (re.compile(rf"\b{end}{ADDRESS}", re.IGNORECASE) for end in ("source", "target"))
Handle = tuple[str, bool, int]
"""The connection and channel, whether the frame goes out, and the figure that its end gave to the link."""
GOES_ON = re.compile(r"\b(?:more|drain)[\"']?\s?[=:]\s?[Tt]rue", re.IGNORECASE)
"""A transfer with more frames behind it, or a flow that gives credit back."""


@dataclass
class _Link:
    """One link: the way of the frames of its receiver, if that is known, and the credit that is left."""

    name: str = ""
    address: str = ""
    receiver: bool | None = None
    credit: int | None = None
    granted_by: bool | None = None
    """The way of the last flow frame."""
    sent: int | None = None
    """The number of deliveries since the link was attached; None if that was not seen."""
    held: Cause | None = None
    """The cause that was told and holds."""
    of_consumer: bool = False
    """Whether the link takes messages from a queue, so that its receiver is a consumer and its sender the broker."""

    @property
    def client(self) -> str:
        """The sender, by the name of the link."""
        if self.receiver is None:
            return "the sender of a link, client or broker"
        return f"the sender of link {self.name}" if self.name else "a sender"

    def told(self) -> Iterator[Said]:
        """The statements that follow from the credit that is left."""
        if self.credit is not None and self.credit <= 0:
            if self.held is None and not self.of_consumer:
                self.held = MAYBE if self.receiver is None else USED_UP
                yield Blocked(self.held, self.address, self.client)
        else:
            yield from self.released(closes=False)

    def released(self, *, closes: bool) -> Iterator[Said]:
        """The statement that the sender waits no more, if a line told that it waits."""
        held, self.held = self.held, None
        if held is not None:
            yield Released((held.family,), self.address, self.client, closes=closes)


class Frames:
    """Reads frames line by line."""

    def __init__(self) -> None:
        self._links: dict[Handle, _Link] = {}
        self._named: dict[tuple[str, str], _Link] = {}

    def fed(self, text: str) -> Iterator[Said]:
        """The statements that follow from the frame in this line."""
        found = FRAME.match(text) if any(map(text.__contains__, SIGNS)) else None
        number = _figure("handle", found["fields"]) if found is not None else None
        if found is None or number is None:
            return
        of = LINK.search(found["front"])
        where = f"{of['link'] if of is not None else ''}{found['between'] if '(ch=' in found['between'] else ''}"
        handle, kind, fields = (where, found["way"] in OUT, number), found["kind"].lower(), found["fields"]
        if kind == "attach":
            yield from self._attached(handle, fields)
        elif kind == "flow":
            yield from self._granted(handle, fields)
        elif kind == "transfer" and not GOES_ON.search(fields):
            yield from self._sent(handle)
        elif kind == "detach" and handle in self._links:
            yield from self._links.pop(handle).released(closes=True)

    def _attached(self, handle: Handle, fields: str) -> Iterator[Said]:
        where, out, _ = handle
        name, role, target = NAME.search(fields), ROLE.search(fields), TARGET.search(fields)
        before = self._links.get(handle)
        if before is not None:
            yield from before.released(closes=True)
        called = name["value"] if name is not None else ""
        link = self._named.get((where, called)) if called else None
        if link is None or link is before:
            link = self._named[where, called] = _Link(called)
        if role is not None:
            receives = role["value"].lower() in ("true", "receiver")
            link.receiver = out is receives
            link.sent = link.sent if receives else _figure("initial", fields) or 0
        link.address = target["value"] if target is not None else link.address
        link.of_consumer = not link.address and (link.of_consumer or SOURCE.search(fields) is not None)
        self._links[handle] = link

    def _link(self, handle: Handle) -> _Link:
        """The link of a handle; without its attach frames both ends are taken to have given it the same handle."""
        where, out, number = handle
        if handle not in self._links:
            self._links[handle] = self._links.get((where, not out, number)) or _Link()
        return self._links[handle]

    def _granted(self, handle: Handle, fields: str) -> Iterator[Said]:
        link, credit, count = self._link(handle), _figure("credit", fields), _figure("count", fields)
        if credit is None or link.receiver not in (None, handle[1]) or GOES_ON.search(fields):
            return
        link.granted_by = handle[1]
        link.credit = credit if link.sent is None else (count or 0) + credit - link.sent
        yield from link.told()

    def _sent(self, handle: Handle) -> Iterator[Said]:
        link = self._link(handle)
        if link.receiver is None:
            yield from link.released(closes=True)
            # an outgoing transfer shows that the writer of the trace sends on the link; an incoming one may be in the
            # trace of a consumer, or of a broker to which a producer sends
            link.receiver = False if handle[1] else None
            link.credit = link.credit if link.granted_by is link.receiver else None
        if link.receiver is handle[1]:
            return
        link.sent = None if link.sent is None else link.sent + 1
        if link.credit is not None:
            link.credit -= 1
            yield from link.told()


def _figure(name: str, fields: str) -> int | None:
    found = FIGURES[name].search(fields)
    return int(found["value"]) if found is not None else None
