"""Scripts that repeat a check on Artemis by OpenWire: what they say."""

from dataclasses import replace

import pytest

from tests.conformance.sample_report import check
from tidegate.adapters.artemis.openwire.reproduce import recording, steps
from tidegate.adapters.base import Call, Delivery, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import NoScript, Settlement
from tidegate.conformance.report.scripts import script
from tidegate.record.report import CheckResult, ScriptTemplate


def lines(*calls: Call) -> list[str]:
    return list(steps(calls))


@pytest.mark.parametrize(
    ("call", "line"),
    [
        (Call("declare", ("s7.q", Limits())), "declare('q', {})"),
        (
            Call("change_limits", ("s7.q", Limits(limit_bytes=1000, policy="BLOCK"))),
            "change_limits('q', {'maxSizeBytes': 1000, 'addressFullMessagePolicy': 'BLOCK', 'pageSizeBytes': 500})",
        ),
        (
            Call("open_producer", ("s7.p", "s7.line", ("s7.q",))),
            "attach_producer('p', 'line', 'q', False, False, 0, False, False)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(window_bytes=300, asynchronous=True))),
            "attach_producer('p', 'p', 'q', False, True, 300, False, False)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(transacted=True, persistent=True))),
            "attach_producer('p', 'p', 'q', False, False, 0, True, True)",
        ),
        (
            Call("open_anonymous_producer", ("s7.p", "s7.p")),
            "attach_producer('p', 'p', None, False, False, 0, False, False)",
        ),
        (Call("open_consumer", ("s7.c", "s7.c", "s7.q")), "attach_consumer('c', 'c', 'q', False)"),
        (Call("send", ("s7.p", "s7.m1", 900), Outcome.UNSETTLED), "send('p', 'm1', 900, recorded='unsettled')"),
        (Call("send", ("s7.p", "s7.m2", 9), Outcome.BLOCKED), "# p could not send m2: its last call still waited"),
        (
            Call("send_to", ("s7.p", "s7.q", "s7.m1", 900), Outcome.ACCEPTED),
            "send('p', 'm1', 900, to=('q', False), recorded='accepted')",
        ),
        (Call("commit", ("s7.p",), Outcome.ACCEPTED), "commit('p')"),
        (
            Call("settlements", ("s7.p",), [Settlement("s7.m1", Outcome.ACCEPTED)]),
            "came_back('p', recorded=['accepted'])",
        ),
        (Call("take", ("s7.c",), Delivery("s7.m1", "s7.q")), "take('c', recorded='m1')"),
        (Call("take", ("s7.c",), None), "take('c', recorded=None)"),
        (Call("acknowledge", ("s7.c", "s7.m1")), "acknowledge('c', 'm1')"),
        (Call("kill", ("s7.p",)), "kill('p')"),
        (Call("advance", (1000,)), "pass_time(1000)"),
        (Call("standing", ("s7.p",), Standing(stopped=True)), "standing('p', recorded='waits')"),
        (Call("depth", ("s7.q",), Depth(1200, 2)), "depth('q', recorded='1200 bytes in 2 messages')"),
    ],
)
def test_a_call_is_a_line_without_the_prefix_of_the_run(call: Call, line: str) -> None:
    assert lines(call) == [line]


def test_clients_of_a_topic_know_that_it_is_one() -> None:
    calls = [
        Call("declare_topic", ("s7.t", Limits())),
        Call("open_producer", ("s7.p", "s7.p", ("s7.t",))),
        Call("open_consumer", ("s7.c", "s7.c", "s7.t")),
        Call("send_to", ("s7.a", "s7.t", "s7.m1", 900), Outcome.ACCEPTED),
    ]
    assert lines(*calls) == [
        "declare_topic('t', {})",
        "attach_producer('p', 'p', 't', True, False, 0, False, False)",
        "attach_consumer('c', 'c', 't', True)",
        "send('a', 'm1', 900, to=('t', True), recorded='accepted')",
    ]


def test_a_look_that_shows_nothing_new_is_left_out() -> None:
    looks = [Call("standing", ("p",), Standing(stopped=stopped)) for stopped in (False, False, True)]
    assert lines(*looks) == [f"standing('p', recorded={state!r})" for state in ("free", "waits")]
    assert lines(Call("settlements", ("p",), []), Call("log_lines", (), [])) == []


@pytest.mark.parametrize(
    "call", [Call("block", ("q",)), Call("open_producer", ("p", "p", ("q",), ProducerOptions(properties=3)))]
)
def test_what_no_line_repeats_is_an_error(call: Call) -> None:
    with pytest.raises(NoScript, match="no line of a script for"):
        lines(call)


def test_the_script_is_python_and_says_what_is_charged() -> None:
    violated = check("GENERAL-16", CheckResult.VIOLATED, "0 bytes", "1500 bytes", "rolled back")
    recorded = replace(violated, recording=recording([Call("rollback", ("s1.p",))]))
    template = ScriptTemplate("tidegate.adapters.artemis.openwire", {"charge": [1400, 2]})
    text = script(template, recorded, "GENERAL-16: a sentence", "2.44.0")
    assert "CHARGED, CHARGED_FOR_IDS = 1400, 2" in text
    assert "    rollback('p')\n" in text
