"""Reads ActiveMQ Classic's activemq.xml: policy entries by destination, and the limits that all destinations share."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tidegate.explain.branches import ALL_TOGETHER, Branches, in_both, one_of_branches
from tidegate.explain.matching.classic import common
from tidegate.explain.read.classic_misnamed import USAGES, misnamed, of_another_namespace
from tidegate.explain.read.classic_virtual import QUEUE, TOPIC, Forward, forwards
from tidegate.explain.read.spring import with_plain_beans
from tidegate.explain.read.unread import Unread, Unreadable
from tidegate.explain.read.xml_tree import Element, text_of
from tidegate.explain.sizes import read_number, read_size
from tidegate.explain.vocabulary import Figure, Origin, Word
from tidegate.record.errors import BadInput

CURSORS = {
    "vmQueueCursor": "memory",
    "vmCursor": "memory",
    "vmDurableCursor": "memory",
    "fileQueueCursor": "file",
    "fileCursor": "file",
    "storeCursor": "store",
    "storeDurableSubscriberCursor": "store",
    "fileDurableSubscriberCursor": "file",
}
"""By element, the place of waiting messages; `store` is files, or memory if the broker has no store."""
UNITS = "kmg"
BOOLEANS = {"true": "true", "false": "false", "1": "true", "0": "false"}
"""The words that the schema of an activemq.xml takes for true and false."""
SPLIT, PORTION = "splitSystemUsageForProducersConsumers", "producerSystemUsagePortion"
USUAL_PORTION = 60
"""The share of the memory, in per cent, that producers of a split broker may fill."""
REMOVED_IN = {"amqPersistenceAdapter": "5.9.0", "levelDB": "5.17.0", "replicatedLevelDB": "5.17.0"}
"""By store of messages that later releases do not have, the first release without it: its module ends before."""
WITHOUT_SIZE = {"jdbcPersistenceAdapter": "in a database", "memoryPersistenceAdapter": "in a store in memory"}
"""By element, the place of stored messages, if a broker takes the size of such a store for 0."""
_FILTERED, _JOURNAL, _REST = "filteredKahaDB", "journalMaxFileLength", ">"
_PARTS = ("destinationPolicy", "systemUsage")
"""Properties of a broker with limits."""
_BEANS = (
    *("policyMap", "policyEntry", "systemUsage", "usageManager", "memoryManager", *USAGES, *CURSORS),
    *("kahaDB", "mKahaDB", "jdbcPersistenceAdapter", "memoryPersistenceAdapter", *REMOVED_IN),
    *("virtualDestinationInterceptor", "compositeQueue", "compositeTopic", "virtualTopic", QUEUE, TOPIC),
)
"""Elements to which a property of a broker may refer by their id."""
DEEPEST = 8
"""The most levels of references to beans."""
TIMEOUT, AT_ONCE = "sendFailIfNoSpaceAfterTimeout", "sendFailIfNoSpace"
_TEMPORARY = {"tempQueue": QUEUE, "tempTopic": TOPIC}
"""By attribute of a policyEntry that stands for temporary destinations, their kind."""
_OF_ENTRIES = ("memoryLimit", "producerFlowControl", AT_ONCE, TIMEOUT)


@dataclass(frozen=True)
class PolicyEntry:
    """The settings for the destinations of a pattern; None for a missing setting."""

    kind: str
    """QUEUE or TOPIC."""
    match: str
    origin: Origin
    memory: Figure | None
    controlled: Word | None
    cursor: Word | None
    """`memory`, `file` or `store`."""
    fails_at_once: Word | None = None
    fails_after_ms: Figure | None = None
    store_mark: Figure | None = None
    """The percentage of the store from which on sends wait, if it is not the whole store."""
    kept_for_slow: Figure | None = None
    """The messages that a topic keeps for a slow subscriber that is not durable, beyond its prefetch."""


@dataclass(frozen=True)
class FilteredStore:
    """A store of its own for the queues of a pattern, which a mKahaDB holds: its limit (None: it has none)."""

    match: str
    origin: Origin
    limit: Figure | None
    journal_file: Figure | None
    """Bytes of one file of its journal."""
    is_shared: bool
    """Whether all queues of the pattern share it; otherwise each of them has one."""


@dataclass(frozen=True)
class ClassicFile:
    """The settings of an activemq.xml."""

    file: str
    entries: tuple[PolicyEntry, ...]
    declared: tuple[tuple[str, str], ...]
    """Kind and name of destinations that the file declares."""
    usage: dict[str, Figure]
    """Limits in bytes by USAGES."""
    heap_percent: dict[str, Figure]
    """Limits in percent of the heap or of the disk, by USAGES."""
    fails_at_once: Word | None
    fails_after_ms: Figure | None
    persistent: Word | None
    notes: tuple[str, ...]
    name: str = ""
    """The broker or part of the file, if it has several."""
    journal_file: Figure | None = None
    """Bytes of one file of the store's journal."""
    without_destination: tuple[Origin, ...] = ()
    """Policy entries that name no destination."""
    is_before_5: bool = False
    """Whether memory is limited in the form of releases before 5.0."""
    misnamed: tuple[tuple[Origin, str], ...] = ()
    """Misspelt or misplaced settings, each with a sentence about the error."""
    database: Origin | None = None
    """The line of a store whose size a broker takes for 0, with its element."""
    producers: Figure | None = None
    """The share of the memory, in per cent, that producers may fill; None if it is not split."""
    stores: tuple[FilteredStore, ...] = ()
    """The stores of a mKahaDB, in the order of the file."""
    unread: tuple[Unread, ...] = ()
    """The values that cannot be read."""
    old_store: Origin | None = None
    """The store of messages that releases since REMOVED_IN do not have; its part is its element."""
    system: Origin | None = None
    """The bean with the limits of all destinations. A limit that the bean lacks is no limit. None without a bean."""
    forwards: tuple[Forward, ...] = ()
    """The virtual destinations, which pass messages on to others, also the ones that a broker has by default."""


