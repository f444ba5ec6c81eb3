"""Reads Artemis' broker.xml: address settings by match, acceptors, and the limits that all addresses share."""

import re
from collections.abc import Callable, Iterator
from operator import attrgetter

from tidegate.explain.branches import ALL_TOGETHER, Branches, one_of_branches
from tidegate.explain.placeholders import TEMPLATE, filled
from tidegate.explain.read.artemis_file import (
    Acceptor,
    AddressSetting,
    ArtemisFile,
    Divert,
    Ring,
    either_acceptor,
    either_setting,
)
from tidegate.explain.read.artemis_misnamed import SETTINGS, misnamed
from tidegate.explain.read.artemis_properties import PASSED_OVER
from tidegate.explain.read.artemis_syntax import PLAIN, USUAL, Syntax
from tidegate.explain.read.unread import REFUSED, Unread, Unreadable
from tidegate.explain.read.urls import parameters
from tidegate.explain.read.xml_tree import Element, text_of
from tidegate.explain.sizes import read_number, read_size, shown
from tidegate.explain.vocabulary import Figure, Origin, Word
from tidegate.record.errors import BadInput

BYTES = ("max-size-bytes", "max-size-bytes-reject-threshold", "page-limit-bytes", "page-size-bytes")
MESSAGES = ("max-size-messages", "page-limit-messages", "default-ring-size")
POLICIES = {
    "address-full-policy": ("BLOCK", "PAGE", "FAIL", "DROP"),
    "page-full-policy": ("FAIL", "DROP"),
    "disk-full-policy": ("BLOCK", "FAIL", "DROP"),
}
"""By key, the words that a broker accepts, only in capitals."""
CREDITS = ("amqpCredits", "amqpLowCredits")
WITHOUT_UNIT = ("max-disk-usage", "global-max-size-percent-of-jvm-max-memory")
"""Figures that are no longs in the broker: as broker properties they take no unit, and another text is taken for 0."""
NO_LIMIT_BELOW_0 = ("max-size-bytes", "max-size-bytes-reject-threshold", "max-size-messages")
"""Figures that a broker takes below -1 too (the parser of 2.44.0), for which it then has no limit."""
LEAST_FIGURE = -(1 << 63)
TAKEN_FOR_0 = "the broker takes it for 0"
"""What a broker does with a text in place of such a figure or of credits, as runs of Artemis 2.44.0 showed."""
NO = ("false", "no", "n", "off", "0")
"""The words for false of broker properties."""
ONLY_CORE = ("http-acceptor", "in-vm-acceptor")
"""Acceptors of an application server (WildFly) for its own clients, which use Core."""
OF_SERVER = (*ONLY_CORE, "remote-acceptor")
RING = "ring-size"
FACTORY_WINDOW = "producer-window-size"
TWO = 2
"""The signs of literal-match-markers."""
UNREAD = "a file that was not read"
REST_OF_IT = "the rest of the configuration"
ELSEWHERE = (UNREAD, REST_OF_IT)
"""The places of settings that are not known because they do not stand in the text."""
OTHER_PARTS = re.compile(
    r"accept|bridge|broadcast|cluster|connect|discover|divert|federat|jaas|metric|plugin|policy|security|store|user",
    re.I,
)
"""Parts of names of included files that hold no address-settings."""
MOVES = ("dead-letter-address", "expiry-address")
OF_HEAP = "global-max-size-percent-of-jvm-max-memory"
_OF_NONE = "an empty match stands for no address: what is set here has no effect."


