"""Reads virtualhosts.xml of the Qpid Java broker up to 0.20: the levels of queues, and of all queues of a virtual
host."""

from collections.abc import Iterator

from tidegate.explain.names import OF_OLD, OLD_QUEUE, OLD_STORE, wrong
from tidegate.explain.read.qpid_file import Host, Levels, QpidFile, Queue
from tidegate.explain.read.unread import Unreadable
from tidegate.explain.read.xml_tree import Element, text_of
from tidegate.explain.sizes import read_number
from tidegate.explain.vocabulary import Figure, Origin, Word


def from_tree(root: Element, name: str = "") -> QpidFile:
    """The settings of a virtualhosts.xml; values that cannot be read are collected."""
    reading = _Reading()
    hosts: list[Host] = []
    queues: list[Queue] = []
    for element in root.all("virtualhost"):
        if element.children:
            host, its = reading.host(element)
            hosts.append(host)
            queues += its
    wrongly = tuple(dict.fromkeys(_misnamed(root)))
    unread = tuple(reading.unread.found)
    return QpidFile(root.file, False, tuple(hosts), tuple(queues), tuple(reading.notes), name, wrongly, unread)


def _misnamed(root: Element) -> Iterator[tuple[Origin, str]]:
    """Misspelt or misplaced settings, each with a sentence about the error."""
    stores = list(root.all("store"))
    below = {id(each) for group in root.all("queues") for each in (group, *group.all(*_names_below(group)))}
    for element in (each for host in root.all("virtualhost") for each in (host, *host.all(*_names_below(host)))):
        is_store = any(element is each for each in stores)
        if not is_store and id(element) not in below and not element.child("queues", "capacity"):
            continue
        for each in element.children:
            says = wrong(each.name, OLD_STORE if is_store else OLD_QUEUE, OF_OLD)
            if says is not None and not each.children:
                yield each.origin(element.name), says


def _names_below(element: Element) -> set[str]:
    found = {each.name for each in element.children}
    return found.union(*(_names_below(each) for each in element.children))


class _Reading:
    def __init__(self) -> None:
        self.notes: list[str] = []
        self.unread = Unreadable()

    def host(self, element: Element) -> tuple[Host, list[Queue]]:
        name, body = _named(element)
        part = f"virtual host {name}"
        groups = [body, *(each for each in body.children if each.name == "queues")]
        levels = [self.levels(each, part) for each in groups]
        store = body.child("store")
        kind = store.child("class", "type") if store else None
        host = Host(
            name,
            element.origin(part),
            Levels(
                capacity=next((each.capacity for each in reversed(levels) if each.capacity), None),
                resume=next((each.resume for each in reversed(levels) if each.resume), None),
            ),
            Word(kind.text.strip(), kind.origin(part)) if kind else None,
            self.figure(store, "overfull-size", part) if store else None,
            self.figure(store, "underfull-size", part) if store else None,
        )
        queues: list[Queue] = []
        for group in groups[1:]:
            for each in group.children:
                if each.name == "queue":
                    queue, its = _named(each)
                    queues.append(Queue(queue, host, each.origin(f"queue {queue}"), self.levels(its, f"queue {queue}")))
        return host, queues

    def levels(self, element: Element, part: str) -> Levels:
        return Levels(
            capacity=self.figure(element, "capacity", part), resume=self.figure(element, "flowResumeCapacity", part)
        )

    def figure(self, parent: Element, key: str, part: str) -> Figure | None:
        found = parent.child(key)
        if found is None:
            return None
        text, names = text_of(found)
        origin = found.origin(part)
        for name in names:
            taken = f"its default is taken: {text}" if text is not None else "its value is not known here"
            self.notes.append(f"{origin.file}:{origin.line}: {key} is a placeholder ({name.split(':')[0]}); {taken}")
        value = None if text is None else self.unread.attempt(lambda: read_number(text, origin, key, 0), None)
        return Figure(value, origin)


def _named(element: Element) -> tuple[str, Element]:
    """The name in an element, and the element's child of that name, or else the element itself."""
    name = element.child("name")
    text = (name.text.strip() if name else "") or element.attributes.get("name", "")
    if not text and len(element.children) == 1:  # a file that adds to another file may leave out the name
        return element.children[0].name, element.children[0]
    return text, element.child(text) or element
