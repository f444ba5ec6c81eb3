"""The whole walk: the class, the life of the implementation, its verbs, its groups, and its end."""

from collections.abc import Callable

from tidegate.adapters.base import Adapter
from tidegate.conformance.smoke import verbs
from tidegate.conformance.smoke.claims import look_at_the_class
from tidegate.conformance.smoke.groups import walk_groups
from tidegate.conformance.smoke.probe import NotAsExpected, Probe, Step


def smoke(adapter: Adapter, report: Callable[[Step], None]) -> None:
    """Ask verb after verb up to the first that answers otherwise; what was started is stopped in any case."""
    probe = Probe(adapter, report)
    try:
        look_at_the_class(probe)
        try:
            verbs.start(probe)
            verbs.there_and_back(probe)
            if adapter.capabilities & verbs.STOPS:
                verbs.filled_up(probe)
            walk_groups(probe)
        finally:
            verbs.stop(probe)
    except NotAsExpected:
        return  # the step that says so is reported already
    finally:
        probe.close()
