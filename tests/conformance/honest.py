"""Brokers that have only what they claim: the reference of a mechanism with all other capabilities switched off."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import DEFAULT_OPTIONS, Adapter, Identity, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.adapters.resolver import resolve
from tidegate.conformance.assembly import assemble
from tidegate.conformance.report.view import NOT_GREEN
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind, Report

TODAY = date(2026, 11, 20)

LIMITS: Mapping[str, frozenset[str]] = {
    "limit_bytes": frozenset(
        {
            *("queue-gate", "address-limit", "core-window", "memory-limit", "policies", "suspended-connections"),
            *("refusing-policy", "dropping-policy", "page-limit"),
        }
    ),
    "resume_bytes": frozenset({"queue-gate"}),
    "limit_messages": frozenset({"message-limit"}),
    "reject_bytes": frozenset({"reject-threshold"}),
    "credit": frozenset({"amqp-credit"}),
    "credit_low": frozenset({"amqp-credit"}),
    "page_limit_bytes": frozenset({"page-limit"}),
    "page_limit_messages": frozenset({"page-limit"}),
    "page_full_policy": frozenset({"page-limit"}),
    "page_bytes": frozenset({"page-limit"}),
}
"""The limits of a destination, each with the capabilities of which any one uses it."""
USAGE: Mapping[str, frozenset[str]] = {
    "memory_bytes": frozenset({"memory-ratio", "memory-limit"}),
    "block_percent": frozenset({"memory-ratio"}),
    "resume_percent": frozenset({"memory-ratio"}),
    "connection_messages": frozenset({"connection-count"}),
    "quota_bytes": frozenset({"disk-quota"}),
    "quota_resume_bytes": frozenset({"disk-quota"}),
}
"""The limits that all destinations share, each with the capabilities of which any one uses it."""


WITHOUT_RANDOM_SEQUENCES = Selection(kinds=tuple(kind for kind in CheckKind if kind is not CheckKind.STATEFUL))
"""The checks of every change on right brokers other than the references; the whole suite runs nightly."""


class PlainQueue(Clients):
    """A broker of queues without limits and without claims."""

    identity = Identity("plain", "1")
    capabilities: frozenset[str] = frozenset()
    parameters = VIRTUAL

    def __init__(self) -> None:
        super().__init__()
        self._targets: dict[str, tuple[str, ...]] = {}

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._targets[producer] = destinations

    def close_producer(self, producer: str) -> None:
        del self._targets[producer]

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        for destination in self._targets[producer]:
            self._storage.store(destination, message_id, size_bytes)
        return Outcome.ACCEPTED

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._storage.settle(consumer, message_id)

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=False)

    def end_scenario(self) -> None:
        self._storage.clear()
        self._targets.clear()


def honest(cls: type, claimed: Iterable[str]) -> Callable[[], Adapter]:
    """The reference of this class with only these capabilities; it ignores limits for other capabilities."""
    capabilities = frozenset(claimed)

    def make() -> Adapter:
        adapter: Adapter = _switched_off(cls, capabilities)()
        return adapter

    return make


@cache
def _switched_off(cls: type, claimed: frozenset[str]) -> type:
    base: Any = cls

    class SwitchedOff(base):
        capabilities = claimed

        def declare(self, destination: str, limits: Limits) -> None:
            cursor = limits.cursor if "file-cursor" in claimed else "memory"
            super().declare(destination, replace(_those(limits, LIMITS, claimed), cursor=cursor))

        def change_limits(self, destination: str, limits: Limits) -> None:
            super().change_limits(destination, _those(limits, LIMITS, claimed))

        def declare_defaults(self, limits: Limits) -> None:
            super().declare_defaults(_those(limits, LIMITS, claimed))

        def declare_usage(self, usage: Usage) -> None:
            super().declare_usage(_those(usage, USAGE, claimed))

    return SwitchedOff


def _those(configured: Any, needs: Mapping[str, frozenset[str]], claimed: frozenset[str]) -> Any:
    """The limits without the fields that no claimed capability uses."""
    return replace(configured, **{field: None for field, any_of in needs.items() if not any_of & claimed})


def references() -> Iterator[type[Adapter]]:
    """The class of every profile of the reference."""
    for cls in resolve("reference").values():
        assert isinstance(cls, type)
        yield cls


def report_on(
    factories: Mapping[str, Callable[[], Adapter]], folder: Path, selection: Selection | None = None
) -> Report:
    """The report of the suite, or a selection, on these implementations; AssertionError if tidegate fails."""
    conformance = run_suite(factories, needs_of, folder, selection=selection)
    assert conformance.errors == []
    return assemble(conformance, (), "", whole=True, today=TODAY)


def not_green(report: Report, name: str) -> list[tuple[str, str]]:
    """The violated or unknown rules of one implementation, with the reasons."""
    each = next(each for each in report.implementations if each.implementation.profile == name)
    return [(one.rule, one.reason) for one in each.verdicts if one.verdict in NOT_GREEN]
