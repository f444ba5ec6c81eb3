"""Lines of brokers as mails wrap and quote them, and as a copy of a log that still grows cuts them."""

from itertools import pairwise

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.show import shown

ANY_OF_QPID = "capacity, maximumQueueDepthBytes or maximumQueueDepthMessages"
"""The limits of a Qpid queue of which a line without its figures does not tell one."""

CLASSIC = (
    "2026-11-26 10:00:01,345 WARNING [org.apache.activemq.broker.region.Queue] Usage",
    "Manager Memory Limit (70000) reached on queue://orders, size 3. Producers will",
    "be throttled to the rate at which messages are removed from this destination to",
    "prevent flooding it. See http://activemq.apache.org/producer-flow-control.html",
)
ORDERED = (
    "2026-11-26 10:00:01,345 INFO  [org.apache.activemq.artemis.core.server]",
    "AMQ224114: Address control block, blocking message production on address",
    "'orders'. Clients will not get further credit.",
)


@pytest.mark.parametrize("mark", ["", "> ", ">> ", "> > "])
def test_a_message_that_a_mail_wraps_within_its_first_words_is_read(mark: str) -> None:
    told = held(*(mark + line for line in CLASSIC))
    assert (told.place, told.limit) == ("destination queue://orders", 70_000)
    assert told.since == "2026-11-26 10:00:01,345"


def test_the_mark_of_a_mail_is_no_part_of_a_name_that_stands_in_the_next_line() -> None:
    assert held(*(f"> {line}" for line in ORDERED)).place == "address orders"


def test_a_wrapped_message_is_told_once() -> None:
    assert ask(*CLASSIC, *CLASSIC).others == 0


@pytest.mark.parametrize(
    ("line", "place", "setting", "limit"),
    [
        ("AMQ222183: Blocking message production on address 'orders'; size=700 bytes (7 messages); maxSize=600 by",
         "address orders", "max-size-bytes", 600),
        ("AMQ222183: Blocking message production on address 'orders'; size=700 bytes (7 messages); maxSize=60",
         "address orders", "", None),
        ("AMQ222183: Blocking message production on address 'orders'; size=500 bytes (7 messages); maxSize=600 by",
         "address orders", "", None),
        ("AMQ222183: Blocking message production on address 'orders'; size is currently: 1,400 bytes; max-size-bytes "
         "on address: 1,2", "address orders", "", None),
        ("Usage Manager Memory Limit (70000) reached on queue://orders, size 3. Producers will be th",
         "destination queue://orders", "memoryLimit or memoryUsage", 70_000),
        ("Usage Manager Memory Limit (70000) reached on queue://new orders, size 3. Producers will be throttled to the",
         "destination queue://new orders", "memoryLimit or memoryUsage", 70_000),
        ("topic://new prices, Usage Manager memory limit reached 70000. Producers will be th",
         "destination topic://new prices", "memoryLimit or memoryUsage", 70_000),
        ("Usage Manager Memory Limit (70000) reached on queue://orde", "", "memoryLimit or memoryUsage", None),
        ("[vh(/test)/qu(orders)] QUE-1003 : Ove", "queue test/orders", ANY_OF_QPID, None),
        ("[vh(/test)/qu(orders)] QUE-1003", "queue test/orders", ANY_OF_QPID, None),
    ],
)  # fmt: skip
def test_a_line_that_is_cut_off_tells_what_is_left(line: str, place: str, setting: str, limit: int | None) -> None:
    told = held(line)
    assert (told.place, told.setting, told.limit) == (place, setting, limit)


OVERFULL = "[vh(/test)/qu(orders)] QUE-1003 : Overfull : Size : 1,400 bytes, Capacity : 1,200"
STOPPED = "[con:7(guest@/127.0.0.1:40000/test)/ch:1] CHN-1005 : Flow Control Enforced (Queue orders)"


def test_what_is_left_of_a_release_tells_of_it() -> None:
    assert ask(OVERFULL, "[vh(/test)/qu(orders)] QUE-1004 : Under").state is State.NOT_BLOCKED
    assert ask(OVERFULL, STOPPED, "[vh(/test)/qu(orders)] QUE-1004 : Under").state is State.BLOCKED
    free = "[con:7(guest@/127.0.0.1:40000/test)/ch:1] CHN-1006 : Flow Con"
    assert ask(OVERFULL, STOPPED, "[vh(/test)/qu(orders)] QUE-1004 : Under", free).state is State.NOT_BLOCKED


