"""The answer to "why does send() hang?": who is blocked since when, by which limit, and what frees them."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from tidegate.catalogue import catalogue
from tidegate.catalogue.settings import settings
from tidegate.model.mechanisms import artemis as artemis_rules
from tidegate.model.mechanisms import classic as classic_rules
from tidegate.model.mechanisms import qpid as qpid_rules
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.why.episodes import Episode, Episodes, episodes
from tidegate.why.lines import andes, artemis, classic, qpid, rabbitmq
from tidegate.why.notices import Blocked, Figures
from tidegate.why.reading import Heard, Log
from tidegate.why.times import Stamp

ASK = {
    "artemis": artemis.ASK,
    "classic": classic.ASK,
    "qpid": qpid.QUEUE.ask,
    "rabbitmq": rabbitmq.MEMORY.ask,
    "andes": andes.CHANNEL.ask,
}
"""What tells more of each broker where its log tells nothing."""
CANNOT = "cannot be told from these lines"
OF_QUEUES = {"queue", "address", "destination"}


class State(StrEnum):
    """What an answer says."""

    BLOCKED = "blocked"
    LIMIT_UNKNOWN = "blocked, the limit cannot be told"
    NOT_BLOCKED = "not blocked"
    UNKNOWN = "cannot be told"


@dataclass(frozen=True)
class Held:
    """One episode in words. Figures are bytes or messages as `unit` says, None where the lines do not tell them.

    `missing` is how much must go at least until producers are released. `page` is the chapter of the rule.
    """

    since: str | None
    until: str | None
    file: str
    line: int
    place: str
    clients: tuple[str, ...]
    reason: str
    setting: str
    where: str
    limit: int | None
    level: int | None
    unit: str
    told: str
    resume: int | None
    missing: int | None
    frees: str
    change: str
    ask: str
    rule: str
    title: str
    page: str
    caveat: str


@dataclass(frozen=True)
class Answer:
    """The state at the end of the lines, the episode that says so, and how many others there are.

    `hints` are the commands that tell more where these lines do not. `aside` counts lines that were put aside, and
    `samples` are up to three of them.
    """

    state: State
    held: Held | None
    others: int
    over: int
    lines: int
    hints: tuple[str, ...]
    aside: int
    samples: tuple[str, ...]


@dataclass(frozen=True)
class Asked:
    """What is asked for: a queue, a client, and a time after which nothing counts; each may be left out."""

    queue: str = ""
    client: str = ""
    at: Stamp | None = None


def answer(log: Log, asked: Asked) -> Answer:
    """The answer for what was read."""
    state = episodes([heard for heard in log.heard if _counts(heard, asked)])
    held, kind, others = _chosen(state)
    hints = tuple(f"{broker}: {ask}" for broker, ask in ASK.items() if broker in log.brokers or not log.brokers)
    return Answer(
        state=kind,
        held=_held(held) if held is not None else None,
        others=others,
        over=len(state.over),
        lines=log.lines,
        hints=hints if kind is State.UNKNOWN else (),
        aside=log.aside,
        samples=tuple(f"{sample.file}:{sample.line}: {sample.reason}" for sample in log.samples),
    )


def _counts(heard: Heard, asked: Asked) -> bool:
    if asked.at is not None and heard.time is not None and not _until(heard.time, asked.at):
        return False
    said = heard.said
    if isinstance(said, Blocked) and asked.queue and said.cause.place_is in OF_QUEUES and said.place:
        return named(said.place, asked.queue)
    if isinstance(said, Blocked) and asked.client and said.client:
        return asked.client in said.client
    return True


def named(place: str, name: str) -> bool:
    """Whether a place is meant by a name: `vhost/orders` and `queue://orders` are by `orders` too."""
    return place == name or place.endswith((f"/{name}", f"::{name}"))


def _until(time: Stamp, end: Stamp) -> bool:
    """Whether a time is not after the end; where one has no date, only the times of day are compared."""
    if time.dated and end.dated:
        return time.moment <= end.moment
    return time.moment.time() <= end.moment.time()


def _chosen(state: Episodes) -> tuple[Episode | None, State, int]:
    """The episode to tell of: the one that began last among those that stand and tell their limit."""
    standing = sorted(state.standing.values(), key=lambda one: (one.cause.tells_limit, one.order), reverse=True)
    holding = [one for one in standing if one.cause.holds]
    if holding:
        kind = State.BLOCKED if holding[0].cause.tells_limit else State.LIMIT_UNKNOWN
        return holding[0], kind, len(holding) - 1
    over = [one for one in state.over if one.cause.holds]
    if standing and not over:
        return standing[0], State.NOT_BLOCKED, 0
    if over:
        return over[-1], State.NOT_BLOCKED, 0
    return None, State.UNKNOWN, 0


def _held(one: Episode) -> Held:
    cause, figures = one.cause, one.figures
    title, page = _rule(cause.rule)
    return Held(
        since=_since(one),
        until=(one.ended.time.text if one.ended.time else f"line {one.ended.line}") if one.ended else None,
        file=one.began.file,
        line=one.began.line,
        place=f"{cause.place_is} {one.place}".strip() if one.place else "",
        clients=one.clients,
        reason=cause.reason,
        setting=cause.setting,
        where=cause.where or _where(cause.setting),
        limit=figures.limit,
        level=figures.level,
        unit=figures.unit,
        told=figures.text,
        resume=figures.resume,
        missing=missing(cause.family, figures) if one.ended is None and not one.opened_again else None,
        frees=cause.frees,
        change=cause.change,
        ask=cause.ask,
        rule=cause.rule,
        title=title,
        page=page,
        caveat=_caveat(one),
    )


def _caveat(one: Episode) -> str:
    if one.ended is not None or not one.cause.holds:
        return ""
    if one.opened_again:
        return (
            "the queue is below its resume level again and these channels were not let go in these lines: "
            "another queue that they send to may hold them"
        )
    if not one.cause.tells_release:
        at = f" at {one.latest.time.text}" if one.latest.time else f" in line {one.latest.line}"
        return f"last said{at}; this log has no line for a release, so whether it still holds {CANNOT}"
    return ""


def _since(one: Episode) -> str | None:
    """The time of the first line, or so much before it as that line says; a day that is not known stays so."""
    if one.since is None or not one.before:
        return one.since.text if one.since else None
    if one.since.dated:
        return f"{one.since.moment - timedelta(seconds=one.before):%Y-%m-%d %H:%M:%S}"
    return f"{one.since.moment.replace(year=2000) - timedelta(seconds=one.before):%H:%M:%S}"


def missing(family: str, figures: Figures) -> int | None:
    """The least that must go until producers are released, by the broker's rule; None where the lines do not tell."""
    level, resume = figures.level, figures.resume
    if level is None or resume is None:
        return None
    least = max(level - resume, 0)
    return next((amount for amount in (least, least + 1) if _free(family, figures, resume, level - amount)), None)


def _free(family: str, figures: Figures, resume: int, level: int) -> bool:
    if family.startswith("qpid"):
        return qpid_rules.underfull(qpid_rules.Queue(figures.limit or resume, resume, level))
    if family.startswith("artemis"):
        limits = artemis_rules.AddressLimits(max_size=resume, reject_threshold=artemis_rules.NO_LIMIT, blocks=True)
        return not artemis_rules.full(limits, level)
    if family.startswith("classic"):
        return not classic_rules.full(classic_rules.Destination(limit=resume, controlled=True, bytes=level))
    return not past_high(Gate(resume, resume), level)


def _rule(rule: str) -> tuple[str, str]:
    if not rule:
        return "", ""
    found = catalogue()[rule]
    return found.title, f"spec/{found.chapter}"


def _where(key: str) -> str:
    return next((one.where for broker in settings() for one in broker.settings if one.key == key), "")
