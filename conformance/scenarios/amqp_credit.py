"""Steps about addresses with a maximum size and the credit of their producers."""

from collections.abc import Callable
from dataclasses import replace

from pytest_bdd import given, parsers, then, when

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.conformance.findings import NotUsed
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import (
    fill_limits,
    only_destination,
    opened,
    read_bytes,
    send_until_refused,
)


def _if_given(text: str | None) -> int | None:
    return None if text is None else int(text)


@given(
    parsers.re(
        r"an address with a maximum size of (?P<size>-?\d+) bytes(?:,| and) policy (?P<policy>[A-Z]+)"
        r"(?: and a reject threshold of (?P<threshold>-?\d+) bytes)?(?: and a limit of (?P<messages>\d+) messages)?"
    ),
    converters={"size": int, "threshold": _if_given, "messages": _if_given},
    target_fixture="plan",
)
def address(size: int, policy: str, threshold: int | None, messages: int | None) -> Limits:
    return Limits(limit_bytes=size, policy=policy, reject_bytes=threshold, limit_messages=messages)


@given(
    parsers.parse("its producers are issued {window:d} credits, again when {low:d} are left"), target_fixture="in_force"
)
def credit_window(lab: Lab, plan: Limits, window: int, low: int) -> Limits:
    in_force = replace(plan, credit=window, credit_low=low)
    lab.declare("address", in_force)
    return in_force


@given("a second address like it")
def second_address(lab: Lab, in_force: Limits) -> None:
    lab.declare("second address", in_force)


@given(parsers.parse("all addresses together may hold {size:d} bytes, and page what is more"))
def page_together(lab: Lab, size: int) -> None:
    lab.declare_shared(Limits(limit_bytes=size, policy="PAGE"))
    lab.declare("address", replace(fill_limits(lab), limit_bytes=-1, resume_bytes=None, policy="PAGE"))


@when(
    parsers.re(
        r"(?P<article>a|an anonymous) producer sends (?P<count>\d+) messages of (?P<size>\d+) bytes one after the other"
    ),
    converters={"count": int, "size": int},
)
def sends_one_after_the_other(lab: Lab, article: str, count: int, size: int) -> None:
    is_anonymous = article != "a"
    if is_anonymous:
        lab.open_anonymous_producer("producer")
    else:
        opened(lab, "producer")
    for _ in range(count):
        if lab.send("producer", size, to=only_destination(lab) if is_anonymous else None) is Outcome.BLOCKED:
            return


@given("an address for which nothing is configured")
def unconfigured_address(lab: Lab) -> None:
    lab.declare("address", Limits())


@when(parsers.parse("{producers:d} producers send messages of {size:d} bytes until each is out of credit"))
def send_until_out_of_credit(lab: Lab, producers: int, size: int) -> None:
    names = [opened(lab, f"producer {number}") for number in range(1, producers + 1)]
    for name in names:
        send_until_refused(lab, name, size)


@when(parsers.parse("{producers:d} producers that are there before send {sent:d} messages of {size:d} bytes at once"))
def send_at_once(lab: Lab, producers: int, sent: int, size: int) -> None:
    names = [opened(lab, f"producer {number}") for number in range(1, producers + 1)]
    lab.burst(names, sent, size)


@when(
    parsers.parse(
        "{producers:d} producers attach one after the other, and each sends {sent:d} messages of {size:d} bytes at once"
    )
)
def attach_and_send_at_once(lab: Lab, producers: int, sent: int, size: int) -> None:
    for number in range(1, producers + 1):
        lab.burst([opened(lab, f"producer {number}")], sent, size)


@when("the producer sends on until it is out of credit")
def send_on_until_out_of_credit(lab: Lab) -> None:
    send_until_refused(lab, "producer", 1)


@when("a consumer takes all that the address holds")
def takes_all(lab: Lab) -> None:
    lab.open_consumer("consumer", only_destination(lab))
    lab.take_all("consumer")


@when(parsers.parse("its reject threshold is changed to {threshold:d} bytes"))
def threshold_changed(lab: Lab, in_force: Limits, threshold: int) -> None:
    lab.change_limits(only_destination(lab), replace(in_force, reject_bytes=threshold))


@when(parsers.re(r"its policy is changed to (?P<policy>[A-Z]+)"))
def policy_changed(lab: Lab, in_force: Limits, policy: str) -> None:
    lab.change_limits(only_destination(lab), replace(in_force, policy=policy))