def from_tree(
    root: Element,
    name: str = "",
    unread: Unreadable | None = None,
    *,
    is_template: bool = False,
    branches: Branches = ALL_TOGETHER,
) -> ArtemisFile:
    """The settings of a broker.xml; settings that cannot be read are added to `unread`.

    A template may hold a setting twice, in branches of which only one counts.
    """
    reading = _Reading(unread or Unreadable(), is_template=is_template)
    core = core_of(root)
    reading.note_hidden(core)
    syntax = reading.syntax(core)
    if (markers := core.last_child("literal-match-markers")) is not None and len(markers.text.strip()) == TWO:
        reading.markers = markers.text.strip()
    every = [reading.setting(each, syntax) for each in _counting(core)]
    every += reading.hidden_settings(core, [each.match for each in every])
    of_none = tuple((each.origin, _OF_NONE) for each in every if not each.match)
    every = [each for each in every if each.match]
    every = one_of_branches(every, branches, attrgetter("match"), either_setting, reading.notes)
    first: dict[str, AddressSetting] = {}
    for each in every:
        first.setdefault(each.match, each)
    settings = tuple(first.values())
    all_acceptors = [reading.acceptor(each) for each in core.all("acceptor", *OF_SERVER)]
    acceptors = tuple(one_of_branches(all_acceptors, branches, attrgetter("name"), either_acceptor, reading.notes))
    connectors = core.child("connectors")
    journal = core.child("journal") or core  # WildFly has the limits of all addresses there
    windows = (*(reading.windows(connectors) if connectors else ()), *reading.windows_of_factories(core))
    addresses = tuple(
        (syntax.usual(_with_defaults(each.attributes["name"])), each.origin("the address itself"))
        for group in core.all("addresses")
        for each in group.children
        if each.name == "address" and each.attributes.get("name")
    ) + tuple(_of_old_queues(core, syntax))
    return ArtemisFile(
        root.file,
        settings,
        acceptors,
        addresses,
        reading.figure(core, "global-max-size", "the whole broker", in_bytes=True)
        or reading.figure(journal, "global-max-memory-size", "the whole broker", in_bytes=True),
        reading.figure(core, "global-max-messages", "the whole broker", in_bytes=False),
        reading.figure(core, "max-disk-usage", "the whole broker", in_bytes=False)
        or reading.figure(journal, "global-max-disk-usage", "the whole broker", in_bytes=False),
        windows,
        tuple(reading.notes),
        tuple((each, first[each.match].origin) for each in every if first[each.match] is not each),
        reading.switch(core, "persistence-enabled", "the whole broker"),
        name,
        (*misnamed(root, core), *of_none),
        reading.figure(core, OF_HEAP, "the whole broker", in_bytes=False),
        reading.text(core, "management-address", "the whole broker"),
        disk_free=reading.figure(core, "min-disk-free", "the whole broker", in_bytes=True),
        disk_scan=reading.figure(core, "disk-scan-period", "the whole broker", in_bytes=False, what="a time in ms"),
        unread=tuple(reading.unread.found),
        diverts=tuple(_diverts(core, syntax)),
        rings=tuple(reading.rings(core, syntax)),
        syntax=syntax,
    )


def _of_old_queues(core: Element, syntax: Syntax) -> Iterator[tuple[str, Origin]]:
    """The addresses of queues that stand in `queues`, as early releases have them."""
    for group in core.all("queues"):
        for each in group.children:
            found = each.child("address")
            if each.name == "queue" and found is not None and found.text.strip():
                yield syntax.usual(found.text.strip()), found.origin("the address itself")


def _diverts(core: Element, syntax: Syntax) -> Iterator[Divert]:
    """The diverts of a file; an application server writes their settings as attributes."""
    for each in core.all("divert"):
        of, to = _plain_of(each, "address", "divert-address"), _plain_of(each, "forwarding-address")
        if not of or not to:
            continue
        name = each.attributes.get("name", "")
        of, to = _with_defaults(of), _with_defaults(to)
        targets = tuple(syntax.usual(part.strip()) for part in to.split(",") if part.strip())
        is_filtered = each.child("filter") is not None or "filter" in each.attributes
        keeps_nothing = _plain_of(each, "exclusive").lower() == "true" and not is_filtered
        yield Divert(name, each.origin(f"divert {name}".strip()), syntax.usual(of), targets, keeps_nothing)


def _with_defaults(name: str) -> str:
    """A name with the defaults of its placeholders; the name as it stands if one of them has none."""
    return filled(name).text or name