def from_tree(
    root: Element, name: str = "", *, is_template: bool = False, branches: Branches = ALL_TOGETHER
) -> tuple[ClassicFile, ...]:
    """The settings of each broker in an activemq.xml; values that cannot be read are collected.

    A template may hold a limit twice, in branches of which only one counts.
    """
    root = with_plain_beans(root)
    brokers = [root] if root.name == "broker" else list(root.all("broker"))
    several = len(brokers) > 1
    return tuple(
        _broker(root, each, _named(each, name) if several else name, is_template=is_template, branches=branches)
        for each in brokers or [root]
    )


def with_unknown_rest(read: ClassicFile, origin: Origin) -> ClassicFile:
    """A part of an activemq.xml, in which a missing setting is unknown: the rest of the file may have it."""
    hidden = {each: Figure(None, origin, "a limit that does not stand here") for each in USAGES}
    told = {(each.kind, each.match) for each in read.entries}
    rest = (PolicyEntry(kind, _REST, origin, Figure(None, origin), Word(None, origin), None) for kind in (QUEUE, TOPIC))
    return replace(
        read,
        usage={**hidden, **read.usage},
        entries=(*read.entries, *(each for each in rest if (each.kind, each.match) not in told)),
    )


def _of_entry(entry: PolicyEntry) -> tuple[str, str]:
    return entry.kind, entry.match


def _either_entry(one: PolicyEntry, other: PolicyEntry) -> PolicyEntry:
    """One entry for a pattern in two branches of a template; a value is unknown if the branches differ in it."""
    figure, word = Figure(None, other.origin), Word(None, other.origin)
    return replace(
        one,
        memory=in_both(one.memory, other.memory, figure),
        controlled=in_both(one.controlled, other.controlled, word),
        cursor=in_both(one.cursor, other.cursor, word),
        fails_at_once=in_both(one.fails_at_once, other.fails_at_once, word),
        fails_after_ms=in_both(one.fails_after_ms, other.fails_after_ms, figure),
        store_mark=in_both(one.store_mark, other.store_mark, figure),
        kept_for_slow=in_both(one.kept_for_slow, other.kept_for_slow, figure),
    )


def _outside_filters(broker: Element, *names: str) -> Iterator[Element]:
    """Every element of these names that belongs to the whole broker, not to one store of a mKahaDB."""
    inner = {id(each) for group in broker.all(_FILTERED) for each in group.all(*names)}
    yield from (each for each in broker.all(*names) if id(each) not in inner)


