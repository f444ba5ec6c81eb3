"""Steps about management's counters of messages that come to a destination and leave it."""

from functools import partial

from pytest_bdd import parsers, then, when

from tidegate.conformance.lab import Lab
from tidegate.conformance.scenarios.common import only_destination
from tidegate.conformance.scenarios.consumption import CONSUMER, OTHER_CONSUMER
from tidegate.conformance.scenarios.ways_out import many_each_round


def says(lab: Lab, figure: str, least: int, most: int, what: str) -> None:
    """Verify that management comes to report a figure within these bounds."""
    look = partial(lab.counted, only_destination(lab), figure)
    said = lab.comes_to(look, lambda said: least <= said <= most)
    expected = f"{least}" if least == most else f"{least} to {most}"
    lab.verify(least <= said <= most, f"{expected} messages {what}", f"{said}")


@then(parsers.parse("management says that {count:d} messages came"))
def says_came(lab: Lab, count: int) -> None:
    says(lab, "came", count, count, "came")


@then(parsers.parse("management says that {count:d} messages left"))
def says_left(lab: Lab, count: int) -> None:
    says(lab, "left", count, count, "left")


@then(parsers.parse("management says that {least:d} to {most:d} messages are in hand"))
def says_in_hand(lab: Lab, least: int, most: int) -> None:
    says(lab, "in_hand", least, most, "in hand")


@then(parsers.parse("management says that {count:d} messages expired"))
def says_expired(lab: Lab, count: int) -> None:
    says(lab, "expired", count, count, "expired")


@when("both consumers are closed")
def both_closed(lab: Lab) -> None:
    for name in (CONSUMER, OTHER_CONSUMER):
        lab.close_consumer(name)


@when("the connections of both consumers break")
def both_killed(lab: Lab) -> None:
    for name in (CONSUMER, OTHER_CONSUMER):
        lab.kill(name)


@when(
    parsers.parse(
        "{rounds:d} times {count:d} messages of {size:d} bytes are sent and handed out, the first is acknowledged, "
        "and their consumer is closed"
    )
)
def handed_out_each_time(lab: Lab, rounds: int, count: int, size: int) -> None:
    for name in many_each_round(lab, rounds, count, size):
        consumer = f"consumer of {name}"
        lab.open_consumer(consumer, only_destination(lab))
        lab.take_all(consumer)
        for message_id in lab.held.get(consumer, [])[:1]:
            lab.acknowledge(consumer, message_id)
        lab.close_consumer(consumer)
        lab.consume_everything(only_destination(lab))
        lab.close_producer(name)


@then("management says of no bytes without messages, and of no messages without bytes")
def says_bytes(lab: Lab) -> None:
    def look() -> list[tuple[str, int | None, int | None]]:
        seen, held = lab.traffic(only_destination(lab)), lab.depth(only_destination(lab)).messages
        return [
            ("came", seen.came, seen.came_bytes),
            ("left", seen.left, seen.left_bytes),
            ("in hand", seen.in_hand, seen.in_hand_bytes),
            ("expired", seen.expired, seen.expired_bytes),
            ("held", held, seen.held_bytes),
        ]

    def wrong(figures: list[tuple[str, int | None, int | None]]) -> list[str]:
        return [
            f"{size:,} bytes in {messages} messages {what}"
            for what, messages, size in figures
            if messages is not None and size is not None and (size != 0 if messages == 0 else size <= 0)
        ]

    seen = lab.comes_to(lambda: wrong(look()), lambda found: not found)
    lab.verify(not seen, "bytes where there are messages, and there alone", "; ".join(seen) or "so")
