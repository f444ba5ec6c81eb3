"""Scripts that show a violation without tidegate."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.adapters.scripts import script_of
from tests.conformance.sample_report import ARTEMIS, check
from tidegate.adapters.artemis.reproduce import recording, steps
from tidegate.adapters.artemis.settings import settings_of
from tidegate.adapters.base import Call, Delivery, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import NoScript
from tidegate.catalogue import catalogue
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.report.reproduce import ASKED, template_of, with_recordings
from tidegate.conformance.report.scripts import script as written
from tidegate.conformance.report.verdicts import judge
from tidegate.record.report import Check, CheckResult, Recording, ScriptTemplate

RULE = "ARTEMIS-AMQP-5"
VIOLATED = check(RULE, CheckResult.VIOLATED, "30 credits left", "100 credits left", "full[310-30]")
TEMPLATE = ScriptTemplate("tidegate.adapters.artemis", {"form": None})
WINDOW = Limits(limit_bytes=1000, policy="BLOCK", credit=100, credit_low=30)


def body_bytes(size_bytes: int, message_id: str) -> int:
    return size_bytes - len(message_id)


def sends(count: int, start: int = 0, issued: int = 100) -> list[Call]:
    """Sends of ten bytes, each with the depth and the producer's standing after it."""
    calls = []
    for number in range(start, start + count):
        calls.append(Call("send", ("s1.p", f"s1.m{number + 1}", 10), Outcome.ACCEPTED))
        calls.append(Call("depth", ("s1.orders",), Depth(10 * (number + 1), number + 1)))
        calls.append(Call("standing", ("s1.p",), Standing(False, issued, issued - number - 1)))
    return calls


def consumed(count: int, start: int = 0) -> list[Call]:
    calls = []
    for number in range(start, start + count):
        calls.append(Call("take", ("s1.c",), Delivery(f"s1.m{number + 1}", "s1.orders")))
        calls.append(Call("acknowledge", ("s1.c", f"s1.m{number + 1}"), None))
    return calls


def free(left: int, times: int = 1) -> list[Call]:
    """Looks, `times` in a row, that see the producer free with `left` credits."""
    return [Call("standing", ("s1.p",), Standing(False, left, left))] * times


def script(check: Check, calls: Sequence[Call], sentence: str = "a sentence", version: str = "2.44.0") -> str:
    return written(TEMPLATE, replace(check, recording=recording(calls, body_bytes)), sentence, version)


def lines(calls: Sequence[Call]) -> list[str]:
    return [step.line for step in steps(calls, body_bytes)]


def test_equal_sends_are_one_line_with_what_was_seen_after_the_last() -> None:
    assert lines(sends(70)) == [
        "send('p', 3, times=70, recorded='accepted')",
        "depth('orders', recorded='700 bytes in 70 messages')",
        "standing('p', recorded='free, 100 credits issued so far, 30 left')",
    ]


def test_a_send_after_which_credit_was_issued_stands_alone() -> None:
    found = lines(sends(69) + sends(1, 69, issued=170) + sends(1, 70, issued=170))
    assert [line for line in found if line.startswith("send")] == [
        "send('p', 3, times=69, recorded='accepted')",
        "send('p', 3, times=2, recorded='accepted')",
    ]
    assert "standing('p', recorded='free, 100 credits issued so far, 31 left')" in found


def test_messages_consumed_in_order_are_one_line() -> None:
    assert lines(sends(3) + consumed(3))[-1] == "consume('c', recorded=messages(1, 3))"


def test_what_is_seen_in_passing_between_messages_consumed_is_left_out() -> None:
    found = lines(sends(3) + consumed(2) + free(30) + consumed(1, 2) + free(100))
    assert found[-2:] == [
        "consume('c', recorded=messages(1, 3))",
        "standing('p', recorded='free, 100 credits issued so far, 100 left')",
    ]


def test_what_is_waited_for_between_messages_consumed_is_looked_at_again() -> None:
    found = lines(sends(3) + consumed(2) + free(30, times=2) + consumed(1, 2) + free(100))
    assert found[-4:] == [
        "consume('c', recorded=messages(1, 2))",
        "standing('p', recorded='free, 30 credits issued so far, 30 left')",
        "consume('c', recorded=messages(3, 3))",
        "standing('p', recorded='free, 100 credits issued so far, 100 left')",
    ]


def test_a_message_taken_and_kept_is_not_consumed() -> None:
    calls = [*sends(1), Call("take", ("s1.c",), Delivery("s1.m1", "s1.orders")), Call("take", ("s1.c",), None)]
    assert lines(calls)[-2:] == ["take('c', recorded='m000001')", "take('c', recorded='nothing')"]


