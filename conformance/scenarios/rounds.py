"""Steps of a destination in use: each names the rule that is violated if a promise of every mechanism is not kept."""

from dataclasses import dataclass

from pytest_bdd import parsers, then, when

from tidegate.adapters.base import Depth, Outcome
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import FILL_SIZE, only_destination, send_until_refused, what_was_told

FIRST, SECOND, LATECOMER = "producer", "second producer", "latecomer"
EMPTY = Depth(0, 0)


def owes(lab: Lab, rule: str, kept: bool, expected: str, seen: str) -> None:
    """Verify what was seen; raises Deviation from this rule alone if it is not `kept`."""
    try:
        lab.verify(kept, expected, seen)
    except Deviation as error:
        raise Deviation(error.expected, error.seen, rules=(rule,)) from error


@when("two producers send until none may, and then a third one", target_fixture="first_round")
def three_fill(lab: Lab) -> tuple[Outcome, int]:
    """The outcome of the first message, and the number of messages of its producer that were taken."""
    for name in (FIRST, SECOND):
        lab.open_producer(name, only_destination(lab))
    first = lab.send(FIRST, FILL_SIZE)
    taken = send_until_refused(lab, FIRST, FILL_SIZE)
    send_until_refused(lab, SECOND, FILL_SIZE)
    lab.open_producer(LATECOMER, only_destination(lab))
    send_until_refused(lab, LATECOMER, FILL_SIZE)
    return first, taken + 1


@then("the first message for which there was room was accepted")
def first_was_accepted(lab: Lab, first_round: tuple[Outcome, int]) -> None:
    first, _ = first_round
    owes(lab, "GENERAL-21", first is Outcome.ACCEPTED, "a message for which there is room accepted", f"it was {first}")


@then("what was accepted is there")
def accepted_is_there(lab: Lab) -> None:
    accepted = [message for message, told in what_was_told(lab).items() if told is Outcome.ACCEPTED]
    held = lab.comes_to(lambda: lab.depth(only_destination(lab)).messages, lambda seen: seen >= len(accepted))
    owes(lab, "GENERAL-2", held >= len(accepted), f"{len(accepted)} accepted messages there", f"{held} of them")


@then("the two are stopped, and so is the third")
def all_are_stopped(lab: Lab) -> None:
    standings = lab.rest(dict.fromkeys((FIRST, SECOND, LATECOMER), lambda seen: seen.stopped))
    for name, rule in ((FIRST, "GENERAL-20"), (SECOND, "GENERAL-20"), (LATECOMER, "GENERAL-7")):
        state = "stopped" if standings[name].stopped else "free"
        owes(lab, rule, standings[name].stopped, f"the {name} stopped", f"it was {state}")


@then("whoever waited is free, nothing is charged, and what was accepted was delivered once")
def nothing_is_owed(lab: Lab) -> None:
    standings = lab.rest(dict.fromkeys(lab.producers, lambda seen: not seen.stopped))
    stopped = [name for name, standing in standings.items() if standing.stopped]
    owes(lab, "GENERAL-3", not stopped, "every producer free", f"{', '.join(stopped) or 'nobody'} stopped")
    left = lab.comes_to(lambda: lab.depth(only_destination(lab)), lambda seen: seen == EMPTY)
    seen = f"{lab.in_words(left.bytes)} in {left.messages} messages"
    owes(lab, "GENERAL-8", left == EMPTY, f"{lab.in_words(0)} in 0 messages", seen)
    accepted = {message for message, told in what_was_told(lab).items() if told is Outcome.ACCEPTED}
    delivered = lab.deliveries()
    missing, twice = accepted - set(delivered), len(delivered) - len(set(delivered))
    owes(lab, "GENERAL-2", not missing and not twice, f"{len(accepted)} accepted messages delivered once each",
         f"{len(missing)} of them missing, and {twice} delivered again")  # fmt: skip


@when("the first of them fills the destination again", target_fixture="taken_again")
def first_fills_again(lab: Lab) -> int:
    return send_until_refused(lab, FIRST, FILL_SIZE)


@then("it is stopped after as many messages as before")
def as_many_as_before(lab: Lab, first_round: tuple[Outcome, int], taken_again: int) -> None:
    _, taken = first_round
    standing = lab.rests(FIRST, lambda seen: seen.stopped)
    owes(lab, "GENERAL-20", standing.stopped, "the producer stopped", "it was free")
    owes(lab, "GENERAL-8", taken_again == taken, f"{taken} messages accepted again", f"{taken_again} accepted")


@dataclass(frozen=True)
class Round:
    """The messages that a producer sent until it was stopped, and whether it was stopped and then released."""

    taken: int
    stopped: bool
    released: bool


@when(
    parsers.parse("it fills the destination {times:d} times, and each time everything is consumed"),
    target_fixture="filled",
)
def fills_again_and_again(lab: Lab, times: int) -> list[Round]:
    return [_round(lab) for _ in range(times)]


def _round(lab: Lab) -> Round:
    taken = send_until_refused(lab, FIRST, FILL_SIZE)
    stopped = lab.rests(FIRST, lambda seen: seen.stopped).stopped
    lab.consume_everything(only_destination(lab))
    return Round(taken, stopped, not lab.rests(FIRST, lambda seen: not seen.stopped).stopped)


@then("it was stopped each time, and released afterwards")
def stopped_and_let_go(lab: Lab, filled: list[Round]) -> None:
    free = [number for number, each in enumerate(filled, 1) if not each.stopped]
    owes(lab, "GENERAL-20", not free, "the producer stopped in each round", f"it was free in {in_rounds(free)}")
    held = [number for number, each in enumerate(filled, 1) if not each.released]
    owes(lab, "GENERAL-3", not held, "the producer free after each round", f"it was stopped after {in_rounds(held)}")


@then("each time after the first it sent as many messages")
def sent_as_many(lab: Lab, filled: list[Round]) -> None:
    taken = [each.taken for each in filled]
    owes(lab, "GENERAL-21", min(taken) > 0, "a message accepted in each round", f"{taken} messages accepted")
    owes(
        lab, "GENERAL-8", len(set(taken[1:])) == 1, "as many messages accepted each time", f"{taken} messages accepted"
    )


def in_rounds(numbers: list[int]) -> str:
    """The rounds by their numbers, from 1."""
    return f"round {', '.join(map(str, numbers))}" if numbers else "no round"
