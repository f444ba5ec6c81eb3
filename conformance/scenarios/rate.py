"""Steps about consumers and producers whose client keeps a rate."""

from collections.abc import Mapping

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Outcome, ProducerOptions, TooLate
from tidegate.adapters.groups import ConsumerOptions
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.lab.waiting import LONGEST_MS
from tidegate.conformance.scenarios.common import only_destination
from tidegate.model.mechanisms.rate import SECOND_MS

LINE, SESSION = "line", "session"
IDLE_MS = 3000
"""The time for which a client is idle on a real clock, in ms."""
SIZE = 100
"""The bytes of each message here. A rate counts messages of any size."""


@given(parsers.parse("a consumer with a rate of {rate:d} messages per second"))
def rated_consumer(lab: Lab, rate: int) -> None:
    lab.open_consumer_with("consumer", only_destination(lab), ConsumerOptions(rate=rate))


@given(parsers.parse("a consumer with a window of {window:d} bytes and a rate of {rate:d} message per second"))
def windowed_and_rated_consumer(lab: Lab, window: int, rate: int) -> None:
    lab.open_consumer_with("consumer", only_destination(lab), ConsumerOptions(window_bytes=window, rate=rate))


@given(parsers.parse("the consumer asked for a message {ms:d} ms ago"))
def asked_before(lab: Lab, ms: int) -> None:
    """Ask for a message, handed out or not: a client may count from the first message or from the first request."""
    lab.take("consumer")
    lab.pass_time(ms)


@given("the consumer asked for a message long ago")
def asked_long_ago(lab: Lab) -> None:
    lab.take("consumer")
    long_time_passes(lab)


@when("a long time passes")
def long_time_passes(lab: Lab) -> None:
    """Let an hour pass on a virtual clock, and a few seconds on a real one."""
    lab.pass_time(LONGEST_MS if lab.clock_is_virtual else IDLE_MS)


@given(parsers.parse("a transacted producer with a rate of {rate:d} messages per second"))
def transacted_rated_producer(lab: Lab, rate: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(rate=rate, transacted=True))


@when(parsers.parse("the consumer asks {times:d} times for a message"), target_fixture="asked")
def asks(lab: Lab, times: int) -> tuple[int, int]:
    """The time at which the consumer first asked, and the number of messages that it was handed."""
    began_ms = lab.recorder.now_ms
    return began_ms, sum(lab.take("consumer") is not None for _ in range(times))


@given(parsers.parse("a producer with a rate of {rate:d} messages per second"))
def rated_producer(lab: Lab, rate: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(rate=rate))


@given(
    parsers.re(
        r"producers with rates of (?P<first>\d+), (?P<second>\d+) and (?P<third>\d+) messages per second"
        r"(?P<together> in one session)?"
    ),
    target_fixture="rates",
)
def rated_producers(lab: Lab, first: str, second: str, third: str, together: str | None) -> dict[str, int]:
    """The rate of each producer, by its name."""
    rates = {f"producer {number}": int(rate) for number, rate in enumerate((first, second, third), start=1)}
    for name, rate in rates.items():
        options = ProducerOptions(rate=rate, session=SESSION if together else "")
        lab.open_producer(name, only_destination(lab), connection=LINE if together else None, options=options)
    return rates


@when(parsers.parse("each of them tries to send {more:d} message more than its rate"))
def each_sends_past_its_rate(lab: Lab, rates: Mapping[str, int], more: int) -> None:
    for name, rate in rates.items():
        for _ in range(rate + more):
            lab.send(name, SIZE)


@then(parsers.re(r"the last message of each (?P<state>waits|has gone through)"))
def last_of_each(lab: Lab, rates: Mapping[str, int], state: str) -> None:
    wanted = None if state == "waits" else Outcome.ACCEPTED

    def told() -> dict[str, Outcome | None]:
        return {name: lab.answer_to_last(name) for name in rates}

    seen = told() if wanted is None else lab.comes_to(told, lambda seen: None not in seen.values())
    answers = ", ".join(f"that of {name} {outcome or 'waits'}" for name, outcome in seen.items())
    lab.verify(set(seen.values()) == {wanted}, f"the last message of each {wanted or 'waits'}", answers)


@when(parsers.parse("the producer tries to send {count:d} messages of {size:d} bytes"))
def tries_to_send_many(lab: Lab, count: int, size: int) -> None:
    for _ in range(count):
        lab.send("producer", size)


@then(parsers.parse("the consumer is handed at most {most:d} messages when it takes {times:d}"))
def is_handed_at_most(lab: Lab, most: int, times: int) -> None:
    handed = sum(lab.take("consumer") is not None for _ in range(times))
    lab.verify(handed <= most, f"at most {most} messages handed out of {times} asked for", f"{handed} handed out")


@then(
    parsers.parse(
        "the consumer has been handed at most {most:d} messages once it takes {times:d} more within that second"
    )
)
def has_been_handed_at_most(lab: Lab, asked: tuple[int, int], most: int, times: int) -> None:
    """TooLate if it has been handed too many, and the second that began with its first request is over."""
    began_ms, before = asked
    handed = before + sum(lab.take("consumer") is not None for _ in range(times))
    if handed > most and lab.recorder.now_ms - began_ms >= SECOND_MS:
        raise TooLate("this machine was too slow: the second was over before the consumer had asked so often")
    lab.verify(handed <= most, f"at most {most} messages handed out in a second", f"{handed} handed out")


@then(parsers.parse("the queue comes to hold no more than {most:d} messages"))
def comes_to_hold_no_more(lab: Lab, most: int) -> None:
    destination = only_destination(lab)
    seen = lab.stays(lambda: lab.depth(destination).messages, lambda held: held <= most)
    lab.verify(seen <= most, f"at most {most} messages", f"{seen}")


@then(parsers.parse("its sends that waited have gone through, {most:d} of them at most"))
def have_gone_through(lab: Lab, most: int) -> None:
    told = [call.answer for call in lab.own_calls if call.verb == "send"]
    at_once = sum(outcome in (Outcome.ACCEPTED, Outcome.SENT) for outcome in told)
    expected = at_once + min(told.count(Outcome.UNSETTLED), most)
    destination = only_destination(lab)
    seen = lab.comes_to(lambda: lab.depth(destination).messages, lambda held: held == expected)
    lab.verify(seen == expected, f"{expected} messages, {at_once} of which did not wait", f"{seen} messages")


@then(parsers.parse("the consumer may be handed {count:d} messages when it takes {times:d}"))
def may_be_handed(lab: Lab, count: int, times: int) -> None:
    handed = sum(lab.take("consumer") is not None for _ in range(times))
    lab.expected, lab.seen = f"{count} messages handed out", f"{handed} of {times} asked for"
    if handed != count:
        raise NotUsed(lab.expected, lab.seen)