WRAPPED = (
    "2026-11-26T10:00:01,345Z INFO  [IO-/127.0.0.1:40000] (q.m.q.overfull) -",
    "[con:7(guest@/127.0.0.1:40000/test)/ch:1] [vh(/test)/qu(orders)]",
    "QUE-1003 : Overfull : Size : 1,400 bytes, Capacity : 1,200, Messages : 3,",
    "Message Capacity : -1",
    "2026-11-26T10:00:01,346Z INFO  [IO-/127.0.0.1:40000] (q.m.c.flow_enforced) -",
    "[con:7(guest@/127.0.0.1:40000/test)/ch:1]",
    "[con:7(guest@/127.0.0.1:40000/test)/ch:1] CHN-1005 : Flow Control Enforced",
    "(Queue orders)",
    "2026-11-26T10:00:02,345Z INFO  [IO-/127.0.0.1:40000] (q.m.q.underfull) -",
    "[con:8(guest@/127.0.0.1:40002/test)/ch:1] [vh(/test)/qu(orders)]",
    "QUE-1004 : Underfull : Size : 40 bytes, Resume Capacity : 960, Messages : 1,",
    "Message Capacity : -1",
    "2026-11-26T10:00:02,346Z INFO  [IO-/127.0.0.1:40000] (q.m.c.flow_removed) -",
    "[con:8(guest@/127.0.0.1:40002/test)/ch:1]",
    "[con:7(guest@/127.0.0.1:40000/test)/ch:1] CHN-1006 : Flow Control Removed",
)


@pytest.mark.parametrize("mark", ["", "> "])
def test_the_name_in_the_line_in_front_belongs_to_a_wrapped_message(mark: str) -> None:
    told = held(*(mark + line for line in WRAPPED[:8]))
    assert (told.place, told.limit, told.level) == ("queue test/orders", 1200, 1400)
    assert (told.setting, told.since) == ("maximumQueueDepthBytes", "2026-11-26T10:00:01,345Z")
    assert told.clients == ("con:7(guest@/127.0.0.1:40000/test)/ch:1",)
    opened = ask(*(mark + line for line in WRAPPED[:12]))
    assert opened.state is State.BLOCKED
    over = ask(*(mark + line for line in WRAPPED))
    assert over.state is State.NOT_BLOCKED
    assert over.held is not None
    assert over.held.until == "2026-11-26T10:00:02,346Z"


def test_a_line_that_a_cut_left_without_its_name_is_not_told_as_the_one_in_front() -> None:
    full = "10:00:0{} WARN  [org.apache.activemq.broker.region.Queue] Usage Manager Memory Limit (70000) reached on queue://"
    whole = full.format(1) + "till, size 3. Producers will be throttled to the rate"
    assert held(whole, full.format(2) + "orders, size 3. Producers will be th").place == "destination queue://orders"


LASTED = (
    "Usage(default:store:queue://a:store) percentUsage=99%, usage=10, limit=10: Persistent store is Full, 100% of 10.",
    "Stopping producer (ID:a-1:1:1:1) to prevent flooding queue://a.",
    "See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 90s)",
)


@pytest.mark.parametrize("cuts", [(0, 1, 2, 3), (0, 1, 3), (0, 2, 3), (0, 3)])
@pytest.mark.parametrize("front", ["", "2026-11-26 10:01:30,000 INFO | "])
def test_the_time_blocked_at_the_end_of_a_wrapped_message_is_read(cuts: tuple[int, ...], front: str) -> None:
    lines = [" ".join(LASTED[begin:end]) for begin, end in pairwise(cuts)]
    told = ask(front + lines[0], *lines[1:], "", "We restarted it (blocking for: 7s)")
    assert told.held is not None
    assert (told.held.before, told.held.since) == (90, "2026-11-26 10:00:00" if front else None)
    if not front:
        assert shown(told).startswith("Blocked for 90 s when a.log:")


def test_a_later_stop_counts_more_than_an_earlier_one_also_if_its_line_is_cut() -> None:
    whole = (
        "2026-11-30 10:00:00,000 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message "
        "production on address 'sales'; size is currently: 70,000 bytes; max-size-bytes on address: 50,000, "
        "global-max-size is -1"
    )
    cut = (
        "2026-11-30 10:07:00,000 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message "
        "production on address 'returns'; size is curr"
    )
    found = ask(whole, cut)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert found.held.place == "address returns"
    assert found.others == 1
