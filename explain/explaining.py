"""From a file to its explanation: recognise it, read it, say what is in force and what is found."""

from collections.abc import Iterator
from pathlib import Path

from tidegate.explain import bounds
from tidegate.explain.compose import artemis as artemis_limits
from tidegate.explain.compose import classic as classic_limits
from tidegate.explain.compose import qpid as qpid_limits
from tidegate.explain.findings import artemis as artemis_findings
from tidegate.explain.findings import classic as classic_findings
from tidegate.explain.findings import qpid as qpid_findings
from tidegate.explain.read import artemis, classic, qpid_json, qpid_xml
from tidegate.explain.read.xml_tree import Element, read_bytes, read_xml
from tidegate.explain.sizes import shown
from tidegate.explain.versions import ARTEMIS, CLASSIC, QPID, Version, version
from tidegate.explain.vocabulary import Explanation, Traffic
from tidegate.record.errors import BadInput

Read = artemis.ArtemisFile | classic.ClassicFile | qpid_json.QpidFile
BROKER_J = "10.1.0"
"""The release whose rules a JSON of Broker-J is taken by: the documents know no such file."""


def read_file(path: Path, file: str) -> Read:
    """Read a configuration, whatever broker's it is. BadInput for a file that is none, or a figure without meaning."""
    if read_bytes(path, file).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[", b"/") or path.suffix == ".json":
        return qpid_json.read_qpid_json(path, file)
    root = read_xml(path, file)
    broker = _broker(root)
    if broker == ARTEMIS:
        return artemis.from_tree(root)
    if broker == CLASSIC:
        return classic.from_tree(root)
    return qpid_xml.from_tree(root)


def _broker(root: Element) -> str:
    parts = ("core", "acceptors", "addresses", "address-settings")
    if root.name == "address-settings" or (root.name in ("configuration", "core") and root.child(*parts)):
        return ARTEMIS
    if root.name == "virtualhosts":
        return QPID
    if root.name in ("beans", "blueprint") or (root.name == "broker" and root.child("virtualhosts") is None):
        if root.name == "broker" or next(root.all("broker"), None) is not None:
            return CLASSIC
        raise BadInput("expected a broker among the beans", file=root.file, line=root.line)
    raise BadInput(
        "expected a broker.xml of Artemis, an activemq.xml of Classic, a virtualhosts.xml or a JSON of Qpid, "
        f"not a root element {root.name!r}",
        file=root.file,
        line=root.line,
    )


def version_of(read: Read, broker: str, release: str) -> Version:
    """The version that is taken for a file. BadInput where another broker was asked for than the file is of."""
    found = ARTEMIS if isinstance(read, artemis.ArtemisFile) else CLASSIC
    if isinstance(read, qpid_json.QpidFile):
        found = QPID
    if broker not in ("", found):
        raise BadInput(f"expected a configuration of {broker}, and this is one of {found}", file=read.file)
    return version(found, release, BROKER_J if isinstance(read, qpid_json.QpidFile) and read.is_json else "")


def explain(read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...] = ()) -> Explanation:
    """What a file comes to, for all destinations that it names or for the wanted ones."""
    if isinstance(read, artemis.ArtemisFile):
        destinations = artemis_limits.destinations(read, taken, traffic, wanted)
        found = artemis_findings.findings(read, taken, traffic)
    elif isinstance(read, classic.ClassicFile):
        destinations = classic_limits.destinations(read, taken, traffic, wanted)
        found = classic_findings.findings(read, taken, traffic)
    else:
        destinations = qpid_limits.destinations(read, taken, traffic, wanted)
        found = qpid_findings.findings(read, taken, traffic)
    return Explanation(read.file, taken.words, destinations, found, tuple(dict.fromkeys(read.notes)))


def cases(
    read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...] = ()
) -> Iterator[tuple[str, str, bounds.Case]]:
    """Destination, kind of producers, and the mechanism that they meet, where all figures are known."""
    if isinstance(read, artemis.ArtemisFile):
        for name in wanted or artemis_limits.names(read):
            force = artemis_limits.in_force(read, name, taken)
            for kind, case in artemis_limits.cases(read, force, taken, traffic):
                yield name, kind, case
    elif isinstance(read, classic.ClassicFile):
        for sort, name in [classic_limits.wanted_as(each) for each in wanted] or classic_limits.names(read):
            there = classic_limits.in_force(read, sort, name, taken)
            for kind, met, _ in classic_limits.cases(read, there, taken):
                if met is not None:
                    yield f"{sort} {name}", kind, met
    else:
        for queue in qpid_limits.chosen(read, wanted):
            gate = qpid_limits.case(read, queue, taken)
            if gate is not None:
                yield queue.path, qpid_limits.PRODUCERS, gate


def targets(
    read: Read, taken: Version, traffic: Traffic, target: int, wanted: tuple[str, ...] = ()
) -> dict[tuple[str, str], str]:
    """By destination and kind of producers, which limit keeps the worst case within a target in bytes."""
    return {(name, kind): _solved(case, traffic, target) for name, kind, case in cases(read, taken, traffic, wanted)}


def _solved(case: bounds.Case, traffic: Traffic, target: int) -> str:
    if isinstance(case, bounds.Open):
        return f"for at most {shown(target)}: no limit does it while nothing stops producers"
    limit = bounds.solved(case, traffic, target)
    if limit is None:
        return f"for at most {shown(target)}: no limit does it; fewer producers, credits or smaller messages would"
    worst = case.with_limit(limit).bound(traffic).bytes
    return f"for at most {shown(target)}: a limit of {limit:,} bytes (worst case {worst or 0:,} bytes)"
