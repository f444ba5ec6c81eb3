"""A trace of AMQP 1.0 frames tells which sender has used up the credit of its link."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

OURS = '[0x7a10]: AMQP:FRAME:0 -> @attach(18) [name="till", handle=0, role=false, source=@source(40) [], '
OURS += 'target=@target(41) [address="sales", durable=0], initial-delivery-count=0]'
THEIRS = '[0x7a10]: AMQP:FRAME:0 <- @attach(18) [name="till", handle=5, role=true, source=@source(40) [], '
THEIRS += 'target=@target(41) [address="sales", durable=0]]'
SENT = '[0x7a10]: AMQP:FRAME:0 -> @transfer(20) [handle=0, delivery-id={0}, delivery-tag=b"{0}", more=false] (9) "x"'
FLOW = "[0x7a10]: AMQP:FRAME:0 <- @flow(19) [next-incoming-id=0, incoming-window=99, handle=5, delivery-count={}, "
FLOW += "link-credit={}, drain=false]"


def test_a_sender_without_credit_is_named_with_its_address() -> None:
    found = held(OURS, THEIRS, FLOW.format(0, 0))
    assert found.place == "address sales"
    assert found.clients == ("the sender of link till",)
    assert "used up the credit" in found.reason


def test_credit_is_used_up_by_transfers() -> None:
    sent = [SENT.format(number) for number in range(2)]
    assert ask(OURS, THEIRS, FLOW.format(0, 2), *sent).state is State.LIMIT_UNKNOWN
    assert ask(OURS, THEIRS, FLOW.format(0, 3), *sent).state is State.UNKNOWN


def test_a_flow_that_does_not_count_what_is_on_its_way_gives_less_credit() -> None:
    sent = [SENT.format(number) for number in range(2)]
    assert ask(OURS, THEIRS, FLOW.format(0, 9), *sent, FLOW.format(1, 1)).state is State.LIMIT_UNKNOWN
    assert ask(OURS, THEIRS, FLOW.format(0, 9), *sent, FLOW.format(1, 2)).state is State.UNKNOWN


def test_new_credit_releases_the_sender() -> None:
    found = ask(OURS, THEIRS, FLOW.format(0, 0), FLOW.format(0, 5))
    assert found.state is State.NOT_BLOCKED


@pytest.mark.parametrize(
    ("transfer", "flow"),
    [
        (
            "2026-11-20 10:00:00,003 TRACE FRAMES - [77:1] SENT: Transfer{handle=0, deliveryId=9, more=false} (211)",
            "2026-11-20 10:00:00,009 TRACE FRAMES - [77:1] RECV: Flow{nextIncomingId=9, incomingWindow=21, handle=0, "
            "deliveryCount=10, linkCredit=0, available=0, drain=false, echo=false, properties=null}",
        ),
        (
            "[10:00:00.003] SEND (ch=0) transfer(handle:0,delivery-id:9,settled:False) payload 20",
            "[10:00:00.009] RECV (ch=0) flow(next-in-id:9,handle:0,delivery-count:10,link-credit:0,drain:False)",
        ),
        (
            '  rhea:frames [connection-1]:0 -> transfer#14 {"handle":0,"delivery_id":9} <Buffer 00 53> +1ms',
            '  rhea:frames [connection-1]:0 <- flow#13 {"handle":0,"delivery_count":10,"link_credit":0} +2ms',
        ),
        (
            "TX (Sender 0xc01): Transfer{Handle: 0, DeliveryID: 9, MessageFormat: 0}",
            "RX (Session 0xc02): Flow{Handle: 0, DeliveryCount: 10, LinkCredit: 0, Drain: false}",
        ),
    ],
)
def test_each_layout_of_frames_is_read(transfer: str, flow: str) -> None:
    assert held(transfer, flow).clients == ("a sender",)


def test_a_flow_alone_does_not_tell_who_sends() -> None:
    found = held(FLOW.format(3, 0))
    assert found.clients == ("the sender of a link, client or broker",)
    assert "do not tell who sends" in found.reason


@pytest.mark.parametrize(
    "lines",
    [
        [FLOW.format(3, 0).replace("drain=false", "drain=true")],
        [OURS, THEIRS, FLOW.format(0, 0).replace("<-", "->").replace("handle=5", "handle=0")],
        [
            '[0x7a10]:0 -> @attach(18) [name="c", handle=0, role=true, source=@source(40) [address="sales"]]',
            '[0x7a10]:0 <- @attach(18) [name="c", handle=0, role=false, source=@source(40) [address="sales"]]',
            "[0x7a10]:0 -> @flow(19) [handle=0, delivery-count=0, link-credit=0, drain=false]",
        ],
    ],
)
def test_drained_credit_and_the_credit_of_a_consumer_block_no_producer(lines: list[str]) -> None:
    assert ask(*lines).state is State.UNKNOWN


def test_links_of_two_connections_with_one_handle_are_told_apart() -> None:
    other = FLOW.format(0, 5).replace("0x7a10", "0x9b20")
    assert ask(OURS, THEIRS, FLOW.format(0, 0), other).state is State.LIMIT_UNKNOWN


def test_a_detached_link_waits_no_more() -> None:
    gone = "[0x7a10]: AMQP:FRAME:0 <- @detach(22) [handle=5, closed=true]"
    assert ask(OURS, THEIRS, FLOW.format(0, 0), gone).state is not State.LIMIT_UNKNOWN


def test_a_frame_that_refuses_a_message_tells_why() -> None:
    error = '[condition=:"amqp:resource-limit-exceeded", description="AMQ229102: Address \\"sales\\" is full."]'
    state = f"@rejected(37) [error=@error(29) {error}]"
    frame = f"[0x7a10]: AMQP:FRAME:0 <- @disposition(21) [role=true, first=4, state={state}]"
    found = ask(frame)
    assert found.state is State.NOT_BLOCKED
    assert found.held is not None
    assert found.held.place == "address sales"
