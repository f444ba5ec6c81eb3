"""Reads the settings of each broker in a file, for every kind of broker."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from tidegate.explain.placeholders import in_xml, with_values
from tidegate.explain.read import artemis, artemis_properties, classic, qpid_json, qpid_xml, spring_boot
from tidegate.explain.read.artemis_file import ArtemisFile, of_hornetq, with_properties, with_unknown_rest
from tidegate.explain.read.artemis_schema import of_another_namespace, refused_encoding
from tidegate.explain.read.artemis_schema import refused as refused_by_schema
from tidegate.explain.read.classic_misnamed import of_another_encoding
from tidegate.explain.read.folders import CONFIGURATIONS, EXPECTED, configurations, is_of_properties
from tidegate.explain.read.foreign import NotOfBroker, of_rabbitmq, refused
from tidegate.explain.read.includes import Parts, values_beside, with_includes
from tidegate.explain.read.pieces import (
    COMMAND,
    JSON,
    OF_ARTEMIS,
    OF_CLASSIC,
    OF_QPID,
    OPERATOR,
    PROPERTIES,
    ROOTS,
    WHOLE_ROOTS,
    XML,
    Piece,
    pieces,
)
from tidegate.explain.read.qpid_file import QpidFile
from tidegate.explain.read.spring import is_of_a_broker, values_of
from tidegate.explain.read.unread import REFUSED, Unread, Unreadable, raise_all
from tidegate.explain.read.xml_tree import Element, parse_xml, read_bytes
from tidegate.explain.versions import ARTEMIS, CLASSIC, QPID
from tidegate.explain.vocabulary import Origin
from tidegate.record.errors import BadInput

Read = ArtemisFile | classic.ClassicFile | QpidFile
_IN_A_BROKER = (
    *("destinationPolicy", "systemUsage", "usageManager", "memoryManager", "persistenceAdapter", "plugins", "broker"),
    *("transportConnectors", "networkConnectors", "managementContext", "destinations", "destinationInterceptors"),
    *("sslContext", "shutdownHooks", "persistenceFactory", "tempDataStore", "services", "jmsBridgeConnectors"),
    *("memoryUsage", "storeUsage", "tempUsage", "policyEntry", "policyMap", "policyEntries", "include", "import"),
)
"""Elements that stand in a broker of Classic."""
_OF_WILDFLY = ("server", "domain", "subsystem")
_ONLY_OF_ARTEMIS = ("acceptors", "address-settings", "addresses", "core", "global-max-size", "max-disk-usage")
_NAMESPACES = ("urn:activemq", "urn:activemq:core", "urn:hornetq")
"""The namespaces of Artemis and HornetQ; a file that sets no limit has only such a namespace."""
_OF_HORNETQ = re.compile(r"""<configuration\b[^>]*\bxmlns=["']urn:hornetq["']""")
_CONFLICT = re.compile(rb"^<{7}[ \r\n].*?^={7}[\r\n].*?^>{7}[ \r\n]", re.MULTILINE | re.DOTALL)
PROPERTIES_FILE = "broker.properties"
FRAGMENT = "fragment"
"""The name of the element around a text that has several elements side by side."""


def read_file(
    path: Path, file: str, values: Mapping[str, str] | None = None, faults: list[BadInput] | None = None
) -> tuple[Read, ...]:
    """Every broker that a file configures; `values` are the values of placeholders.

    BadInput for a file without a configuration (NotOfBroker), for a part that cannot be read, and for values with which
    a broker refuses to start. With a list of `faults`, parts are added to it, and such values are `unread` in the
    settings, as is what the broker goes on without or takes for something else.
    """
    known = values or {}
    _refuse_conflicts(path, file)
    found: list[Read] = []
    errors: list[BadInput] = []
    of_others: list[NotOfBroker] = []
    try:
        several = pieces(path, file, known)
        parts = _parts(several)
        there: list[tuple[Piece, Read]] = []
        for piece in several:
            try:
                found_there = [*_read(piece, path, file, known, parts)]
                there += ((piece, _beside(each, path, file, known, faults)) for each in found_there)
            except NotOfBroker as error:
                of_others.append(error)  # such as the beans of a web server beside the beans of a broker
            except BadInput as error:
                errors.append(error)
        found += (read for piece, read in _of_resources(there) if piece.name not in parts.included)
        if of_others and not found and not errors:
            raise of_others[0]
    except NotOfBroker as error:
        text = read_bytes(path, file).decode("utf-8", "replace")
        is_yaml = path.suffix.lower() in (".yaml", ".yml")
        started = spring_boot.brokers(with_values(text, known), file, is_yaml=is_yaml)
        if not started:
            raise refused(path, file, text, error) from error
        found += started
    unread = [each for read in found for each in read.unread]
    if faults is not None:
        faults += errors
    elif errors or any(each.does == REFUSED for each in unread):
        raise_all(unread, errors)
    return tuple(found)


def _of_resources(there: Sequence[tuple[Piece, Read]]) -> Iterator[tuple[Piece, Read]]:
    """The brokers of pieces; a broker reads all files of properties of one ConfigMap or Secret, in the order of their
    names."""
    files: dict[int, list[tuple[Piece, ArtemisFile]]] = {}
    for piece, read in there:
        if piece.resource and piece.form == PROPERTIES and isinstance(read, ArtemisFile):
            files.setdefault(piece.resource, []).append((piece, read))
    for piece, read in there:
        together = sorted(files.get(piece.resource, ()), key=lambda one: one[0].name)
        if len(together) < 2 or not any(read is one for _, one in together):
            yield piece, read
        elif read is together[0][1]:
            yield piece, _over(together[0][1], (one for _, one in together[1:]))


def _parts(several: Sequence[Piece]) -> Parts:
    """The texts of a file by name, as far as only one text has the name."""
    names = [each.name for each in several]
    return Parts(
        {
            each.name: (each.text, each.first_line)
            for each in several
            if each.form == XML and each.name and names.count(each.name) == 1
        }
    )


def _refuse_conflicts(path: Path, file: str) -> None:
    """BadInput for a file in which a merge left the marks of a conflict."""
    data = read_bytes(path, file)
    found = _CONFLICT.search(data)
    if found is not None:
        says = "expected one version of these lines: a merge left its marks (<<<<<<<, =======, >>>>>>>)"
        raise BadInput(says, file=file, line=data.count(b"\n", 0, found.start()) + 1)


def _read(piece: Piece, path: Path, file: str, values: Mapping[str, str], parts: Parts) -> Iterator[Read]:
    if piece.form == OPERATOR and piece.node is not None:
        unread = Unreadable()
        yield artemis.from_tree(artemis_properties.of_resource(piece.node, file, unread), piece.name, unread)
    elif piece.form in (PROPERTIES, COMMAND):
        yield _of_properties(piece, file)
    elif piece.form == JSON:
        if (found := of_rabbitmq(piece.text)) is not None:
            raise NotOfBroker("expected a broker's configuration", file=file, line=piece.first_line + found)
        root = qpid_json.nodes_of(piece.text, file, piece.first_line)
        keys = {key.value for key, _ in root.value} if isinstance(root, yaml.MappingNode) else set()
        if keys & {*artemis_properties.SETTINGS, "acceptorConfigurations", "globalMaxSize"}:
            assert isinstance(root, yaml.MappingNode)
            unread = Unreadable()
            tree = artemis_properties.of_json(root, file, unread)
            yield replace(artemis.from_tree(tree, piece.name, unread), goes_before=True)
        else:
            yield qpid_json.from_json(root, file, piece.name)
    else:
        yield from _of_xml(piece, path, file, values, parts)


def _of_properties(piece: Piece, file: str) -> ArtemisFile:
    before, unread = True, Unreadable()
    if piece.form == COMMAND:
        by_java = list(artemis_properties.of_command_line(piece.text, file))
        later = {words for words, _, _ in by_java}
        created = [each for each in artemis_properties.of_creation(piece.text, file) if each[0] not in later]
        properties, before = iter([*created, *by_java]), not created
    else:
        properties = artemis_properties.properties_of(piece.text, file, piece.first_line, unread)
        if piece.in_one_line:
            properties = ((words, value, piece.first_line) for words, value, _ in properties)
    tree = artemis_properties.tree_of(properties, file, unread)
    if not tree.children:
        raise_all(unread.found)
        raise NotOfBroker("expected a property of an Artemis broker, such as globalMaxSize=…", file=file, line=1)
    return replace(artemis.from_tree(tree, piece.name, unread), goes_before=before)


def _beside(read: Read, path: Path, file: str, values: Mapping[str, str], faults: list[BadInput] | None) -> Read:
    """A broker.xml combined with the broker.properties of its folder, which a broker reads afterwards."""
    there = path.with_name(PROPERTIES_FILE)
    if not isinstance(read, ArtemisFile) or path.suffix != ".xml" or read.goes_before or not there.is_file():
        return read
    try:
        found = read_file(there, str(Path(file).with_name(PROPERTIES_FILE)), values, faults)
    except NotOfBroker:
        return read
    return _over(read, found)


def _over(read: ArtemisFile, others: Iterable[Read]) -> ArtemisFile:
    for each in others:
        if isinstance(each, ArtemisFile) and each.goes_before:
            read = with_properties(read, each)
    return read


def _alone(read: Read) -> Read:
    if not isinstance(read, ArtemisFile) or not read.goes_before:
        return read
    note = "these broker properties override a broker.xml, which sets the rest: give it too"
    return replace(read, notes=(*read.notes, note))


def read_files(
    paths: Sequence[Path], values: Mapping[str, str] | None = None, faults: list[BadInput] | None = None
) -> Iterator[tuple[Path, Read]]:
    """Every broker that files configure, each with its file; broker properties override a single broker.xml.

    `faults` as for `read_file`; files that cannot be read are added to it too.
    """
    found: list[tuple[Path, Read]] = []
    errors: list[BadInput] = []
    for path in paths:
        try:
            found += _there(path, values, faults)
        except BadInput as error:
            errors.append(error)
    if faults is not None:
        faults += errors
    else:
        raise_all((), errors)
    return put_together(found)


def _there(path: Path, values: Mapping[str, str] | None, faults: list[BadInput] | None) -> Iterator[tuple[Path, Read]]:
    """The brokers of a file, or of the files of a folder; broker properties in a folder apply one after the other."""
    if not path.is_dir():
        yield from ((path, read) for read in read_file(path, str(path), values, faults))
        return
    found = [(each, read) for each in configurations(path) for read in _read_or_pass_over(each, values, faults)]
    if not found:
        raise BadInput(EXPECTED, file=str(path))
    properties = [read for _, read in found if isinstance(read, ArtemisFile) and read.goes_before]
    if not is_of_properties(path) or len(properties) < len(found) or len(found) == 1:
        yield from found
        return
    first, *later = properties
    yield found[0][0], _over(first, later)


def _read_or_pass_over(path: Path, values: Mapping[str, str] | None, faults: list[BadInput] | None) -> tuple[Read, ...]:
    """The brokers of a file in a folder; none if the file configures no broker, such as the configuration of a log."""
    try:
        return read_file(path, str(path), values, faults)
    except NotOfBroker:
        if path.name in CONFIGURATIONS:
            raise
        return ()


def put_together(found: Sequence[tuple[Path, Read]]) -> Iterator[tuple[Path, Read]]:
    """The brokers of files, with broker properties applied to the broker.xml if there is exactly one."""
    of_artemis = [(path, read) for path, read in found if isinstance(read, ArtemisFile)]
    brokers = [(path, read) for path, read in of_artemis if not read.goes_before]
    properties = [(path, read) for path, read in of_artemis if read.goes_before]
    if not brokers:
        yield from ((path, _alone(read)) for path, read in found)
        return
    if len(brokers) != 1 or not properties:
        yield from found
        return
    ((own, broker),) = brokers
    beside = own.with_name(PROPERTIES_FILE)
    for path, read in found:
        if read is broker:
            yield path, _over(broker, (each for there, each in properties if there != beside))
        elif not any(read is each for _, each in properties):
            yield path, read


def _of_xml(piece: Piece, path: Path, file: str, values: Mapping[str, str], parts: Parts) -> Iterator[Read]:
    root = _tree(piece, file)
    if own := {**values_of(root), **values_beside(root, path), **values}:
        root = _tree(replace(piece, text=with_values(piece.text, in_xml(own))), file)
    _name_of_another_file(root)
    before = len(parts.broken)
    notes = tuple(with_includes(root, path, own, parts))
    broken = tuple(map(Unread, parts.broken[before:]))
    if piece.is_a_part:
        notes += (f"{file}:{root.line}: only this part of a configuration stands here: what its other parts set is not "
                  "known",)  # fmt: skip
    hornetq = _hornetq(root, piece)
    if hornetq is not None:
        notes += (f"{file}:{hornetq.line}: HornetQ, from which Artemis came, is read by the rules of Artemis; it has "
                  "neither a limit of all addresses together nor one of the disk",)  # fmt: skip
        if hornetq is root:
            root.name = "core"  # a file of HornetQ has no such element: its root has the settings
    broker = _broker(root)
    servers = [*_servers(root)]
    found: tuple[Read, ...]
    if broker == ARTEMIS:
        is_server = bool(servers) or root.name in _OF_WILDFLY
        of_artemis = [
            replace(
                artemis.from_tree(each, _server(each, piece), is_template=piece.is_template, branches=piece.branches),
                of_server=is_server,
            )
            for each in servers or [root]
        ]
        if piece.is_a_part and not is_server:
            of_artemis = [with_unknown_rest(each, Origin(file, root.line, artemis.REST_OF_IT)) for each in of_artemis]
        found = tuple(of_hornetq(each) if hornetq is not None else each for each in of_artemis)
        if not (servers or hornetq is not None or piece.is_template):  # all branches of a template are read
            core = artemis.core_of(root)
            by_schema = [*refused_by_schema(core)]
            if core is not root and root.name == "configuration":
                by_schema += of_another_namespace(core)
                is_the_file = path.suffix.lower() == ".xml" and not piece.name
                by_schema += refused_encoding(read_bytes(path, file), file) if is_the_file else ()
            found = tuple(replace(each, misnamed=(*each.misnamed, *by_schema)) for each in of_artemis)
    elif broker == CLASSIC:
        found = classic.from_tree(root, piece.name, is_template=piece.is_template, branches=piece.branches)
        if piece.is_a_part:
            found = tuple(
                classic.with_unknown_rest(each, Origin(file, root.line, artemis.REST_OF_IT)) for each in found
            )
        if path.suffix.lower() == ".xml" and not (piece.name or piece.is_template or piece.is_a_part):
            by_encoding = tuple(of_another_encoding(read_bytes(path, file), file))
            found = tuple(replace(each, misnamed=(*by_encoding, *each.misnamed)) for each in found)
    else:
        found = (qpid_xml.from_tree(root, piece.name),)
        unread = next(root.all("include"), None)
        if not found[0].hosts and unread is not None:
            named = unread.attributes.get("href", "another file")
            expected = f"expected a virtual host here or in {named}, which does not lie beside this file"
            raise BadInput(expected, file=root.file, line=unread.line)
    yield from (replace(each, notes=(*notes, *each.notes), unread=(*broken, *each.unread)) for each in found)


def _hornetq(root: Element, piece: Piece) -> Element | None:
    """The element that HornetQ reads, in its own file or in the file of an application server."""
    if root.name == "configuration" and _OF_HORNETQ.search(piece.text) is not None:
        return root
    return next(root.all("hornetq-server"), None)


def _servers(root: Element) -> Iterator[Element]:
    """The brokers of an application server, as far as one of them sets something of addresses; the others beside it
    have the defaults."""
    for group in (root, *root.all("subsystem")):
        there = [each for each in group.children if each.name == "server"]
        if any(map(_sets_addresses, there)):
            yield from there


def _sets_addresses(element: Element) -> bool:
    return next(element.all("address-setting"), None) is not None


def _server(element: Element, piece: Piece) -> str:
    return element.attributes.get("name", piece.name) if element.name == "server" else piece.name


def _tree(piece: Piece, file: str) -> Element:
    try:
        root = parse_xml(piece.text, file, piece.first_line)
        is_part = root.name in ROOTS and root.name not in WHOLE_ROOTS
        return Element(file, FRAGMENT, {}, root.line, {}, children=[root]) if is_part else root
    except BadInput as error:
        if "junk after document element" not in str(error):
            raise
        return parse_xml(f"<{FRAGMENT}>{piece.text}</{FRAGMENT}>", file, piece.first_line)


def _name_of_another_file(root: Element) -> None:
    """Insert an include if the configuration of an older Qpid broker names its virtual hosts' file in an element's
    text."""
    hosts = root.child("virtualhosts") if root.name == "broker" else None
    if hosts is not None and not hosts.children and hosts.text.strip():
        name = hosts.text.strip().rpartition("/")[2]
        hosts.children.append(Element(hosts.file, "include", {"href": name}, hosts.line, {}))


def _is_of_another(root: Element) -> bool:
    """Whether an element named broker holds nothing that a Classic broker may hold."""
    return root.name == "broker" and bool(root.children) and root.child(*_IN_A_BROKER) is None


def _broker(root: Element) -> str:
    if root.name in OF_QPID or (root.name == "broker" and root.child("virtualhosts") is not None):
        return QPID
    if root.name == "broker" and root.child("virtualhosts") is None and root.child(*_ONLY_OF_ARTEMIS) is not None:
        raise BadInput(
            "expected the elements configuration and core around the settings, not a root element 'broker': "
            "Artemis ignores this file",
            file=root.file,
            line=root.line,
        )
    if root.name in _OF_WILDFLY and next(root.all("address-setting"), None) is not None:
        return ARTEMIS
    if root.name in ("configuration", "core"):
        parts = [each for each in OF_ARTEMIS if each != "configuration"]
        if root.child(*parts, "global-max-size", "max-disk-usage") or root.namespace in _NAMESPACES:
            return ARTEMIS
    elif root.name in OF_ARTEMIS:
        return ARTEMIS
    if root.name in ("beans", "blueprint"):
        plain = any(map(is_of_a_broker, root.all("bean")))
        if next(root.all("broker", "policyEntry"), None) is None and not plain:
            raise NotOfBroker("expected a broker among the beans", file=root.file, line=root.line)
        return CLASSIC
    if root.name in OF_CLASSIC and not _is_of_another(root):
        return CLASSIC
    for each in root.children if root.name == FRAGMENT else ():
        return _broker(each)
    raise NotOfBroker(
        "expected a broker.xml of Artemis, an activemq.xml of Classic, a virtualhosts.xml or a JSON of Qpid, "
        f"not a root element {root.name!r}",
        file=root.file,
        line=root.line,
    )
