"""Steps about destinations that refuse or drop messages past their limits, or past a limit of their pages."""

from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.conformance.conditions.histories import multiplied
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import ANSWERED, fill_limits, only_destination, opened
from tidegate.conformance.scenarios.consumption import CONSUMER

POLICIES = {"refuses": "FAIL", "drops": "DROP"}
"""The policy of a full destination by its verb in a step."""
VERB = r"(?P<verb>refuses|drops)"
MOST_OFFERED = 100
"""The most messages that are sent to a full destination until one is refused: as many as a producer has credit for."""


@given(parsers.re(rf"a destination that {VERB} what goes past (?P<size>\d+) bytes"), converters={"size": int})
def overflows_in_bytes(lab: Lab, verb: str, size: int) -> None:
    declare(lab, limit_bytes=size, policy=POLICIES[verb])


@given(parsers.re(rf"a destination that {VERB} what goes past (?P<count>\d+) messages"), converters={"count": int})
def overflows_in_messages(lab: Lab, verb: str, count: int) -> None:
    declare(lab, limit_messages=count, policy=POLICIES[verb])


@given(
    parsers.re(rf"a destination that {VERB} what goes past (?P<size>\d+) bytes or (?P<count>\d+) messages"),
    converters={"size": int, "count": int},
)
def overflows_in_both(lab: Lab, verb: str, size: int, count: int) -> None:
    declare(lab, limit_bytes=size, limit_messages=count, policy=POLICIES[verb])


@given(parsers.parse("a destination that pages past {size:d} bytes"))
def pages(lab: Lab, size: int) -> None:
    declare(lab, limit_bytes=size, policy="PAGE")


@given(
    parsers.re(
        rf"a destination that pages past (?P<size>\d+) bytes and {VERB} what goes past (?P<most>\d+) paged bytes"
    ),
    converters={"size": int, "most": int},
)
def pages_up_to_bytes(lab: Lab, size: int, verb: str, most: int) -> None:
    declare(lab, limit_bytes=size, policy="PAGE", page_limit_bytes=most, page_full_policy=POLICIES[verb])


@given(
    parsers.re(
        rf"a destination that pages past (?P<size>\d+) bytes, in pages of (?P<page>\d+), "
        rf"and {VERB} what goes past (?P<most>\d+) paged bytes"
    ),
    converters={"size": int, "page": int, "most": int},
)
def pages_of_a_size(lab: Lab, size: int, page: int, verb: str, most: int) -> None:
    policy = POLICIES[verb]
    declare(lab, limit_bytes=size, policy="PAGE", page_limit_bytes=most, page_full_policy=policy, page_bytes=page)


@given(
    parsers.re(
        rf"a destination that pages past (?P<size>\d+) bytes and {VERB} what goes past (?P<most>\d+) paged messages"
    ),
    converters={"size": int, "most": int},
)
def pages_up_to_messages(lab: Lab, size: int, verb: str, most: int) -> None:
    declare(lab, limit_bytes=size, policy="PAGE", page_limit_messages=most, page_full_policy=POLICIES[verb])


@when(parsers.re(rf"it is changed to one that {VERB} what goes past (?P<size>\d+) bytes"), converters={"size": int})
def overflows_from_now_on(lab: Lab, verb: str, size: int) -> None:
    """Change the policy of the only destination, and keep its credit."""
    limits = replace(fill_limits(lab), limit_bytes=size, resume_bytes=None, policy=POLICIES[verb], cursor=None)
    lab.change_limits(only_destination(lab), limits)


@when(parsers.parse("the limit of its pages is changed to {factor:d} times as much"))
def pages_multiplied_by(lab: Lab, factor: float) -> None:
    """Change each limit of the pages of the only destination, and no other limit."""
    limits = lab.limits_of(only_destination(lab))
    more = multiplied(limits, factor)
    changed = replace(limits, page_limit_bytes=more.page_limit_bytes, page_limit_messages=more.page_limit_messages)
    lab.change_limits(only_destination(lab), replace(changed, cursor=None))


@when("the limit of its pages is changed to a thousandth")
def pages_divided(lab: Lab) -> None:
    pages_multiplied_by(lab, 1 / 1000)


def declare(lab: Lab, **levels: int | str) -> None:
    """Declare a destination with these limits, and the credit of other scenarios."""
    usual = fill_limits(lab)
    limits = Limits(credit=usual.credit, credit_low=usual.credit_low, cursor=usual.cursor)
    lab.declare("destination", replace(limits, **levels))  # type: ignore[arg-type]


@when("a consumer takes one of them")
def takes_one(lab: Lab) -> None:
    lab.open_consumer(CONSUMER, only_destination(lab))
    lab.verify(lab.take(CONSUMER) is not None, "a message handed out", "none")