def _plain_of(element: Element, *keys: str) -> str:
    """The text of the first child or attribute of these names; empty if there is none."""
    found = element.child(*keys)
    said = next((element.attributes[key] for key in keys if key in element.attributes), "")
    return (found.text if found is not None else said).strip()


def core_of(root: Element) -> Element:
    """The element whose children are the settings of the broker."""
    inner = root.child("core")
    return root if inner is None or root.child("address-settings", "acceptors") else inner


def _counting(core: Element) -> Iterator[Element]:
    """The address settings that a broker reads: within `core`, only the first group."""
    groups = list(core.all(SETTINGS)) if core.name == "core" else []
    return (groups[0] if groups else core).all("address-setting")


def _unread(place: Element) -> Element | None:
    """An element that includes an unread file, unless the file's name suggests another part of a broker.xml."""
    for each in place.children:
        if each.name == "include" and OTHER_PARTS.search(each.attributes.get("href", "").rpartition("/")[2]) is None:
            return each
    return None


def _number(text: str | None, origin: Origin, key: str) -> Callable[[], int | None]:
    """The reader of a whole number; None for an unknown text."""
    return lambda: None if text is None else read_number(text, origin, key)


class _Reading:
    def __init__(self, unread: Unreadable, *, is_template: bool) -> None:
        self.notes: list[str] = []
        self.unread = unread
        self.is_template = is_template
        self.markers = ""
        """The two signs around a match that stands for one address, whatever is in it; empty if there are none."""

    def note_hidden(self, core: Element) -> None:
        """Note that settings which a template inserts as a whole are unknown."""
        for element in (core, *core.all(SETTINGS, "address-setting")):
            if "${" in element.text or element.child(TEMPLATE) is not None:
                self.notes.append(f"{element.file}:{element.line}: a template sets something in {element.name} here, "
                                  "which is not known")  # fmt: skip

    def hidden_settings(self, core: Element, matches: list[str]) -> Iterator[AddressSetting]:
        """Unknown settings for other addresses, if a template or an unread file has address-settings."""
        group = next(core.all(SETTINGS), None)
        if "#" in matches:
            return
        hidden = next((each for each in matches if "${" in each), None)
        inserts = group is not None and ("${" in group.text or group.child(TEMPLATE) is not None)
        if group is not None and (hidden is not None or inserts):
            origin = group.origin("a template")
        elif (unread := _unread(core if group is None else group)) is not None:
            origin = unread.origin(UNREAD)
        else:
            return
        unknown = Figure(None, origin)
        yield AddressSetting("#", origin, {"max-size-bytes": unknown}, {"address-full-policy": Word(None, origin)})

    def figure(self, parent: Element, key: str, part: str, *, in_bytes: bool, what: str = "") -> Figure | None:
        """The figure of a child; None if there is no such child."""
        found = self._said(parent, key, part)
        if found is None:
            return None
        text, origin, label = found
        if text is None:
            return Figure(None, origin)
        element = parent.last_child(key)
        is_plain = element is None  # an attribute, as application servers write it, takes no unit
        has_unit = in_bytes and not is_plain
        does = REFUSED
        instead: int | None = None
        if element is not None and element.is_property:
            does, instead = (TAKEN_FOR_0, 0) if key in WITHOUT_UNIT else (PASSED_OVER, None)
            has_unit = key not in WITHOUT_UNIT
        what = what or ("a size in bytes" if in_bytes else "a number of messages")

        least = LEAST_FIGURE if key in NO_LIMIT_BELOW_0 else -1

        def read() -> int | None:
            if has_unit and not re.fullmatch(r"\+\d+", text.strip()):
                return read_size(text, origin, label, least, what=what)
            return read_number(text, origin, label, least)

        value = self.unread.attempt(read, instead, does)
        if value is None:
            return Figure(None, origin, text) if does == REFUSED else None
        value = max(value, -1)
        if in_bytes and text.endswith("b") and text[-2:-1].isupper():  # the form of Artemis itself
            self.notes.append(f"{origin.file}:{origin.line}: {text} is {shown(value)}, not bits")
        return Figure(value, origin, text)

    def switch(self, parent: Element, key: str, part: str) -> Word | None:
        """The true or false of a child; None if there is no such child."""
        found = self._said(parent, key, part)
        if found is None:
            return None
        said, element = found[0] and found[0].lower(), parent.last_child(key)
        if element is not None and element.is_property and said in NO:
            said = "false"
        return Word(said, found[1])

    def text(self, parent: Element, key: str, part: str) -> Word | None:
        """The text of a child; None if there is no such child, or it is empty."""
        found = parent.last_child(key)
        if found is None or not found.text.strip():
            return None
        return Word(text_of(found)[0], found.origin(part))

    def syntax(self, core: Element) -> Syntax:
        """The syntax of addresses in the file."""
        found = next(core.all("wildcard-addresses"), None)
        if found is None:
            return Syntax()
        said = {key: (each.text.strip() if (each := found.child(key)) else "") for key in USUAL}
        syntax = Syntax(*((said[key] or usual)[0] for key, usual in USUAL.items()))
        for key in (key for key, text in said.items() if len(text) > 1):
            self.notes.append(f"{found.file}:{found.line}: a broker reads only the first sign of {key} {said[key]}")
        if syntax != Syntax():
            self.notes.append(f"{found.file}:{found.line}: names are shown with . * and # here; "
                              "--destination takes a name as the broker has it")  # fmt: skip
        return syntax

    def _said(self, parent: Element, key: str, part: str) -> tuple[str | None, Origin, str] | None:
        """Text, origin and name of a child, or of an attribute, as application servers write it."""
        found = parent.last_child(key)
        if found is not None:
            (text, names), origin = text_of(found), found.origin(part)
            if self.is_template and len({each.text.strip() for each in parent.children if each.name == key}) > 1:
                self.notes.append(f"{origin.file}:{origin.line}: branches of a template set {key} differently: which "
                                  "one counts is not known")  # fmt: skip
                return None, origin, found.label or key
        elif key in parent.attributes:
            (text, names), origin = text_of(parent, key), parent.origin(part, key)
        else:
            return None
        self._note(origin, key, names, text)
        return text, origin, found.label or key if found is not None else key

    def setting(self, element: Element, syntax: Syntax) -> AddressSetting:
        match = element.attributes.get("match", element.attributes.get("name"))
        if match is None:
            expected = "expected an attribute match"
            error = BadInput(expected, file=element.file, line=element.line, field="address-setting")
            self.unread.found.append(Unread(error))
            match = ""
        match = filled(match).text or match
        if "${" in match:
            self.notes.append(f"{element.file}:{element.line}: the match is a placeholder: other addresses than those "
                              "told here may have these settings")  # fmt: skip
        if self.markers and match.startswith(self.markers[0]) and match.endswith(self.markers[1]):
            match = self._literal(match[1:-1], syntax, element)
        for sign in syntax.plain(match):
            where = f"{element.file}:{element.line}"
            self.notes.append(
                f"{where}: {sign} is a plain sign, shown as {PLAIN[sign]}: the signs of patterns are others"
            )
        match = syntax.usual(match)
        part = f"match {match}"
        figures = {
            key: found
            for keys, in_bytes in ((BYTES, True), (MESSAGES, False))
            for key in keys
            if (found := self.figure(element, key, part, in_bytes=in_bytes)) is not None
        }
        policies = {key: word for key in POLICIES if (word := self._policy(element, key, part)) is not None}
        if element.child(TEMPLATE) is not None:  # the insertion may set any of them
            hidden = element.origin(part)
            figures = {"max-size-bytes": Figure(None, hidden), **figures}
            policies = {"address-full-policy": Word(None, hidden), **policies}
        moves = {key: word for key in MOVES if (word := self.text(element, key, part)) is not None}
        return AddressSetting(match, element.origin(part), figures, policies, moves)

    def _literal(self, match: str, syntax: Syntax, element: Element) -> str:
        """A match that stands for the address of this very name, with its wildcards as plain words."""
        signs = {syntax.one: PLAIN["*"], syntax.rest: PLAIN["#"], "*": PLAIN["*"], "#": PLAIN["#"]}
        shown = "".join(sign if sign == syntax.delimiter else signs.get(sign, sign) for sign in match)
        self.notes.append(f"{element.file}:{element.line}: {match} is the name of one address (literal-match-markers), "
                          f"shown as {shown}")  # fmt: skip
        return shown

    def _policy(self, element: Element, key: str, part: str) -> Word | None:
        found = self._said(element, key, part)
        if found is None:
            return None
        text, origin, label = found
        if text is not None and text not in POLICIES[key]:
            expected = f"expected one of {', '.join(POLICIES[key])} in capital letters, not {text!r}"
            named = element.last_child(key)
            does = PASSED_OVER if named is not None and named.is_property else REFUSED
            error = BadInput(expected, file=origin.file, line=origin.line, field=label)
            self.unread.found.append(Unread(error, does))
            return Word(None, origin) if does == REFUSED else None
        return Word(text, origin)

    def acceptor(self, element: Element) -> Acceptor:
        url, _ = text_of(element)
        name = element.attributes.get("name", "without a name")
        origin = element.origin(f"acceptor {name}")
        if element.name in ONLY_CORE:
            return Acceptor(name, origin, ("CORE",), {})
        if url is None:  # the placeholder hides only one figure, not the rest of the URL
            url = element.text.strip()
        of_its_own = {
            each.attributes.get("key") or each.attributes.get("name", ""): each.attributes.get("value", "")
            for each in element.all("param")
        }
        values = {**parameters(url), **of_its_own}
        protocols = tuple(filter(None, re.split(r"[,\s]+", (filled(values.get("protocols", "")).text or "").upper())))
        issued: dict[str, Figure] = {}
        for key in CREDITS:
            if key in values:
                known = filled(values[key]).text
                self._note(origin, key, filled(values[key]).names, known)
                of_text = self.unread.attempt(_number(known, origin, key), 0, TAKEN_FOR_0)
                issued[key] = Figure(of_text, origin)
        return Acceptor(name, origin, protocols, issued)

    def windows(self, connectors: Element) -> Iterator[Figure]:
        for element in connectors.all("connector"):
            values = parameters(element.text.strip())
            known = filled(values.get("producerWindowSize", "")).text
            if known:
                origin = element.origin(f"connector {element.attributes.get('name', '')}".strip())
                read = _number(known, origin, "producerWindowSize")
                yield Figure(self.unread.attempt(read, None, "its producers have a window that is not known"), origin)

    def windows_of_factories(self, core: Element) -> Iterator[Figure]:
        """The windows of the producers of an application server's connection factories."""
        for element in core.all("connection-factory", "pooled-connection-factory"):
            found = self._said(element, FACTORY_WINDOW, f"{element.name} {element.attributes.get('name', '')}".strip())
            if found is not None:
                text, origin, label = found
                read = _number(text, origin, label)
                yield Figure(self.unread.attempt(read, None), origin)

    def rings(self, core: Element, syntax: Syntax) -> Iterator[Ring]:
        """The queues that have a ring size of their own."""
        for address in (each for group in core.all("addresses") for each in group.all("address")):
            for queue in address.all("queue"):
                name = queue.attributes.get("name", "")
                size = self.figure(queue, RING, f"queue {name}", in_bytes=False)
                if size is not None and size.value != -1:
                    yield Ring(syntax.usual(address.attributes.get("name", "")), name, size)

    def _note(self, origin: Origin, key: str, names: tuple[str, ...], text: str | None) -> None:
        for name in names:
            taken = f"its default is taken: {text}" if text is not None else "its value is not known here"
            self.notes.append(f"{origin.file}:{origin.line}: {key} is a placeholder ({name.split(':')[0]}); {taken}")
