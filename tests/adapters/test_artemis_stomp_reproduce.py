"""The lines of scripts that repeat a check on Artemis by STOMP."""

from dataclasses import replace

import pytest

from tests.conformance.sample_report import check
from tidegate.adapters.artemis.stomp.reproduce import recording, steps
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
            "attach_producer('p', 'line', 'q', False, False, False)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(asynchronous=True, persistent=True))),
            "attach_producer('p', 'p', 'q', True, False, True)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(transacted=True))),
            "attach_producer('p', 'p', 'q', False, True, False)",
        ),
        (Call("open_anonymous_producer", ("s7.p", "s7.p")), "attach_producer('p', 'p', None, False, False, False)"),
        (Call("open_consumer", ("s7.c", "s7.c", "s7.q")), "attach_consumer('c', 'c', 'q', False)"),
        (Call("send", ("s7.p", "s7.m1", 2900), Outcome.ACCEPTED), "send('p', 'm1', 2900, recorded='accepted')"),
        (Call("send", ("s7.p", "s7.m2", 9), Outcome.BLOCKED), "# p could not send m2: the broker owed it an answer"),
        (
            Call("send_to", ("s7.p", "s7.q", "s7.m1", 2900), Outcome.REJECTED),
            "send('p', 'm1', 2900, to='q', recorded='rejected')",
        ),
        (Call("commit", ("s7.p",), Outcome.REJECTED), "commit('p', recorded='rejected')"),
        (Call("rollback", ("s7.p",)), "rollback('p')"),
        (Call("take", ("s7.c",), Delivery("s7.m1", "s7.q")), "take('c', recorded='m1')"),
        (Call("acknowledge", ("s7.c", "s7.m1")), "acknowledge('c', 'm1')"),
        (Call("kill", ("s7.p",)), "kill('p')"),
        (Call("advance", (1000,)), "pass_time(1000)"),
        (Call("standing", ("s7.p",), Standing(stopped=True)), "standing('p', recorded='waits')"),
        (Call("depth", ("s7.q",), Depth(2400, 2)), "depth('q', recorded='2400 bytes in 2 messages')"),
    ],
)
def test_a_call_is_a_line_without_the_prefix_of_the_run(call: Call, line: str) -> None:
    assert lines(call) == [line]


def test_a_consumer_of_a_topic_knows_that_it_is_one() -> None:
    calls = [Call("declare_topic", ("s7.t", Limits())), Call("open_consumer", ("s7.c", "s7.c", "s7.t"))]
    assert lines(*calls) == ["declare_topic('t', {})", "attach_consumer('c', 'c', 't', True)"]


def test_a_look_that_shows_nothing_new_is_left_out() -> None:
    looks = [Call("standing", ("p",), Standing(stopped=stopped)) for stopped in (False, False, True)]
    assert lines(*looks) == [f"standing('p', recorded={state!r})" for state in ("free", "waits")]
    refused = Call("settlements", ("p",), [Settlement("m", Outcome.REJECTED, "no room")])
    assert lines(refused, Call("log_lines", (), [])) == []


@pytest.mark.parametrize(
    "call", [Call("give_up", ("c", "m")), Call("open_producer", ("p", "p", ("q",), ProducerOptions(properties=3)))]
)
def test_what_no_line_repeats_is_an_error(call: Call) -> None:
    with pytest.raises(NoScript, match="no line of a script for"):
        lines(call)


@pytest.mark.parametrize("form", [None, {"maxSizeBytes": -1}])
def test_the_script_is_python_and_says_what_is_charged(form: dict[str, int] | None) -> None:
    violated = check("GENERAL-20", CheckResult.VIOLATED, "stopped", "not stopped", "went on")
    recorded = replace(violated, recording=recording([Call("rollback", ("s1.p",))]))
    values = {"charge": [466, 26, 4, 2], "form": form, "options": "a=1"}
    text = script(
        ScriptTemplate("tidegate.adapters.artemis.stomp", values), recorded, "GENERAL-20: a sentence", "2.44.0"
    )
    compile(text, "script", "exec")
    assert "MESSAGE, HEADER, CHARACTER, OF_ADDRESS = 466, 26, 4, 2 " in text
    assert "protocols=STOMP;a=1</acceptor>" in text
    assert ("FORM = " in text) == (form is not None)
    assert "    rollback('p')\n" in text