def _known(limit: Figure | None, percent: Figure | None) -> Figure | None:
    """A limit in bytes, or else one that is a share of something of unknown size."""
    return limit or (percent and replace(percent, value=None))


def _named(broker: Element, name: str) -> str:
    own = broker.attributes.get("brokerName") or broker.attributes.get("id") or f"line {broker.line}"
    return f"{name}, {own}" if name else own


def _broker(root: Element, broker: Element, name: str, *, is_template: bool, branches: Branches) -> ClassicFile:
    reading = _Reading()
    unknown = list(_with_references(broker, root))
    passed_over = (*of_another_namespace(broker), *_passed_over(broker, branches))
    usual = [each for group in broker.all("defaultEntry") for each in group.all("policyEntry")]
    others = [each for each in broker.all("policyEntry") if not any(each is one for one in usual)]
    of_all = [_for_all(each, kind) for each in usual for kind in (QUEUE, TOPIC)]
    entries = [entry for each in (*of_all, *others) for entry in reading.entries(each)]
    entries = one_of_branches(entries, branches, _of_entry, _either_entry, reading.notes)
    usage, percent = reading.usages(broker)
    if is_template:
        usage |= reading.differing(broker)
    for part, origin in unknown:
        reading.notes.append(f"{origin.file}:{origin.line}: {part} stands in another file, which was not read")
        if part == "systemUsage":
            usage |= {each: Figure(None, origin, "a limit in another file") for each in USAGES}
        if part == "destinationPolicy":
            hidden = (Figure(None, origin), Word(None, origin), None)
            entries += [PolicyEntry(kind, _REST, origin, *hidden) for kind in (QUEUE, TOPIC)]
    system = [each for each in broker.all("systemUsage", "usageManager") if each.attributes]
    at_once = next(filter(None, (reading.word(each, AT_ONCE, "systemUsage") for each in system)), None)
    after = next(filter(None, (reading.number(each, TIMEOUT, "systemUsage") for each in system)), None)
    declared = tuple(
        (each.name, _name_of(each.attributes["physicalName"]))
        for group in broker.all("destinations")
        for each in group.children
        if each.name in (QUEUE, TOPIC) and "physicalName" in each.attributes
    )
    whole = _outside_filters(broker, "kahaDB", "mKahaDB")
    journals = (reading.size(each, _JOURNAL, each.name) for each in whole)
    persistent = reading.word(broker, "persistent", "broker")
    if persistent is not None and persistent.value is None:
        where = f"{persistent.origin.file}:{persistent.origin.line}"
        reading.notes.append(f"{where}: if persistent is false, what waits in queues is kept in memory")
    passed_on = tuple(forwards(broker))
    reading.notes += [*_of_usual_topics(passed_on, entries), *_mirrored(broker), *_delayed(broker)]
    return ClassicFile(
        root.file,
        tuple(entries),
        declared,
        usage,
        percent,
        at_once,
        after,
        persistent,
        tuple(reading.notes),
        name,
        next(filter(None, journals), None),
        tuple(reading.without_destination),
        next(broker.all("usageManager"), None) is not None,
        (*passed_over, *reading.misnamed, *misnamed(broker)),
        next((each.origin(each.name) for each in broker.all(*WITHOUT_SIZE)), None),
        reading.share(broker),
        tuple(reading.stores(broker)),
        tuple(reading.unread.found),
        next((each.origin(each.name) for each in broker.all(*REMOVED_IN)), None),
        _bean_of_limits(broker),
        passed_on,
    )


def _of_usual_topics(passed_on: tuple[Forward, ...], entries: list[PolicyEntry]) -> Iterator[str]:
    """A note on the topics that pass messages on by default, if the file limits the queues behind them."""
    for forward in passed_on:
        if forward.origin.line:
            continue
        (behind,) = forward.targets_of(forward.name)
        if any(_holds_back(each) and common(each.match, behind.name) for each in entries if each.kind == QUEUE):
            yield (
                f"a send to a topic {forward.name} also goes to the queues {behind.name}, and waits for their limits: "
                "--destination topic:VirtualTopic.NAME shows them"
            )


