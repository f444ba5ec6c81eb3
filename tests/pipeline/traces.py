"""Small random traces for agreement tests: few names and sizes, so that much happens to each of them.

A trace is a row of steps as a run would record them (a send, the level after it, where its channel stands), with
any outcome and any figures, and of events that have nothing to do with each other.
"""

from typing import Any

from hypothesis import strategies as st

from tidegate.model.language.rule import Definition
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.record.events import Event, Kind

Fields = dict[str, Any]

NAMES = st.sampled_from(["a", "a", "a", "b"])
SIZES = st.none() | st.integers(0, 4)
LEVELS = st.none() | st.integers(-1, 4)
COUNTED = ("came", "left", "in hand", "expired", "bytes")
FEW_COUNTED = st.integers(0, 2)
REACHED = st.sampled_from(["accepted", "accepted", "rejected", "blocked", "unsettled"])
STANDS = st.sampled_from(["stopped", "free"])
SETTINGS = st.sampled_from(["capacity", "max-size", "reject-threshold", "credit", "memory-limit"])
CAUSES = st.sampled_from(
    [*("acknowledge", "drained", "open", "purge", "limits", "block", "unblock"), *("size", "global-size", None)]
)
KINDS_OF_CODES = {
    "QUE-1003": Kind.OVERFULL,
    "QUE-1004": Kind.UNDERFULL,
    "MST-1008": Kind.OVERFULL,
    "MST-1009": Kind.UNDERFULL,
    "MST-1004": Kind.START,
}
"""What the lines of a Qpid log with these codes say of a queue, or of a store."""
ANY = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(list(Kind)),
        "destination": st.none() | NAMES,
        "channel": st.none() | NAMES,
        "producer": st.none() | NAMES,
        "message_id": st.none() | NAMES,
        "bytes": SIZES,
        "messages": SIZES,
        "credit": SIZES,
        "outcome": st.none() | REACHED | STANDS | st.sampled_from(["BLOCK", "PAGE"]),
        "limit": LEVELS,
        "resume": LEVELS,
        "cause": CAUSES | SETTINGS | st.just("send"),
    }
)

WHAT_HAPPENS = st.sampled_from(
    [
        *("limits", "limits", "open", "send", "send", "take", "take", "credit", "drain", "drain", "order", "settled"),
        *("memory", "lowered", "refill", "qpid log", "cycle", "cycle", "log", "log", "log", "held", "delayed"),
        *("fault", "fault", "counted", "counted", "shown", "in turn", "any"),
    ]
)
# strategies stand here and not where they are drawn from, because Hypothesis checks each new one anew
POLICIES = st.sampled_from(["BLOCK", "BLOCK", "PAGE"])
EMPTIED = st.sampled_from(["drained", "drained", "purge", "limits"])
ORDERS = st.sampled_from(["block", "unblock"])
SIZE_CAUSES = st.sampled_from(["size", "size", "global-size"])
TWO_CODES = st.lists(st.sampled_from(sorted(KINDS_OF_CODES)), min_size=2, max_size=2)
ENDS_OF_CYCLES = st.sampled_from([Kind.RELEASE, Kind.RELEASE, Kind.CLOSE])
THREE_IN_FOUR = st.integers(0, 3)
LIMITS_REACHED = st.none() | st.integers(1, 3)
USAGES = st.sampled_from(["memory", "store", "temp"])
FAULTS = st.sampled_from(["restart", "pause", "stall", "cut"])
DELAYS = st.sampled_from(["delayed", "delayed, WARN", "delayed, INFO", "delayed, DEBUG"])
PERCENTS = st.sampled_from([49, 50, 51, 100])
TWO_MESSAGES = st.permutations(["m", "n"])
CHANGES = st.sampled_from([Kind.STOP, Kind.RELEASE, Kind.CLOSE])
COUNTED_FOR = st.sampled_from([None, "nobody"])
LOGGED = st.sampled_from([Kind.OVERFULL, Kind.UNDERFULL, Kind.STOP, Kind.RELEASE])
HELD: st.SearchStrategy[Fields] = st.sampled_from([{"kind": Kind.STOP}, {"kind": Kind.SEND, "outcome": "rejected"}])


