"""Scripts that repeat a check on a Qpid broker: what they say of clients that wait, and of what management does."""

from dataclasses import replace

import pytest

from tidegate.adapters.base import Call, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ClientState, NoScript, Settlement, Usage
from tidegate.adapters.qpid.reproduce import Script, recording, script_template
from tidegate.conformance.report.scripts import script as written
from tidegate.record.report import Check, CheckKind, CheckResult

CHECK = Check("waits", CheckKind.SCENARIO, CheckResult.VIOLATED, ("R-1",), ("a queue",), "it waits", "it does not", "")
WAITING = ProducerOptions(wait_ms=3000, notify_ms=1000)
OPENED = Call("open_producer", ("s1.p", "s1.p", ("s1.q",), WAITING))
TRIED = Call("send", ("s1.p", "s1.m1", 200), Outcome.UNSETTLED)
DEFAULTS = Call("declare_defaults", (Limits(limit_bytes=100_000, resume_bytes=80_000),))


def by_pika(size_bytes: int, _: str) -> int:
    return size_bytes - 31


def by_jms(size_bytes: int, _: str) -> int:
    return size_bytes - 87


def lines(*calls: Call, has_rest: bool = True) -> list[str]:
    return [step.line for step in Script(calls, by_pika, by_jms, has_rest=has_rest).steps()]


def text(version: str, *calls: Call) -> str:
    recorded = replace(CHECK, recording=recording(version, calls, by_pika, by_jms))
    script = written(script_template(version), recorded, "R-1: a sentence", version)
    compile(script, "script.py", "exec")
    return script


def test_a_producer_that_waits_is_one_of_the_jms_client_and_charged_so() -> None:
    assert lines(OPENED, TRIED) == [
        "attach_jms_producer('p', 'p', ('', 'q'), (3000, 1000), False, False)",
        "send('p', ('', 'q'), 'm000001', 113, recorded='unsettled')",
    ]


def test_a_producer_of_persistent_messages_is_one_of_pika() -> None:
    opened = Call("open_producer", ("s1.p", "s1.p", ("s1.q",), ProducerOptions(persistent=True)))
    assert lines(opened, TRIED) == [
        "attach_producer('p', 'p', True, (), True)",
        "send('p', ('', 'q'), 'm000001', 169, recorded='unsettled')",
    ]


def test_there_is_no_script_for_what_a_producer_sends_that_pika_does_not_open() -> None:
    opened = Call("open_producer", ("s1.p", "s1.p", ("s1.q",), ProducerOptions(protocol="AMQP 1.0")))
    with pytest.raises(NoScript, match="pika does not open the producer"):
        lines(opened, TRIED)


def test_what_became_of_a_send_is_compared_where_there_is_anything_to_tell() -> None:
    failed = Settlement("s1.m1", Outcome.REJECTED, "javax.jms.JMSException: too long")
    warned = ["2026-11-21 19:32:08,482 WARN  [s1.p] (transport.Session) - Message send delayed by 1s"]
    told = lines(
        *(OPENED, TRIED, Call("advance", (1500,))),
        *(Call("settlements", ("s1.p",), ()), Call("client_warnings", ("s1.p",), [])),
        *(Call("settlements", ("s1.p",), (failed,)), Call("client_warnings", ("s1.p",), warned)),
        Call("standing", ("s1.p",), Standing(stopped=True)),
        Call("client_state", ("s1.p",), ClientState(connected=True, session_open=True, in_transaction=True)),
    )
    assert told[2:] == [
        "pass_time(1.5)",
        "came_back('p', [('m000001', 'rejected')])",
        "warned('p', ['Message send delayed by 1s'])",
        "standing('p', recorded='stopped')",
        "client_state('p', recorded='connected, session open, transacted')",
    ]


def test_a_transaction_is_ended_as_it_was() -> None:
    ends = lines(OPENED, Call("commit", ("s1.p",), Outcome.ACCEPTED), Call("rollback", ("s1.p",), None))
    assert ends[1:] == ["commit('p', recorded='accepted')", "rollback('p', recorded='done')"]


@pytest.mark.parametrize(
    ("call", "has_rest"),
    [
        (Call("declare_usage", (Usage(quota_bytes=2000, quota_resume_bytes=1600),)), True),
        (Call("start_with_limits", ("s1.q", Limits(limit_bytes=1000))), True),
        (Call("change_limits", ("s1.q", Limits(limit_bytes=1000))), False),
        (Call("limits_in_force", ("s1.q",), Limits(limit_bytes=1000, resume_bytes=800)), False),
        (DEFAULTS, False),
    ],
)
def test_there_is_no_script_for_what_somebody_would_have_to_configure_by_hand(call: Call, has_rest: bool) -> None:
    with pytest.raises(NoScript):
        lines(call, has_rest=has_rest)


def test_figures_that_management_reads_are_compared() -> None:
    assert lines(Call("depth", ("s1.q",), Depth(1200, 1))) == ["depth('q', recorded='1200 bytes in 1 messages')"]
    read = Call("limits_in_force", ("s1.q",), Limits(limit_bytes=1000, resume_bytes=800))
    words = "a capacity of 1000 bytes and a resume level of 800 bytes"
    assert lines(read) == [f"limits('q', recorded={words!r})"]


def test_limits_are_changed_by_rest() -> None:
    unset = {"maximumQueueDepthMessages": None}
    wanted = {"maximumQueueDepthBytes": 1000, "overflowPolicy": "PRODUCER_FLOW_CONTROL", "context": {}}
    (line,) = lines(Call("change_limits", ("s1.q", Limits(limit_bytes=1000))))
    assert eval(line, {"change": lambda name, attributes: (name, attributes)}) == ("q", wanted | unset)


def test_defaults_are_set_by_rest_where_the_broker_has_it() -> None:
    context = {
        "queue.queueFlowResumeLimit": "80.0",
        "queue.defaultMaximumQueueDepthBytes": "100000",
        "queue.defaultOverflowPolicy": "PRODUCER_FLOW_CONTROL",
    }
    asked = (
        "give the queues of the virtual host a capacity of 100000 bytes and a resume level of 80000 bytes by default"
    )
    assert lines(DEFAULTS) == [f"set_defaults({asked!r}, {context!r})"]


def test_a_resume_level_alone_is_set_together_with_the_default_capacity() -> None:
    declared = Call("declare", ("s1.q", Limits(resume_bytes=50_000)))
    assert lines(DEFAULTS, declared)[1] == (
        "declare('q', {'x-qpid-capacity': 100000, 'qpid.policy_type': 'producer_flow_control', "
        "'x-qpid-flow-resume-capacity': 50000})"
    )
    assert lines(declared) == ["declare('q', {})"]


def test_a_script_holds_what_its_check_needs() -> None:
    assert "import jpype" in text("10.1.0", OPENED, TRIED)
    plain = text("10.1.0", Call("declare", ("s1.q", Limits(limit_bytes=1000))))
    assert "jpype" not in plain
    assert "MANAGEMENT" not in plain
    assert "MANAGEMENT" in text("10.1.0", DEFAULTS)
    assert "MANAGEMENT" not in text("0.18", Call("depth", ("s1.q",), Depth(0, 0)))
