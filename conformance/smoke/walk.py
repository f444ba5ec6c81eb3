"""The whole walk: the class, the start, the verbs, the groups, and the end; or only the verbs."""

from collections.abc import Callable, Iterator

from tidegate.adapters.base import Adapter
from tidegate.conformance.smoke import verbs
from tidegate.conformance.smoke.claims import look_at_the_class
from tidegate.conformance.smoke.groups import walks
from tidegate.conformance.smoke.probe import NotAsExpected, Probe, Step
from tidegate.conformance.watchdog import Watchdog


def smoke(adapter: Adapter, report: Callable[[Step], None]) -> None:
    """Ask verb after verb until one answers otherwise than expected; a started adapter is stopped in any case."""
    probe = Probe(adapter, report)
    try:
        look_at_the_class(probe)
        try:
            verbs.start(probe)
            for walk in (*_through_the_verbs(adapter), *walks(adapter)):
                walk(probe)
        finally:
            verbs.stop(probe)
    except NotAsExpected:
        return  # the step that says so is reported already
    finally:
        probe.close()


def look(adapter: Adapter, watchdog: Watchdog) -> tuple[Step, ...]:
    """Walk through the verbs of a started adapter; the steps with unexpected answers.

    On a real broker only the verbs that every adapter has are called, which takes seconds; on a virtual clock the verbs
    of its groups too. The walk ends at the first unexpected answer to a verb that every adapter has.
    """
    otherwise: list[Step] = []
    probe = Probe(adapter, lambda step: None if step.as_expected else otherwise.append(step), watchdog)
    try:
        for walk in _through_the_verbs(adapter):
            walk(probe)
        for walk in walks(adapter) if adapter.parameters.has_virtual_clock else ():
            _by_itself(walk, probe)
    except NotAsExpected:
        _end(probe)
    return tuple(otherwise)


def _through_the_verbs(adapter: Adapter) -> Iterator[Callable[[Probe], None]]:
    """The parts of the walk on which the others build."""
    yield verbs.there_and_back
    if any(mechanism <= adapter.capabilities for mechanism in verbs.STOPS):
        yield verbs.filled_up


def _by_itself(walk: Callable[[Probe], None], probe: Probe) -> None:
    try:
        walk(probe)
    except NotAsExpected:
        _end(probe)


def _end(probe: Probe) -> None:
    """End the scenario that a step left open; a failure to do so is reported like any other step."""
    try:
        verbs.end(probe)
    except NotAsExpected:
        return