def test_of_looks_in_a_row_the_last_is_repeated_and_waiting_is_not() -> None:
    looks = [
        Call("standing", ("s1.p",), Standing(True, 0, 0)),
        Call("advance", (2,), None),
        Call("standing", ("s1.p",), Standing(False, 100, 100)),
    ]
    assert lines(looks) == ["standing('p', recorded='free, 100 credits issued so far, 100 left')"]


def test_a_verb_that_the_script_cannot_repeat_is_an_error() -> None:
    with pytest.raises(NoScript, match="move"):
        lines([Call("move", ("s1.orders", "s1.others"), None)])
    with pytest.raises(NoScript, match="open_producer"):
        lines([Call("open_producer", ("s1.p", "s1.p", ("s1.orders",), ProducerOptions(properties=3)))])


TRANSACTION = [
    Call("open_producer", ("s1.p", "s1.p", ("s1.orders",), ProducerOptions(transacted=True))),
    Call("send", ("s1.p", "s1.m1", 10), Outcome.UNSETTLED),
    Call("send", ("s1.p", "s1.m2", 10), Outcome.UNSETTLED),
    Call("commit", ("s1.p",), Outcome.ACCEPTED),
    Call("send", ("s1.p", "s1.m3", 10), Outcome.UNSETTLED),
    Call("rollback", ("s1.p",)),
]


def test_a_transaction_is_committed_and_rolled_back() -> None:
    assert lines(TRANSACTION) == [
        "attach_transacted_producer('p', 'orders')",
        "send('p', 3, times=2, recorded='unsettled')",
        "commit('p', recorded='accepted')",
        "send('p', 3, recorded='unsettled')",
        "rollback('p')",
    ]


def test_only_a_script_with_transactions_has_their_functions() -> None:
    for calls, has in ((TRANSACTION, True), (sends(2), False)):
        text = script(VIOLATED, calls)
        compile(text, "script", "exec")
        assert ("TransactionHandler" in text, "def commit" in text) == (has, has)


def test_defaults_and_patterns_are_set_before_the_addresses_that_take_them() -> None:
    limits = Limits(limit_bytes=1000, policy="BLOCK")
    everywhere, pattern = Call("declare_defaults", (limits,)), Call("declare_pattern", ("s1.", limits))
    settings = settings_of(limits)
    assert lines([everywhere, pattern]) == [f"configure_every({settings})", f"configure('#', {settings})"]


def test_a_text_of_several_lines_stays_in_its_comment() -> None:
    hostile = check(RULE, CheckResult.VIOLATED, "a\nraise SystemExit(5)", "b\r\nraise SystemExit(6)", "c\n1/0")
    text = script(hostile, sends(1), "sentence\n1/0", "2.44.0\n1/0")
    compile(text, "script", "exec")
    above = text[: text.index("import json")]
    assert all(line.startswith("#") for line in above.splitlines())


def test_the_script_names_the_acceptor_that_the_check_needs() -> None:
    declared = Call("declare", ("s1.orders", WINDOW), None)
    assert "amqpCredits=100;amqpLowCredits=30" in script(VIOLATED, [declared])
    unconfigured = Call("declare", ("s1.orders", Limits()), None)
    assert "amqpCredits" not in script(VIOLATED, [unconfigured])


class Writes:
    """An implementation whose recordings hold only the number of calls."""

    def script_template(self) -> ScriptTemplate:
        return TEMPLATE

    def recording(self, calls: Sequence[Call]) -> Recording:
        return Recording((f"calls({len(calls)})",))


def test_each_violated_check_gets_the_recording_of_its_own_run() -> None:
    again = check(RULE, CheckResult.VIOLATED, "30", "31", "else[310-30]")
    kept = check(RULE, CheckResult.KEPT, "30", "30", "full[310-30]")
    traced = check(RULE, CheckResult.VIOLATED, "so", "otherwise", "trace:full")
    verdict = judge(catalogue()[RULE], [kept, VIOLATED, again, traced], ARTEMIS.capabilities)
    calls = {"s1.full[310-30]": sends(1), "s2.full[310-30]": sends(2), "s3.else[310-30]": sends(3)}
    found = with_recordings(verdict, Writes(), calls)
    assert [(each.script, each.recording and each.recording.steps) for each in found.checks] == [
        (None, None),
        ("reproduce/ARTEMIS-AMQP-5-310-30.py", ("calls(6)",)),
        ("reproduce/ARTEMIS-AMQP-5-310-30-no2.py", ("calls(9)",)),
        (None, None),
    ]
    assert template_of(Writes(), [found]) == TEMPLATE
    assert template_of(Writes(), [verdict]) is None


