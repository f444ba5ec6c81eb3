"""Lines to the broker in JavaScript: a worked example of the chapters, a transaction, and whatever JSON can say."""

from tests.examples.programs import request, responses
from tests.examples.test_javascript import command


def test_the_javascript_broker_goes_through_the_worked_example() -> None:
    limits = {"limit_bytes": 50_000, "reject_bytes": 80_000}
    lines = [
        request(1, "declare", destination="a", limits=limits),
        request(2, "open_producer", producer="p", connection="p", destinations=["a"]),
        *(request(number, "send", producer="p", message_id=f"m{number}", size_bytes=1000) for number in range(3, 104)),
        request(104, "open_consumer", consumer="c", connection="c", destination="a"),
    ]
    for number in range(31):
        lines += [
            request(105 + 3 * number, "take", consumer="c"),
            request(106 + 3 * number, "acknowledge", consumer="c", message_id=f"m{number + 3}"),
            request(107 + 3 * number, "standing", producer="p"),
        ]
    lines.append(request(198, "depth", destination="a"))
    answered, complaints = responses(command(), lines)
    assert complaints == ""
    assert [response["id"] for response in answered] == list(range(1, 199))
    assert [response["answer"] for response in answered[2:103]] == ["accepted"] * 80 + ["rejected"] * 20 + ["blocked"]
    credit = [response["answer"]["credit_left"] for response in answered[106:197:3]]
    assert credit == [0] * 30 + [100]
    assert answered[-1]["answer"] == {"bytes": 49_000, "messages": 49}


def test_a_transaction_of_which_a_message_is_rejected_stores_none() -> None:
    answered, _ = responses(
        command(),
        [
            request(1, "declare", destination="a", limits={"reject_bytes": 10}),
            request(2, "open_producer", producer="t", connection="c", destinations=["a"], options={"transacted": True}),
            request(3, "open_producer", producer="p", connection="c", destinations=["a"]),
            request(4, "send", producer="t", message_id="m1", size_bytes=10),
            request(5, "send", producer="p", message_id="m2", size_bytes=10),
            request(6, "send", producer="t", message_id="m3", size_bytes=10),
            request(7, "commit", producer="t"),
            request(8, "depth", destination="a"),
        ],
    )
    assert [response["answer"] for response in answered[3:]] == [
        "unsettled", "accepted", "rejected", "rejected", {"bytes": 10, "messages": 1},
    ]  # fmt: skip


def test_the_javascript_broker_reads_and_writes_all_of_json() -> None:
    odd = 'a "quoted" \\ name\n\t\u0001 é 😀 \u2028'
    lines = [
        request(1, "declare", destination=odd, limits={"limit_bytes": None, "unheard of": [{}, [1.5e3, True, None]]}),
        request(2, "open_producer", producer="p", connection="c", destinations=[odd]),
        request(3, "send", producer="p", message_id=odd, size_bytes=9_007_199_254_740_991),
        request(4, "open_consumer", consumer="c", connection="c", destination=odd),
        request(5, "take", consumer="c"),
        request(6, "depth", destination=odd),
        request(7, "send", producer="p", message_id="m", size_bytes=1.5),
        request(8, "depth"),
        request(9, "toString"),
        request(10, "depth", destination="none such"),
        request(11, "declare", destination="d", limits={"policy": "DROP"}),
    ]
    answered, complaints = responses(command(), lines)
    assert complaints == ""
    assert answered[4]["answer"] == {"message_id": odd, "destination": odd}
    assert answered[5]["answer"] == {"bytes": 9_007_199_254_740_991, "messages": 1}
    assert [response["error"] for response in answered[6:]] == [
        {"kind": "unsupported", "message": "size_bytes: expected a whole number"},
        {"kind": "unsupported", "message": "destination: expected a text"},
        {"kind": "unsupported", "message": "there is no verb toString"},
        {"kind": "refused", "message": "there is no none such"},
        {"kind": "unsupported", "message": "policy: expected one of BLOCK, PAGE, FAIL"},
    ]