@st.composite
def step(draw: st.DrawFn) -> list[Fields]:
    """The events of one thing that happens."""
    destination, channel = draw(NAMES), draw(NAMES)
    by = {"destination": destination, "channel": channel, "producer": channel}

    def level(cause: str) -> Fields:
        return {**by, "kind": Kind.LEVEL, "bytes": draw(SIZES), "messages": draw(SIZES), "cause": cause}

    def standing() -> list[Fields]:
        outcome = draw(STANDS)
        channel_stands = {"channel": channel, "kind": Kind.CHANNEL, "outcome": outcome}
        return [{**by, "kind": Kind.STANDING, "outcome": outcome}, channel_stands]

    match draw(WHAT_HAPPENS):
        case "limits":
            limits = {"cause": draw(SETTINGS), "limit": draw(LEVELS), "resume": draw(LEVELS)}
            policy = draw(POLICIES)
            return [{"kind": Kind.LIMITS, "destination": destination, "outcome": policy, **limits}]
        case "open":
            return [{**by, "kind": Kind.OPEN}]
        case "send":
            sent = {"message_id": draw(NAMES), "bytes": draw(SIZES), "outcome": draw(REACHED)}
            return [{**by, "kind": Kind.SEND, **sent}, level("send"), *standing()]
        case "settled":
            return [{**by, "kind": Kind.SETTLED, "message_id": draw(NAMES), "outcome": draw(REACHED)}, *standing()]
        case "take":
            taken = {"destination": destination, "message_id": draw(NAMES)}
            return [
                {**taken, "kind": Kind.TAKE, "producer": channel, "channel": draw(NAMES)},
                {**taken, "kind": Kind.ACKNOWLEDGE},
                level("acknowledge"),
                *standing(),
            ]
        case "in turn":
            sent = {**by, "kind": Kind.SEND, "bytes": 1, "outcome": "accepted"}
            taken = {**by, "kind": Kind.TAKE, "channel": draw(NAMES)}
            sends = [{**sent, "message_id": each} for each in ("m", "n")]
            return [*sends, *({**taken, "message_id": each} for each in draw(TWO_MESSAGES))]
        case "credit":
            return [{**by, "kind": Kind.CREDIT, "credit": draw(SIZES)}, *standing()]
        case "drain":
            return [level(draw(EMPTIED)), *standing()]
        case "lowered":
            limits = {"kind": Kind.LIMITS, "destination": destination, "cause": "capacity", "limit": 1, "resume": 1}
            tried = {**by, "kind": Kind.SEND, "message_id": draw(NAMES), "bytes": 1, "outcome": draw(REACHED)}
            return [limits, level("limits"), tried, *standing()]
        case "refill":
            spent = {**by, "kind": Kind.SEND, "message_id": draw(NAMES), "bytes": 0, "outcome": "accepted"}
            issued = {**by, "kind": Kind.CREDIT}
            return [{**issued, "credit": 4}, *[spent] * 3, {**issued, "credit": draw(SIZES)}]
        case "memory":
            return [{"kind": Kind.LEVEL, "bytes": draw(SIZES), "cause": "memory"}, *standing()]
        case "order":
            return [level(draw(ORDERS)), {**by, "kind": Kind.RELEASE}]
        case "log":
            said = {**draw(ANY), **by, "cause": draw(SIZE_CAUSES)}
            return [{**said, "kind": draw(LOGGED)}]
        case "qpid log":
            codes = draw(TWO_CODES)
            return [{**draw(ANY), **by, "kind": KINDS_OF_CODES[code], "cause": code} for code in codes]
        case "cycle":
            filled, room = ({**by, "kind": KINDS_OF_CODES[code], "cause": code} for code in ("QUE-1003", "QUE-1004"))
            ended = draw(ENDS_OF_CYCLES)
            lines = (filled, {**by, "kind": Kind.STOP, "cause": "CHN-1005"}, room, {**by, "kind": ended})
            return [line for line in lines if draw(THREE_IN_FOUR)]
        case "held":
            figures = {"bytes": draw(SIZES), "limit": draw(LIMITS_REACHED)}
            return [{**by, **draw(HELD), **figures, "cause": draw(USAGES)}]
        case "fault":
            fault = draw(FAULTS)
            begins = {"restart": Kind.START, "cut": Kind.CLOSE}.get(fault)
            begun = [{**by, "kind": begins, "cause": fault}] if begins else []
            tried = {**by, "kind": Kind.SEND, "message_id": draw(NAMES), "bytes": 1, "outcome": draw(REACHED)}
            return [*begun, level(fault), {**by, "kind": Kind.OPEN}, tried, level("send"), *standing()]
        case "delayed":
            cause = draw(DELAYS)
            return [{"kind": Kind.SEND, "producer": channel, "outcome": "unsettled", "credit": 1, "cause": cause}]
        case "shown":
            stands = {**by, "kind": Kind.SHOWN, "destination": None, "cause": "stands", "outcome": draw(STANDS)}
            used = {"cause": "used", "messages": draw(PERCENTS), "bytes": draw(SIZES)}
            ordered = {**by, "kind": draw(CHANGES)}
            return [ordered, stands, {"kind": Kind.SHOWN, "destination": destination, **used, "limit": draw(LEVELS)}]
        case "counted":
            counted = {"messages": draw(FEW_COUNTED), "bytes": draw(FEW_COUNTED)}
            traffic = {"kind": Kind.TRAFFIC, "destination": destination, **counted}
            return [*({**traffic, "cause": cause, "outcome": draw(COUNTED_FOR)} for cause in COUNTED), *standing()]
    return [draw(ANY)]


