"""Explains a configuration: the settings in force at each destination, and the findings."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tidegate.explain import bounds
from tidegate.explain.compose import artemis as artemis_limits
from tidegate.explain.compose import classic as classic_limits
from tidegate.explain.compose import classic_forwarding
from tidegate.explain.compose import qpid as qpid_limits
from tidegate.explain.findings import artemis as artemis_findings
from tidegate.explain.findings import classic as classic_findings
from tidegate.explain.findings import qpid as qpid_findings
from tidegate.explain.machine import Machine, on_machine
from tidegate.explain.machine import findings as machine_findings
from tidegate.explain.otherwise import differences
from tidegate.explain.read import classic
from tidegate.explain.read.artemis_file import FIRST_COUNTS, ArtemisFile, with_the_last_ones
from tidegate.explain.read.qpid_file import WITHOUT_OLD_NAMES, Host, Levels, QpidFile
from tidegate.explain.read.reading import Read, read_file, read_files
from tidegate.explain.read.unread import REFUSED, in_order
from tidegate.explain.release import broker_of, named, of_form, that_read
from tidegate.explain.sizes import shown
from tidegate.explain.versions import DOCUMENTS, Version, version
from tidegate.explain.vocabulary import Destination, Explanation, Traffic
from tidegate.model.mechanisms.artemis import NO_LIMIT
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput

__all__ = ["cases", "explain", "read_file", "read_files", "targets", "version_of"]

UNKNOWN = Machine()


def version_of(read: Read, broker: str, release: str, path: Path | None = None) -> Version:
    """The version to take for a file: the requested one, the one named by the file or its neighbours (if its path is
    given), or the newest that can read it; a JSON of Broker-J is unknown to the documents.

    BadInput if the requested broker is not the broker of the file.
    """
    found = broker_of(read)
    if broker not in ("", found):
        raise BadInput(f"expected a configuration of {broker}, not of {found}", file=read.file)
    is_json = isinstance(read, QpidFile) and read.is_json
    if release and not (release == DOCUMENTS and is_json):
        return version(found, release)
    known = named(found, path) if path is not None and not release else None
    if known is not None:
        return replace(version(found, known.release, of_form(read)), named_in=known.where)
    return Version(found, "", that_read(read)[-1], is_assumed=True)


def explain(
    read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...] = (), machine: Machine = UNKNOWN
) -> Explanation:
    """The explanation of a file for all destinations that it names, or for the wanted ones.

    Without destinations if a value cannot be read with which a broker refuses to start.
    """
    as_read, read = read, _as_taken(read, taken)
    as_set, read = read, on_machine(read, machine)
    is_refused = any(each.does == REFUSED for each in read.unread)
    destinations = () if is_refused else _destinations(read, taken, traffic, wanted)
    if isinstance(read, ArtemisFile):
        found = artemis_findings.findings(read, taken, traffic)
    elif isinstance(read, classic.ClassicFile):
        found = classic_findings.findings(read, taken, traffic)
    else:
        found = qpid_findings.findings(read, taken, traffic)
    where = f"{read.file} ({read.name})" if read.name else read.file
    found = tuple(sorted((*found, *machine_findings(as_set, machine)), key=lambda each: each.origin.line))
    is_hornetq = isinstance(read, ArtemisFile) and read.is_hornetq
    is_assumed = taken.is_assumed and not is_hornetq and not is_refused
    others = _others(as_read, taken, traffic, wanted, machine) if is_assumed else ()
    words = taken.words_of_hornetq if is_hornetq else taken.words
    unread = in_order(read.unread)
    notes = () if is_refused else tuple(dict.fromkeys((*(each.note for each in unread), *read.notes)))
    errors = [each.error for each in unread if each.does == REFUSED]
    stopping = [(each.file or "", each.line or 0) for each in errors]
    stopping += [(each.origin.file, each.origin.line) for each in found if each.stops_broker]
    refused_at = tuple(f"{file}:{line}" for file, line in sorted(set(stopping)))
    return Explanation(where, words, destinations, found, notes, others, refused_at)


def _as_taken(read: Read, taken: Version) -> Read:
    """The settings as a release reads them: older releases combine matches differently, and some figures mean no
    limit.

    A global-max-size of -1 counts as not set, so that the broker uses its share of the heap.
    """
    if isinstance(read, ArtemisFile) and taken.is_before(FIRST_COUNTS):
        read = with_the_last_ones(read)
    is_artemis = isinstance(read, ArtemisFile) and not read.is_hornetq
    if isinstance(read, ArtemisFile) and is_artemis and taken.taken and read.global_bytes is not None:
        return replace(read, global_bytes=None) if read.global_bytes.value == NO_LIMIT else read
    if isinstance(read, QpidFile) and read.is_json and taken.taken:
        hosts = {host: _host_as_taken(host, taken) for host in (*read.hosts, *(each.host for each in read.queues))}
        queues = (
            replace(each, host=hosts[each.host], levels=_levels_as_taken(each.levels, taken)) for each in read.queues
        )
        return replace(read, hosts=tuple(hosts[each] for each in read.hosts), queues=tuple(queues))
    return read


def _host_as_taken(host: Host, taken: Version) -> Host:
    return replace(_with_its_quota(host), levels=_levels_as_taken(host.levels, taken))


def _levels_as_taken(levels: Levels, taken: Version) -> Levels:
    return levels.as_before_7() if taken.is_before(WITHOUT_OLD_NAMES) else levels


def _with_its_quota(host: Host) -> Host:
    """The host without an overfull size that is not above 0, which Broker-J takes for no limit."""
    is_none = host.overfull is not None and host.overfull.value is not None and host.overfull.value <= 0
    return replace(host, overfull=None, underfull=None) if is_none else host


def _destinations(read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...]) -> tuple[Destination, ...]:
    if isinstance(read, ArtemisFile):
        return artemis_limits.destinations(read, taken, traffic, wanted)
    if isinstance(read, classic.ClassicFile):
        return classic_limits.destinations(read, taken, traffic, wanted)
    return qpid_limits.destinations(read, taken, traffic, wanted)


def _others(read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...], machine: Machine) -> tuple[str, ...]:
    """The differences of the documents and of other releases that can read the file."""
    quick = replace(traffic, with_steps=False)
    others = [Version(taken.broker, each, each) for each in that_read(read) if each != taken.taken]
    if not (isinstance(read, QpidFile) and read.is_json):
        others.insert(0, Version(taken.broker))

    def by(version: Version) -> tuple[Destination, ...]:
        return _destinations(on_machine(_as_taken(read, version), machine), version, quick, wanted)

    return differences(by(taken), {other.taken or f"the {DOCUMENTS}": by(other) for other in others})


def cases(
    read: Read, taken: Version, traffic: Traffic, wanted: tuple[str, ...] = ()
) -> Iterator[tuple[str, str, bounds.Case]]:
    """Each destination, the kind of its producers, and their mechanism, if all its figures are known."""
    read = _as_taken(read, taken)
    if isinstance(read, ArtemisFile):
        for name in artemis_limits.chosen(read, wanted):
            force = artemis_limits.in_force(read, name, taken)
            for kind, case in artemis_limits.cases(read, force, taken, traffic):
                yield name, kind, case
    elif isinstance(read, classic.ClassicFile):
        for sort, name in [classic_limits.wanted_as(each) for each in wanted] or classic_limits.names(read):
            if classic_forwarding.keeps_nothing(read, sort, name):
                continue  # it has the limits of the destinations behind it
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
    read: Read,
    taken: Version,
    traffic: Traffic,
    target: int,
    wanted: tuple[str, ...] = (),
    machine: Machine = UNKNOWN,
) -> dict[tuple[str, str], str]:
    """By destination and kind of producers, the limit that keeps the worst case within a target in bytes."""
    return {
        (name, kind): _solved(case, traffic, target)
        for name, kind, case in cases(on_machine(_as_taken(read, taken), machine), taken, traffic, wanted)
    }


def _solved(case: bounds.Case, traffic: Traffic, target: int) -> str:
    if isinstance(case, bounds.Open):
        return f"for at most {shown(target)}: no limit does it while nothing stops producers"
    limit = bounds.solved(case, traffic, target)
    if limit is None:
        return f"for at most {shown(target)}: no limit does it; fewer producers, credits or smaller messages would"
    worst = case.with_limit(limit).bound(traffic).bytes
    return (
        f"for at most {shown(target)}: a limit of at most {counted(limit, 'bytes')} (worst case then "
        f"{counted(worst or 0, 'bytes')})"
    )