def _mirrored(broker: Element) -> Iterator[str]:
    """A note on the topics to which a broker sends a copy of each message to a queue."""
    found = next(broker.all("mirroredQueue"), None)
    is_usual = broker.attributes.get("useMirroredQueues", "").strip() in ("true", "1")
    if found is not None or (is_usual and next(broker.all("destinationInterceptors"), None) is None):
        line = broker.lines.get("useMirroredQueues", broker.line) if found is None else found.line
        said = {} if found is None else found.attributes
        name = f"{said.get('prefix', 'VirtualTopic.Mirror.')}QUEUE{said.get('postfix', '')}"
        yield (
            f"{broker.file}:{line}: each message to a queue also goes to the topic {name}, and its send waits for the "
            "limits of that topic too"
        )


def _delayed(broker: Element) -> Iterator[str]:
    """A note on the limit of the messages that a broker delivers at a later time."""
    if broker.attributes.get("schedulerSupport", "").strip() in ("true", "1"):
        for each in broker.all("jobSchedulerUsage"):
            limit = each.attributes.get("limit", each.attributes.get("percentLimit"))
            if limit is not None:
                yield (
                    f"{broker.file}:{each.line}: a send with a delivery time or a schedule also waits for room in the "
                    f"store of the scheduler (jobSchedulerUsage {limit})"
                )


def _holds_back(entry: PolicyEntry) -> bool:
    """Whether an entry has a limit of memory that may hold producers back."""
    return entry.memory is not None and (entry.controlled is None or entry.controlled.value != "false")


def _with_references(element: Element, root: Element, depth: int = 0) -> Iterator[tuple[str, Origin]]:
    """Put each bean to which a property refers by its id into the property; properties whose bean is not there."""
    own = list(element.children)
    added: list[Element] = []
    for each in own if depth < DEEPEST else ():
        if each.name == "ref":
            added += _with_id(root, each.attributes.get("bean", each.attributes.get("local", "")))
    for name, value in list(element.attributes.items()):
        found = _with_id(root, value[1:]) if value.startswith("#") else []
        if found and depth < DEEPEST:
            line = element.lines.get(name, element.line)
            added.append(Element(element.file, name, {}, line, {}, children=found, label=found[0].label))
        elif value.startswith("#") and name in _PARTS:
            yield name, element.origin(name, name)
    element.children += added
    for each in own:
        yield from _with_references(each, root, depth)
    for each in added:
        yield from _with_references(each, root, depth + 1)


def _with_id(root: Element, name: str) -> list[Element]:
    """A copy of the first bean with this id; empty if there is none."""
    found = next((each for each in root.all(*_BEANS) if name and each.attributes.get("id") == name), None)
    return [] if found is None else [replace(found, children=list(found.children))]


def _bean_of_limits(broker: Element) -> Origin | None:
    """The systemUsage in which the limits of all destinations stand."""
    beans = [each for outer in broker.all("systemUsage") for each in outer.children if each.name == "systemUsage"]
    beans += [each for each in broker.children if broker.name == each.name == "systemUsage"]
    return beans[-1].origin("systemUsage") if beans else None


def _for_all(entry: Element, kind: str) -> Element:
    """The settings of every queue, or of every topic, that no other entry stands for."""
    plain = {key: value for key, value in entry.attributes.items() if key not in (QUEUE, TOPIC)}
    return replace(entry, attributes={**plain, kind: ">"})


def _passed_over(broker: Element, branches: Branches) -> Iterator[tuple[Origin, str]]:
    """Remove elements that a broker holds twice but reads once (the last one counts), and tell of misplaced entries."""
    for name in ("destinationPolicy", "systemUsage"):
        found = [each for each in broker.children if each.name == name]
        dropped = [each for each in found[:-1] if not branches.exclude(each.line, found[-1].line)]
        for each in dropped:
            yield each.origin("broker"), f"this {name} has no effect: the last one counts (line {found[-1].line})."
        broker.children[:] = [each for each in broker.children if not any(each is one for one in dropped)]
    for group in broker.all("policyMap"):
        for each in group.children:
            if each.name == "policyEntry":
                yield each.origin("policyMap"), "policyEntry has no effect in policyMap: it belongs in policyEntries."


def _name_of(text: str) -> str:
    """The name of a destination without the options behind it."""
    return text.partition("?")[0].strip()


