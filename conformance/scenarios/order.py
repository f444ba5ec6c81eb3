"""Steps about the order in which messages come."""

from itertools import pairwise

from pytest_bdd import then

from tidegate.conformance.lab import Lab


@then("the messages of each producer came in the order in which they were sent")
def came_in_order(lab: Lab) -> None:
    senders = _senders(lab)
    turn = {message_id: number for number, message_id in enumerate(senders)}
    came: dict[tuple[str, str], list[str]] = {}
    for call in lab.own_calls:
        if call.verb == "take" and call.answer is not None and call.answer.message_id in senders:
            message_id = call.answer.message_id
            # each consumer has an order of its own, because a client may hold messages ahead
            came.setdefault((call.arguments[0], senders[message_id]), []).append(message_id)
    overtaken = [
        f"{lab.in_own_names(late)} came after {lab.in_own_names(early)}"
        for ids in came.values()
        for early, late in pairwise(dict.fromkeys(ids))
        if turn[late] < turn[early]
    ]
    count = sum(len(set(ids)) for ids in came.values())
    lab.verify(not overtaken, f"{count} messages, in the order in which they were sent", "; ".join(overtaken) or "so")


def _senders(lab: Lab) -> dict[str, str]:
    """The producer of each message, by its id, in the order in which the messages were sent."""
    senders: dict[str, str] = {}
    for call in lab.own_calls:
        match call.verb, call.arguments:
            case ("send", (str(producer), str(message_id), _)) | ("send_to", (str(producer), _, str(message_id), _)):
                senders[message_id] = producer
    return senders