SET_UP: list[Fields] = [
    {"kind": Kind.LIMITS, "destination": "a", "cause": "capacity", "limit": 2, "resume": 1},
    {"kind": Kind.LIMITS, "destination": "a", "cause": "max-size", "limit": 3, "outcome": "BLOCK"},
    {"kind": Kind.LIMITS, "destination": "a", "cause": "credit", "limit": 4, "resume": 1},
    {"kind": Kind.LIMITS, "destination": "a", "cause": "memory-limit", "limit": 3, "outcome": "BLOCK"},
    {"kind": Kind.LIMITS, "cause": "memory", "bytes": 4, "limit": 40, "resume": 50},
    {"kind": Kind.LIMITS, "cause": "connection-messages", "limit": -1},
    {"kind": Kind.OPEN, "destination": "a", "channel": "a", "producer": "a"},
]
WAITS_MS = 600
"""The time in ms that a send may wait, by its client or by the broker."""
OPENED: Fields = {"kind": Kind.OPEN, "destination": "a", "channel": "a", "producer": "a"}


def configured(**levels: int) -> list[Fields]:
    """One producer, and levels by their cause: of a destination, or of all where it is a quota."""
    limits = [
        {"kind": Kind.LIMITS, "cause": cause.replace("_", "-"), "limit": limit, "resume": 2, "outcome": "BLOCK"}
        for cause, limit in levels.items()
    ]
    return [*({**each, "destination": None if each["cause"] == "disk-quota" else "a"} for each in limits), OPENED]


MISSED: list[Fields] = [
    {"kind": kind, "destination": "a", "channel": channel, "cause": cause}
    for channel in ("a", "b")
    for kind, cause in ((Kind.OVERFULL, "QUE-1003"), (Kind.STOP, "CHN-1005"), (Kind.UNDERFULL, "QUE-1004"))
]
"""A queue stops two channels, one after the other, and releases neither though it has room."""
BEGINNINGS = st.sampled_from(
    [
        *([SET_UP], [SET_UP], [SET_UP], []),
        *(
            [configured(disk_quota=3)],
            [configured(core_max_size=3)],
            [[{"kind": Kind.START}]],
            [[{"kind": Kind.START}, *MISSED]],
        ),
        [configured(policy_bytes=2, policy_messages=-1)],
        [configured(policy_bytes=-1, policy_messages=2)],
        [configured(policy_bytes=-1, policy_messages=-1)],
        [configured(capacity=3)],
        [[{"kind": Kind.LIMITS, "destination": "a", "cause": "overflow", "limit": 2, "outcome": "FAIL"}, OPENED]],
        [[{**OPENED, "limit": WAITS_MS}]],
        [[{"kind": Kind.LIMITS, "cause": "shared-limits", "limit": WAITS_MS}, OPENED]],
    ]
)
STEPS = st.tuples(BEGINNINGS, st.lists(step(), min_size=1, max_size=12)).map(lambda parts: [*parts[0], *parts[1]])
TRACES = st.lists(STEPS, min_size=10, max_size=30).map(
    lambda traces: [
        Event(source=f"trace {number}", seq=seq, time=seq * 300, **fields)
        for number, steps in enumerate(traces)
        for seq, fields in enumerate((event for step in steps for event in step), start=1)
    ]
)
"""Many traces in one list, each a source of its own."""


def every_rule() -> tuple[Definition, ...]:
    """The trace rules of all forms."""
    return tuple(dict.fromkeys(rule for form in (TRACE, *LOG_FORMS) for rule in rules_of(form)))