def test_a_check_that_ran_several_times_has_one_recording_that_of_its_last_run() -> None:
    verdict = judge(catalogue()[RULE], [VIOLATED, VIOLATED], ARTEMIS.capabilities)
    calls = {"s1.full[310-30]": sends(1), "s2.full[310-30]": sends(2)}
    found = with_recordings(verdict, Writes(), calls).checks
    assert {each.script for each in found} == {"reproduce/ARTEMIS-AMQP-5-310-30.py"}
    assert [each.recording for each in found] == [None, Recording(("calls(6)",))]


def test_there_is_no_recording_of_a_check_that_no_script_repeats() -> None:
    """A script cannot kill and restart the broker of its reader."""

    class Kills(Writes):
        def recording(self, calls: Sequence[Call]) -> Recording:
            return recording(calls, body_bytes)

    calls = {f"s1.{VIOLATED.check}": [Call("keep_data", ()), *sends(1)]}
    verdict = with_recordings(judge(catalogue()[RULE], [VIOLATED], ARTEMIS.capabilities), Kills(), calls)
    assert [(check.script, check.recording) for check in verdict.checks] == [(None, None)]


def test_there_is_no_recording_of_an_implementation_without_a_wire() -> None:
    verdict = judge(catalogue()[RULE], [VIOLATED], ARTEMIS.capabilities)
    assert with_recordings(verdict, object(), {"s1.full[310-30]": sends(1)}) == verdict


@pytest.mark.nightly
@pytest.mark.real_broker
def test_a_script_repeats_its_check_on_a_real_broker_and_notices_another_one(tmp_path: Path) -> None:
    from tidegate.adapters.artemis.adapter import ArtemisAdapter

    adapter = ArtemisAdapter()
    adapter.start()
    try:
        lab = Lab(adapter, Recorder("s1.full", lambda event: None), "s1.")
        lab.declare("orders", WINDOW)
        lab.open_producer("p", "orders")
        lab.send("p", 320)
        for _ in range(69):
            lab.send("p", 10)
        lab.rests("p", lambda standing: standing.credit_left == 30)
        lab.drain("orders")
        lab.rests("p", lambda standing: standing.credit_left == 100)
        script = tmp_path / "script.py"
        script.write_text(script_of(adapter, VIOLATED, [call for call in lab.calls if call.verb not in ASKED]))
        adapter.end_scenario()
        same = run(script, adapter._broker.windowed_port)
        assert same.returncode == 0, same.stdout + same.stderr
        assert "send 69 x" in same.stdout and "m000001 to m000070" in same.stdout
        other = run(script, adapter._broker.unconfigured_port)
        assert other.returncode == 1, other.stdout + other.stderr
        assert "OTHERWISE: free, 100 credits issued so far, 100 left was recorded" in other.stdout
    finally:
        adapter.stop()


@pytest.mark.nightly
@pytest.mark.real_broker
def test_a_script_repeats_transactions_on_a_real_broker(tmp_path: Path) -> None:
    from tidegate.adapters.artemis.adapter import ArtemisAdapter

    adapter = ArtemisAdapter()
    adapter.start()
    try:
        lab = Lab(adapter, Recorder("s1.full", lambda event: None), "s1.")
        lab.declare("orders", replace(WINDOW, policy="FAIL"))
        lab.open_producer("p", "orders", options=ProducerOptions(transacted=True))
        for size, end in ((300, lab.rollback), (300, lab.commit), (1000, lab.commit)):
            lab.send("p", size)
            lab.send("p", size)
            end("p")
        lab.close_producer("p")
        lab.depth("orders")
        script = tmp_path / "script.py"
        script.write_text(script_of(adapter, VIOLATED, [call for call in lab.calls if call.verb not in ASKED]))
        adapter.end_scenario()
        same = run(script, adapter._broker.windowed_port)
        assert same.returncode == 0, same.stdout + same.stderr
        assert "commit of p: accepted" in same.stdout and "commit of p: rejected" in same.stdout
        # the refusal took back the credit that was left
        assert "producer p: stopped, 100 credits issued so far, 0 left" in same.stdout
    finally:
        adapter.stop()


def run(script: Path, port: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(script), f"127.0.0.1:{port}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)
