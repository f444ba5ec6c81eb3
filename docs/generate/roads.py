"""The ways of configuring limits that are tried for each limit of the built-in adapters."""

from generate.markup import code, table
from tidegate.adapters.capabilities import with_implied
from tidegate.adapters.resolver import BUILT_IN, resolve
from tidegate.conformance.conditions.condition import Value
from tidegate.conformance.conditions.roads import LIMIT, ROAD, SCOPE

ROADS = (*ROAD.values, *(value for value in SCOPE.values if value != SCOPE.plain))
STOPPING = "stops-producers"
TRIED, NOT_TRIED = "yes", "–"


def limits_by_road() -> str:
    """One row for each limit of an adapter that stops producers."""
    claimed = {name: with_implied(resolve(name)[name]().capabilities) for name in BUILT_IN}
    rows = [
        (code(name), limit.name, *(_cell(limit, road, own) for road in ROADS))
        for name, own in claimed.items()
        if STOPPING in own
        for limit in LIMIT.values
        if limit.needs <= own
    ]
    return table(["adapter", "limit", *(road.name for road in ROADS)], rows)


def _cell(limit: Value, road: Value, claimed: frozenset[str]) -> str:
    return TRIED if limit.needs | road.needs <= claimed else NOT_TRIED