@then(
    parsers.re(r"a producer that attaches now is issued (?P<credits>\d+) credits"),
    converters={"credits": int},
)
def latecomer_is_issued(lab: Lab, credits: int) -> None:
    lab.open_producer("latecomer", only_destination(lab))
    issued = lab.rests("latecomer", lambda seen: seen.credit_issued == credits).credit_issued
    lab.verify(issued == credits, f"{credits} credits issued to a producer that attaches", f"{issued} issued")


@then(parsers.parse("each of the {producers:d} producers has been issued {credits:d} credits"))
def each_was_issued(lab: Lab, producers: int, credits: int) -> None:
    def wanted(seen: Standing) -> bool:
        return seen.credit_issued == credits

    issued = {name: seen.credit_issued for name, seen in lab.rest(dict.fromkeys(lab.producers, wanted)).items()}
    others = [f"{count} to the {name}" for name, count in issued.items() if count != credits]
    expected = f"{credits} credits issued to each of {producers} producers"
    lab.verify(len(issued) == producers and not others, expected, ", ".join(others) or f"{credits} to each")


@then(parsers.re(r"the producer has (?P<left>\d+) credits left"), converters={"left": int})
def credits_left(lab: Lab, left: int) -> None:
    verify_left(lab, f"{left} credits left", lambda seen: seen.credit_left == left)


@then(
    parsers.re(
        r"the producer has (?P<left>\d+) credits left, or (?P<more>\d+) more if it was issued whole windows of "
        r"(?P<window>\d+)"
    ),
    converters={"left": int, "more": int, "window": int},
)
def left_after_either_refresh(lab: Lab, left: int, more: int, window: int) -> None:
    """A refresh fills the window up, or adds a whole window to the credit left; the document leaves this open."""

    def wanted(seen: Standing) -> bool:
        by_windows = seen.credit_issued is not None and seen.credit_issued % window == 0
        return seen.credit_left == left or (by_windows and seen.credit_left == left + more)

    verify_left(lab, f"{left} credits left, or {left + more} if whole windows of {window} were issued", wanted)


def verify_left(lab: Lab, expected: str, wanted: Callable[[Standing], bool]) -> None:
    standing = lab.rests("producer", wanted)
    lab.verify(wanted(standing), expected, f"{standing.credit_left} left of {standing.credit_issued} issued")


@then(parsers.parse("the producer has used up at least {count:d} of the credits that it was issued"))
def credits_used_up(lab: Lab, count: int) -> None:
    def used(seen: Standing) -> int:
        return (seen.credit_issued or 0) - (seen.credit_left or 0)

    standing = lab.rests("producer", lambda seen: used(seen) >= count)
    lab.verify(
        used(standing) >= count,
        f"at least {count} credits used up",
        f"{used(standing)} of the {standing.credit_issued} issued used up",
    )


@then(parsers.parse("a further message of {size:d} bytes may be accepted"))
def may_be_accepted(lab: Lab, size: int) -> None:
    outcome = lab.send("producer", size)
    lab.expected, lab.seen = "a message on credit already held may be accepted", f"it was {outcome}"
    if outcome is not Outcome.ACCEPTED:
        raise NotUsed(lab.expected, lab.seen)


@then(parsers.parse("the address holds at most {messages:d} messages"))
def holds_at_most(lab: Lab, messages: int) -> None:
    seen = lab.depth(only_destination(lab)).messages
    lab.verify(seen <= messages, f"at most {messages} messages", f"{seen} messages")


@then(parsers.parse("management reads a maximum size of {size:d} bytes"))
def reads_maximum_size(lab: Lab, size: int) -> None:
    seen = lab.limits_in_force(only_destination(lab)).limit_bytes
    lab.verify(seen == size, f"a maximum size of {size} bytes", read_bytes(seen))


@then(parsers.re(r"management reads policy (?P<policy>[A-Z]+)"))
def reads_policy(lab: Lab, policy: str) -> None:
    seen = lab.limits_in_force(only_destination(lab)).policy
    lab.verify(seen == policy, f"policy {policy}", f"policy {seen}")


@then(parsers.parse("management reads a reject threshold of {threshold:d} bytes"))
def reads_threshold(lab: Lab, threshold: int) -> None:
    seen = lab.limits_in_force(only_destination(lab)).reject_bytes
    lab.verify(seen == threshold, f"a reject threshold of {threshold} bytes", f"{seen} bytes")
