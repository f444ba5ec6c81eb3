"""Scripts that repeat a check by the Core client: what they say."""

import pytest

from tidegate.adapters.artemis.core.reproduce import steps
from tidegate.adapters.base import Call, Delivery, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ConsumerOptions, NoScript, Settlement


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
        (Call("open_producer", ("s7.p", "s7.p", ("s7.q",))), "attach_producer('p', 'q', None, None)"),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(window_bytes=300, rate=10))),
            "attach_producer('p', 'q', 300, 10)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(obeys=False))),
            "attach_producer('p', 'q', -1, None)",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(asynchronous=True))),
            "attach_producer('p', 'q', None, None, 'sent')",
        ),
        (
            Call("open_producer", ("s7.p", "s7.p", ("s7.q",), ProducerOptions(transacted=True))),
            "attach_producer('p', 'q', None, None, 'unsettled')",
        ),
        (Call("commit", ("s7.p",), Outcome.REJECTED), "commit('p', recorded='rejected')"),
        (Call("rollback", ("s7.p",)), "rollback('p')"),
        (Call("open_consumer", ("s7.c", "s7.c", "s7.q")), "attach_consumer('c', 'q', 0, None)"),
        (
            Call("open_consumer_with", ("s7.c", "s7.c", "s7.q", ConsumerOptions(rate=1))),
            "attach_consumer('c', 'q', None, 1)",
        ),
        (Call("send", ("s7.p", "s7.m1", 900), Outcome.UNSETTLED), "send('p', 'm1', 900, recorded='unsettled')"),
        (Call("send", ("s7.p", "s7.m2", 9), Outcome.BLOCKED), "# p could not send m2: its last send still waited"),
        (
            Call("settlements", ("s7.p",), [Settlement("s7.m1", Outcome.ACCEPTED)]),
            "came_back('p', recorded=[('m1', 'accepted')])",
        ),
        (Call("take", ("s7.c",), Delivery("s7.m1", "s7.q")), "take('c', recorded='m1')"),
        (Call("take", ("s7.c",), None), "take('c', recorded=None)"),
        (Call("acknowledge", ("s7.c", "s7.m1")), "acknowledge('c', 'm1')"),
        (Call("kill", ("s7.p",)), "kill('p')"),
        (Call("advance", (1000,)), "pass_time(1000)"),
        (Call("standing", ("s7.p",), Standing(stopped=True)), "standing('p', recorded='waits')"),
        (Call("depth", ("s7.q",), Depth(1200, 2)), "depth('q', recorded='1200 bytes in 2 messages')"),
        (Call("buffered", ("s7.c",), 3), "buffered('c', recorded=3)"),
    ],
)
def test_a_call_is_a_line_without_the_prefix_of_the_run(call: Call, line: str) -> None:
    assert lines(call) == [line]


def test_a_look_that_shows_nothing_new_is_left_out() -> None:
    looks = [Call("buffered", ("c",), count) for count in (0, 0, 2, 2, 0)]
    assert lines(*looks) == [f"buffered('c', recorded={count})" for count in (0, 2, 0)]
    assert lines(Call("settlements", ("p",), []), Call("log_lines", (), [])) == []


def test_a_verb_without_a_line_is_an_error() -> None:
    with pytest.raises(NoScript, match="no line of a script for block"):
        lines(Call("block", ("q",)))
