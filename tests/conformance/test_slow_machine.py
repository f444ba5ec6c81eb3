"""On a slow machine messages expire before the suite lets their time pass, and then no rule is called violated."""

import time
from dataclasses import replace
from pathlib import Path

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Adapter, Limits, Outcome, Standing
from tidegate.adapters.groups import Traffic
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.ending import LAST_SIZE
from tidegate.conformance.runner import ROUNDS_FOR_LATE_CHECKS, run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import WITHOUT_TRACE
from tidegate.record.report import Check, CheckResult

LIVES_MS = 200
"""The time for which the messages of both checks live."""
COUNTS = "what_expired_is_not_in_hand"
"""A check that early expiry does not change."""
FILLS = "messages_whose_time_is_over_are_handed_to_nobody_and_let_their_producer_go"
"""A check that expects a stopped producer, which early expiry releases."""


class InRealTime(QpidReference):
    """A right broker whose time passes by itself."""

    parameters = replace(QpidReference.parameters, eventually_ms=50, never_ms=10)

    def advance(self, ms: int) -> None:
        time.sleep(ms / 1000)
        super().advance(ms)


class SlowToSend(InRealTime):
    """The same on a machine where a message expires while the next one is sent."""

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        outcome = super().send_expiring(producer, message_id, size_bytes, lives_ms)
        self.advance(lives_ms + 1)
        return outcome


class SlowToLook(InRealTime):
    """The same on a machine where messages expire while the suite looks at a stopped producer, once in real time."""

    was_slow = False
    looks = False

    def standing(self, producer: str) -> Standing:
        if super().standing(producer).stopped and not self.looks:
            self.looks = True  # the broker looks at its producers too while time passes
            if not self.was_slow:
                self.was_slow = True
                time.sleep(LIVES_MS / 1000)
            QpidReference.advance(self, LIVES_MS + 1)
            self.looks = False
        return super().standing(producer)

    def declare(self, destination: str, limits: Limits) -> None:
        self.was_slow = False
        super().declare(destination, limits)


class LateThenRefusing(SlowToSend):
    """Slow, with a wrong count, at the first run of a check; fast at the second, which refuses a message in the end."""

    runs = 0

    def declare(self, destination: str, limits: Limits) -> None:
        if not destination.startswith("smoke"):
            self.runs += 1
        super().declare(destination, limits)

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        if self.runs == 1:
            return super().send_expiring(producer, message_id, size_bytes, lives_ms)
        return QpidReference.send_expiring(self, producer, message_id, size_bytes, lives_ms)

    def traffic(self, destination: str) -> Traffic:
        told = super().traffic(destination)
        return replace(told, in_hand=1) if self.runs == 1 else told

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        refuses = self.runs == 2 and size_bytes == LAST_SIZE
        return Outcome.REJECTED if refuses else super().send(producer, message_id, size_bytes)


def run(make: type[Adapter], check: str, folder: Path, repeat: int = 1) -> tuple[list[Check], list[str]]:
    conformance = run_suite({"broker": make}, needs_of, folder, selection=Selection(checks=(check,)), repeat=repeat)
    assert conformance.errors == []
    return conformance.subjects[0].checks, conformance.subjects[0].not_tried


def test_the_trace_of_a_slow_machine_is_not_judged_and_that_is_told(tmp_path: Path) -> None:
    [check], not_tried = run(SlowToSend, COUNTS, tmp_path)
    assert (check.check, check.result) == (COUNTS, CheckResult.KEPT)
    assert not_tried == [f"{COUNTS}: {WITHOUT_TRACE}"]


def test_a_deviation_on_a_slow_machine_leaves_the_rule_unknown(tmp_path: Path) -> None:
    [check], not_tried = run(SlowToLook, FILLS, tmp_path)
    assert check.result is CheckResult.UNKNOWN
    assert "this machine was too slow" in check.seen
    assert not_tried == [f"{FILLS}: {WITHOUT_TRACE}"] * (1 + ROUNDS_FOR_LATE_CHECKS)


def test_a_late_run_of_a_check_hides_nothing_that_its_next_run_shows(tmp_path: Path) -> None:
    checks, _ = run(LateThenRefusing, COUNTS, tmp_path, repeat=2)
    violated = {(check.check, check.rules) for check in checks if check.result is CheckResult.VIOLATED}
    assert (COUNTS, ("GENERAL-21",)) in violated