class _Reading:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.without_destination: list[Origin] = []
        self.misnamed: list[tuple[Origin, str]] = []
        self.unread = Unreadable()

    def entries(self, element: Element) -> list[PolicyEntry]:
        """An entry for each pattern of a policyEntry, which may name several, separated by commas."""
        found: list[PolicyEntry] = []
        named = {kind: element.attributes.get(kind, "") for kind in (QUEUE, TOPIC)}
        for each in (each for group in element.all("destination") for each in group.children):
            if each.name in named:
                named[each.name] = named[each.name] or each.attributes.get("physicalName", "")
        for key, kind in _TEMPORARY.items():
            if element.attributes.get(key) == "true":
                place = element.origin(key, key)
                said = [f"{name} {element.attributes[name]}" for name in _OF_ENTRIES if name in element.attributes]
                limits = ", ".join(said) or "no limit of memory of their own"
                says = f"temporary {kind}s have the settings of this entry: {limits}; no other entry stands for them"
                self.notes.append(f"{place.file}:{place.line}: {says}")
        if not any(named.values()) and not {*_TEMPORARY} & {*element.attributes}:
            self.without_destination.append(element.origin("policyEntry"))
        if all(kind in element.attributes for kind in (QUEUE, TOPIC)) and not element.label:
            named[QUEUE] = ""  # the topic is set last and goes before the queue
        for kind in (QUEUE, TOPIC):
            for match in filter(None, (_name_of(each) for each in named[kind].split(","))):
                part = f'policyEntry {kind}="{match}"'
                self._of_placeholder(match, element.origin(part, kind), kind)
                memory = self.size(element, "memoryLimit", part)
                controlled = self.word(element, "producerFlowControl", part)
                found.append(
                    PolicyEntry(
                        kind,
                        match,
                        element.origin(part, kind),
                        memory,
                        controlled,
                        self._cursor(element, kind, part),
                        self.word(element, AT_ONCE, part),
                        self.number(element, TIMEOUT, part),
                        self.number(element, "storeUsageHighWaterMark", part),
                        self._kept_for_slow(element, part),
                    )
                )
        return found

    def _of_placeholder(self, match: str, origin: Origin, kind: str) -> None:
        """Note a pattern that a placeholder hides."""
        if "${" in match:
            says = f"the {kind} is a placeholder: other {kind}s than those told here may have these settings"
            self.notes.append(f"{origin.file}:{origin.line}: {says}")

    def _cursor(self, element: Element, kind: str, part: str) -> Word | None:
        policy = element.child("pendingQueuePolicy" if kind == QUEUE else "pendingSubscriberPolicy")
        for each in policy.all(*CURSORS) if policy else ():
            if each.name in CURSORS:
                return Word(CURSORS[each.name], each.origin(part))
        return None

    def _kept_for_slow(self, element: Element, part: str) -> Figure | None:
        """The figure of a pendingMessageLimitStrategy; unknown if it is a multiple of the prefetch."""
        policy = element.child("pendingMessageLimitStrategy")
        for each in policy.children if policy is not None else ():
            if each.name == "constantPendingMessageLimitStrategy":
                return self.number(each, "limit", part)
            if each.name == "prefetchRatePendingMessageLimitStrategy":
                return Figure(None, each.origin(part))
        return None

    def usages(self, broker: Element) -> tuple[dict[str, Figure], dict[str, Figure]]:
        usage: dict[str, Figure] = {}
        percent: dict[str, Figure] = {}
        for each in _outside_filters(broker, *USAGES):
            limit, part = self.limit_of(each)
            if limit is not None:
                usage[each.name] = limit
            if part is not None:
                percent[each.name] = part
        for each in broker.all("usageManager"):  # before 5.0 memoryUsage is called usageManager
            if (limit := self.size(each, "limit", "usageManager")) is not None:
                usage.setdefault("memoryUsage", limit)
        return usage, percent

    def differing(self, broker: Element) -> dict[str, Figure]:
        """The limits that branches of a template set differently, which are therefore not known."""
        found: dict[str, Figure] = {}
        for key in USAGES:
            inner = [each for each in _outside_filters(broker, key) if each.attributes]
            if len({tuple(sorted(each.attributes.items())) for each in inner}) > 1:
                origin = inner[-1].origin(key)
                found[key] = Figure(None, origin, "a limit that branches of a template set differently")
                where = f"{origin.file}:{origin.line}"
                self.notes.append(
                    f"{where}: branches of a template set {key} differently: which one counts is not known"
                )
        return found

    def limit_of(self, element: Element) -> tuple[Figure | None, Figure | None]:
        """The limit of one of USAGES in bytes, or in per cent of the heap or of the disk."""
        key, percent = element.name, None
        limit, total = self.size(element, "limit", key), self.size(element, "total", key)
        for name in ("percentOfJvmHeap", "percentLimit"):
            if (part := self.number(element, name, key)) is not None:
                what = "heap" if name == "percentOfJvmHeap" else "disk"
                if limit is not None and what == ("heap" if key == "memoryUsage" else "disk"):
                    self.misnamed.append((limit.origin, f"limit has no effect in {key}: {name} counts."))
                    limit = None
                share = "a part" if part.value is None else f"{part.value} %"
                percent = replace(part, text=f"{share} of the {what}")
                if total is not None and total.value and part.value is not None and limit is None:
                    whole = f"{key}, {part.value} % of {total.text}"
                    limit = Figure(total.value * part.value // 100, replace(part.origin, part=whole))
                    percent = None
                elif total is not None and total.value is None and limit is None:
                    limit, percent = Figure(None, part.origin, f"{share} of a total that is not known"), None
        return limit, percent

    def share(self, broker: Element) -> Figure | None:
        """The share of the memory, in per cent, that producers may fill; None if the broker does not split it."""
        is_split = self.word(broker, SPLIT, "broker")
        if is_split is None or is_split.value == "false":
            return None
        said = self.number(broker, PORTION, "broker")
        share = said if said is not None else Figure(USUAL_PORTION, is_split.origin)
        return replace(share, value=None) if is_split.value is None else share

    def stores(self, broker: Element) -> Iterator[FilteredStore]:
        """The stores of a mKahaDB, each with the limit of its own usage."""
        for each in broker.all(_FILTERED):
            if (topic := each.attributes.get(TOPIC)) and QUEUE not in each.attributes:
                part = f'{_FILTERED} topic="{topic}"'
                limit = None
            else:
                part = f'{_FILTERED} queue="{each.attributes[QUEUE]}"' if QUEUE in each.attributes else _FILTERED
                usages = [usage for group in each.all("usage") for usage in group.all("storeUsage")]
                limit = next((_known(*self.limit_of(usage)) for usage in usages), None)
            journal = next((self.size(inner, _JOURNAL, part) for inner in each.all("kahaDB")), None)
            limit = limit and replace(limit, origin=replace(limit.origin, part=part))
            match = each.attributes.get(QUEUE, "" if topic else _REST)
            alone = self.word(each, "perDestination", part)
            yield FilteredStore(match, each.origin(part), limit, journal, alone is None or alone.value == "false")

    def size(self, element: Element, key: str, part: str) -> Figure | None:
        if key not in element.attributes:
            return None
        origin = element.origin(part, key)
        text = self._text(element, key, origin)
        if text is None:
            return Figure(None, origin)
        value = self.unread.attempt(lambda: read_size(text, origin, key, 0, units=UNITS), None)
        return Figure(value, origin, text)

    def number(self, element: Element, key: str, part: str) -> Figure | None:
        if key not in element.attributes:
            return None
        origin = element.origin(part, key)
        text = self._text(element, key, origin)
        value = None if text is None else self.unread.attempt(lambda: read_number(text, origin, key), None)
        return Figure(value, origin)

    def word(self, element: Element, key: str, part: str) -> Word | None:
        if key not in element.attributes:
            return None
        origin = element.origin(part, key)
        text = self._text(element, key, origin)
        text = text and (text.strip().lower() if element.label else text.strip())
        if text is not None and text not in BOOLEANS:
            error = BadInput(f"expected true or false, not {text!r}", file=origin.file, line=origin.line, field=key)
            self.unread.found.append(Unread(error))
            return Word(None, origin)
        return Word(text and BOOLEANS[text], origin)

    def _text(self, element: Element, key: str, origin: Origin) -> str | None:
        text, names = text_of(element, key)
        for name in names:
            taken = f"its default is taken: {text}" if text is not None else "its value is not known here"
            self.notes.append(f"{origin.file}:{origin.line}: {key} is a placeholder ({name.split(':')[0]}); {taken}")
        return text