@when(
    parsers.re(r"(?P<count>\d+) messages of (?P<size>\d+) bytes are offered to it"),
    converters={"count": int, "size": int},
    target_fixture="told",
)
def offered(lab: Lab, count: int, size: int) -> list[Outcome]:
    """Send `count` messages by one producer; the outcome of each."""
    return [lab.send(opened(lab, "producer"), size) for _ in range(count)]


@when(parsers.parse("{count:d} settled messages of {size:d} bytes are offered to it at once"))
def offered_settled(lab: Lab, count: int, size: int) -> None:
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(settled=True))
    lab.burst(["producer"], count, size)


@when(parsers.parse("messages of {size:d} bytes are offered to it until one is refused"))
def offered_until_one_is_refused(lab: Lab, size: int) -> None:
    told = [lab.send(opened(lab, "producer"), size)]
    while told[-1] is not Outcome.REJECTED and len(told) < MOST_OFFERED:
        told.append(lab.send("producer", size))
    lab.verify(Outcome.REJECTED in told, "a message refused", in_words(told))


@then("none of them was held back, and their producer is free")
def none_held_back(lab: Lab, told: list[Outcome]) -> None:
    # nobody need be told of a dropped message, so a message may also be sent without an answer
    drops = lab.policy_of(only_destination(lab)) == POLICIES["drops"]
    held_back = set(told) - {*ANSWERED, *((Outcome.SENT,) if drops else ())}
    standing = lab.rests("producer", lambda seen: not seen.stopped)
    lab.verify(
        not held_back and not standing.stopped,
        f"all {len(told)} messages accepted or refused, and their producer free",
        f"{in_words(told)}, and their producer {'stopped' if standing.stopped else 'free'}",
    )


@then(parsers.parse("the first {first:d} of them are accepted, and the last {last:d} refused"))
def accepted_then_refused(lab: Lab, told: list[Outcome], first: int, last: int) -> None:
    kept = set(told[:first]) == {Outcome.ACCEPTED} and set(told[-last:]) == {Outcome.REJECTED}
    lab.verify(kept, f"the first {first} accepted and the last {last} refused", in_words(told))


@then(parsers.parse("the last {last:d} of them are refused"))
def last_refused(lab: Lab, told: list[Outcome], last: int) -> None:
    lab.verify(set(told[-last:]) == {Outcome.REJECTED}, f"the last {last} refused", in_words(told))


@then("all of them are accepted")
def all_accepted(lab: Lab, told: list[Outcome]) -> None:
    lab.verify(set(told) == {Outcome.ACCEPTED}, f"all {len(told)} accepted", in_words(told))


@then(parsers.re(r"(?P<least>\d+) to (?P<most>\d+) of them are left"), converters={"least": int, "most": int})
def are_left(lab: Lab, least: int, most: int) -> None:
    seen = lab.comes_to(lambda: lab.depth(only_destination(lab)).messages, lambda left: least <= left <= most)
    lab.verify(least <= seen <= most, f"{least} to {most} messages left", f"{seen} left")


@then(parsers.parse("exactly {count:d} of them are left"))
def exactly_left(lab: Lab, count: int) -> None:
    are_left(lab, count, count)


@then(parsers.parse("further {count:d} messages of {size:d} bytes are accepted"))
def further_accepted(lab: Lab, count: int, size: int) -> None:
    lab.rests("producer", lambda seen: not seen.stopped)
    told = [lab.send("producer", size) for _ in range(count)]
    lab.verify(set(told) == {Outcome.ACCEPTED}, f"{count} further messages accepted", in_words(told))


def in_words(told: list[Outcome]) -> str:
    """The outcomes in words, with the number of equal ones in a row, as in `2 accepted, 3 rejected`."""
    runs: list[tuple[Outcome, int]] = []
    for outcome in told:
        if runs and runs[-1][0] is outcome:
            runs[-1] = outcome, runs[-1][1] + 1
        else:
            runs.append((outcome, 1))
    return ", ".join(f"{count} {outcome}" for outcome, count in runs)


@when(parsers.parse("a transacted producer sends {count:d} messages of {size:d} bytes and commits"))
def sends_and_commits(lab: Lab, count: int, size: int) -> None:
    """Commit what was not refused before; the commit may be refused."""
    lab.open_producer("producer", only_destination(lab), options=ProducerOptions(transacted=True))
    for _ in range(count):
        if lab.send("producer", size) is not Outcome.UNSETTLED:
            break
    lab.commit("producer")


@then(parsers.parse("the destination comes to hold no more than {most:d} bytes"))
def holds_no_more(lab: Lab, most: int) -> None:
    held = lab.stays(lambda: lab.depth(only_destination(lab)).bytes, lambda seen: seen <= lab.real(most))
    lab.verify(held <= lab.real(most), f"at most {lab.in_words(lab.real(most))}", lab.in_words(held))
