"""Other troubles than a limit, and sockets that are not read, are told without a limit being made up."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2026-11-20 09:00:12 worker ERROR cannot connect to mq1:5672: Connection refused", "connection is refused"),
        ("Error: connect ECONNREFUSED 10.0.0.4:5672", "connection is refused"),
        ("dial tcp: lookup mq1: no such host", "cannot be reached"),
        ("pika.exceptions.ProbableAccessDeniedError: (403, 'ACCESS_REFUSED - operation not permitted')", "a right"),
        ("javax.net.ssl.SSLHandshakeException: PKIX path building failed", "handshake of TLS"),
        ("java.net.SocketException: Connection reset", "connection was lost"),
    ],
)
def test_a_trouble_that_is_no_limit_is_named(line: str, words: str) -> None:
    found = ask("10:00:00 starting", line)
    assert found.state is State.UNKNOWN
    assert [words in told and "a.log:2" in told for told in found.clear] == [True]


def test_a_trouble_beside_a_limit_does_not_hide_the_limit() -> None:
    alarm = "[warning] <0.215.0> memory resource limit alarm set on node 'rabbit@mq1'."
    found = ask("java.net.SocketException: Broken pipe", alarm)
    assert (found.state, found.clear) == (State.BLOCKED, ())


@pytest.mark.parametrize(
    "row",
    [
        'ESTAB 0      2565600 10.0.0.3:49822      10.0.0.4:5672     users:(("java",pid=812,fd=91))',
        "tcp6       0  2565600 10.0.0.3:49822          10.0.0.4:5672          ESTABLISHED 812/java",
        "tcp   ESTAB 0      2565600 [fd00::3]:49822      [fd00::4]:61616",
    ],
)
def test_bytes_that_a_broker_does_not_take_are_told_without_a_limit(row: str) -> None:
    assert ask(row).state is State.LIMIT_UNKNOWN
    found = held(row)
    assert " -> " in found.clients[0]
    assert found.told == "2,565,600 bytes wait to be read"
    assert ask(row.replace("2565600", "0")).state is State.UNKNOWN
    assert ask(row.replace(":5672", ":443").replace(":61616", ":443")).state is State.UNKNOWN


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("|NAME   |ADDRESS|CONSUMER_COUNT|MESSAGE_COUNT|", "|sales  |sales  |0             |51234        |"),
        ("name,messages,consumers", "sales,51234,0"),
    ],
)
def test_a_queue_without_consumers_is_named_and_not_called_blocked(head: str, row: str) -> None:
    found = ask(head, row)
    assert found.state is State.UNKNOWN
    assert found.clear == ("queue sales holds 51,234 messages and has no consumer (a.log:2)",)
    assert ask(head, row.replace("0", "1")).clear == ()


SEGMENT = "10:00:01.1 IP 10.0.0.4.5672 > 10.0.0.3.49822: Flags [.], ack 9, win {}, length 0"


def test_a_window_that_a_broker_closed_is_told_until_the_broker_opens_it() -> None:
    closed = ask(SEGMENT.format(501), SEGMENT.format(0))
    assert closed.state is State.LIMIT_UNKNOWN
    assert closed.held is not None and closed.held.clients == ("10.0.0.3.49822 -> 10.0.0.4.5672",)
    assert ask(SEGMENT.format(0), SEGMENT.format(501)).state is State.NOT_BLOCKED
    assert ask(SEGMENT.format(0).replace("5672 >", "443 >")).state is State.UNKNOWN
    shark = "7 1.2 10.0.0.4 → 10.0.0.3 TCP 66 [TCP ZeroWindow] 5672 → 49822 [ACK] Seq=1 Ack=9 Win=0 Len=0"
    assert ask(shark).state is State.LIMIT_UNKNOWN


def test_a_publication_that_a_client_of_node_gave_up_waited_for_its_confirm() -> None:
    wrapper = "    at Timeout._onTimeout (/app/node_modules/amqp-connection-manager/dist/esm/ChannelWrapper.js:212:57)"
    found = held("Error: timeout", wrapper)
    assert found.gave_up and "did not confirm" in found.reason
