"""The answer to "why does send() hang?": who is blocked, since when, by which limit, and what releases them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta, timezone, tzinfo
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from tidegate.catalogue import catalogue
from tidegate.catalogue.settings import settings
from tidegate.why.built import missing, taken, usually_missing
from tidegate.why.clients import Place, for_client, is_about, is_stop_of_others, places_of_others
from tidegate.why.ends import until
from tidegate.why.episodes import Episode, Episodes, episodes
from tidegate.why.folders import Folder
from tidegate.why.heard import Aside, Heard, Log
from tidegate.why.lines import andes, artemis_client, classic, kafka_client, pulsar, qpid, rabbitmq
from tidegate.why.notices import Blocked, Notice, Released
from tidegate.why.sources import sources
from tidegate.why.times import LEAP_YEAR, Stamp

if TYPE_CHECKING:
    from tidegate.explain.read.reading import Read
    from tidegate.why.configured import FileSays

ASK = {
    "artemis": f"{artemis_client.NO_CREDIT.change}; {artemis_client.NO_CREDIT.ask}",
    "classic": f"{classic.TIMED_OUT.change}; {classic.ASK}",
    "qpid": f"look up QUE-1003 (queue), MST-1008 and VHT-1006 (disk) in the log of the broker; {qpid.QUEUE.ask}",
    "rabbitmq": "`rabbitmq-diagnostics alarms`: while one is set, all that publish are blocked; `rabbitmqctl "
    "list_connections name state`: blocked by an alarm, or in flow, which needs none",
    "andes": andes.CHANNEL.ask,
    "pulsar": pulsar.BACKLOG.ask,
    "kafka": kafka_client.BUFFER.ask,
}
"""Hints for each broker if its log tells nothing: lines to look up, and commands for asking the broker."""
NO_BROKER = (
    "no line names a broker: give the log of the broker itself, or ask one that runs by `tidegate why --broker URL` "
    "(Artemis, Classic, Broker-J, RabbitMQ)"
)
CANNOT = "cannot be told from these lines"
FREED_ELSEWHERE = (
    "this queue is below its resume level again, so look up the other queues of these channels, and the store: "
    "consume and acknowledge where one is full"
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""The months in the answer, whatever the locale."""
MOST_BESIDE = 3
MOST_ELSEWHERE = 5
OF_QUEUES = {"queue", "address", "destination", "topic"}


class State(StrEnum):
    """The conclusion of an answer."""

    BLOCKED = "blocked"
    LIMIT_UNKNOWN = "blocked, the limit cannot be told"
    NOT_BLOCKED = "not blocked"
    UNKNOWN = "cannot be told"


LEAVES_OPEN = (State.UNKNOWN, State.LIMIT_UNKNOWN)


@dataclass(frozen=True)
class Held:
    """One episode in words. Figures are in `unit`, bytes or messages; None if the lines do not tell them.

    `missing` is the least amount that must leave before producers are released; `usually` is the same for the default
    resume level. `version` names the version whose rules apply. `page` is the chapter of the rule.
    """

    since: str | None
    until: str | None
    file: str
    line: int
    place: str
    place_is: str
    """The kind of place if the cause holds up only senders to that place; empty if it holds up all senders of the
    broker."""
    clients: tuple[str, ...]
    reason: str
    before: int
    """The time, in s, that producers had been blocked when the first line was written; 0 if the line does not tell
    it."""
    setting: str
    where: str
    limit: int | None
    level: int | None
    unit: str
    told: str
    resume: int | None
    missing: int | None
    usually: int | None
    version: str
    frees: str
    change: str
    ask: str
    rule: str
    title: str
    page: str
    caveat: str
    figure: bool = True
    """Whether the limit is a figure; a policy, an order or an error is no figure."""
    holds: bool = True
    sends: str = ""
    """The result of sends that are not held up."""
    sets: bool = False
    """Whether the line sets the limit, without telling that the limit is reached."""
    reported: bool = False
    """Whether somebody reports the limit in words of their own, without a line of a broker or client."""
    gave_up: bool = False
    """Whether the line tells of a send that failed after it waited too long."""
    failed: str = ""
    """The time at which a send failed, if another line, or the line's figure, tells that it waited before."""
    whom: str = ""
    """The held-up senders if neither a place nor a client is named; empty for every sender."""
    goes: bool = True
    """Whether messages or bytes must leave before sends go on."""
    unset: tuple[str, ...] = ()
    """The configurations of the broker that were given with the logs, if none of them sets the limit of the lines."""
    configured: "tuple[FileSays, ...]" = ()
    """The limits set by configurations given with the logs; all limits that can hold producers if the cause names
    none."""


@dataclass(frozen=True)
class Answer:
    """The state at the end of the lines, the episode that shows it, and the number of other episodes.

    `hints` are commands that tell more where these lines do not, or after the last release. `aside` counts the lines
    put aside, by reason, and `samples` has up to three for each reason. `in_order` is false if lines of several files
    could not be ordered.
    """

    state: State
    held: Held | None
    others: int
    beside: tuple[str, ...]
    """The place or client and the beginning of up to three of the other episodes."""
    over: int
    lines: int
    hints: tuple[str, ...]
    aside: Mapping[str, int]
    samples: tuple[Aside, ...]
    in_order: bool
    asked: str = ""
    """The address of the broker that was asked; `lines` is then the number of its destinations."""
    note: str = ""
    """The limits of the broker's answer: facts that the asked broker cannot tell."""
    quoted: Held | None = None
    """If no line of a broker tells the limit: the cause that a line put aside would mean."""
    let_go: str = ""
    """The file, line and time of the last release, if these lines tell no stop that it ends."""
    at: str = ""
    """The time that was asked for."""
    elsewhere: tuple[str, ...] = ()
    """If the lines tell nothing of the requested queue, client or time: up to five places or clients that they do tell
    of."""
    folders: tuple[Folder, ...] = ()
    """The contents of each folder that was searched."""
    clear: tuple[str, ...] = ()
    """The limits that are not reached by these lines, and other troubles, each in words with the file and line; only if
    no limit is reached."""
    left_out: tuple[str, ...] = ()
    """One sentence for each file in a folder that could not be read, or not to its end."""


@dataclass(frozen=True)
class Asked:
    """The request: a queue, a client, and a time after which lines do not count; each is optional."""

    queue: str = ""
    client: str = ""
    at: Stamp | None = None
    zone: tzinfo | None = None
    """The zone in which times of other zones are shown as well."""
    configurations: "tuple[Read, ...]" = ()
    """The brokers' configuration files, as `explain` reads them."""
    folders: tuple[Folder, ...] = ()
    """Folders that were searched for logs."""


def answer(log: Log, asked: Asked) -> Answer:
    """The answer for a log."""
    brokers_of = sources(log.spans) if log.in_order else {}
    others = _places_of_others(log, asked)
    lines = [heard for heard in log.heard if _counts(heard, asked) and not is_stop_of_others(heard.said, others)]
    state = episodes(lines, brokers_of)
    if asked.client:
        for_client(state, lines, asked.client)
    held, kind, beside = _chosen(state, of_one=bool(asked.queue))
    if log.asked and held is None:
        kind = State.NOT_BLOCKED
    let_go = ""
    line = _last_release(log, asked) if held is None else None
    if line is not None:
        kind = State.NOT_BLOCKED
        at = f", at {_shown(line.time, asked.zone)}" if line.time else ""
        let_go = f"{line.file}:{line.line}{at}"
    quoted = _chosen(episodes([heard for heard in log.quoted if _counts(heard, asked)]))[0]
    if quoted is not None and quoted.ended is not None:
        quoted = None
    if kind is State.LIMIT_UNKNOWN and quoted is not None and not quoted.cause.tells_limit:
        quoted = None
    brokers = log.brokers or log.names
    hints = tuple(f"{broker}: {ask}" for broker, ask in ASK.items() if broker in brokers) or (NO_BROKER,)
    return Answer(
        state=kind,
        held=_held(held, state.releases, asked) if held is not None else None,
        others=len(beside),
        beside=tuple(_in_short(one, asked, held) for one in beside[:MOST_BESIDE]),
        over=len(state.over),
        lines=log.lines,
        hints=hints if kind is State.UNKNOWN or let_go else (),
        aside=dict(log.aside),
        samples=tuple(log.samples),
        in_order=log.in_order,
        asked=log.asked,
        note=log.note,
        quoted=_held(quoted, {}, asked) if quoted is not None and kind in LEAVES_OPEN else None,
        let_go=let_go,
        at=asked.at.text if asked.at is not None else "",
        elsewhere=_elsewhere(log) if held is None and (asked.queue or asked.client or asked.at) else (),
        folders=asked.folders,
        clear=_clear(log, asked) if kind is State.UNKNOWN else (),
        left_out=tuple(log.left_out),
    )


def _clear(log: Log, asked: Asked) -> tuple[str, ...]:
    """The limits that are not reached, and other troubles, each at its last line."""
    said = ((heard, heard.said) for heard in log.heard if _counts(heard, asked))
    last = {one.clear: f"{heard.file}:{heard.line}" for heard, one in said if isinstance(one, Notice) and one.clear}
    return tuple(f"{told} ({place})" for told, place in {**last, **log.troubles}.items())


def _in_short(one: Episode, asked: Asked, held: Episode | None) -> str:
    clients = ", ".join(one.clients)
    beside = held is not None and one.place == held.place
    everyone = f"all producers, by {one.cause.setting}" if one.cause.setting else "all producers"
    whom = (clients if beside else "") or one.place or clients or everyone
    if held is not None and beside and one.began.file != held.began.file:
        whom += f" of {one.began.file}"
    other_limit = held is not None and one.cause.setting and one.cause.setting != held.cause.setting
    if other_limit and whom != everyone:
        whom += f", by {one.cause.setting},"
    since = one.timed or one.began
    return f"{whom} since {_shown(since.time, asked.zone)}" if since.time else whom.removesuffix(",")


def _elsewhere(log: Log) -> tuple[str, ...]:
    """Up to five blocked places, or clients if no place is named, in the order of the lines."""
    said = (heard.said for heard in log.heard)
    names = dict.fromkeys(one.place or one.client or "a producer" for one in said if isinstance(one, Blocked))
    return tuple(names)[:MOST_ELSEWHERE]


def _counts(heard: Heard, asked: Asked) -> bool:
    if asked.at is not None and heard.time is not None and not until(heard.time, asked.at):
        return False
    said = heard.said
    if isinstance(said, Blocked) and asked.queue and said.cause.place_is in OF_QUEUES and said.place:
        return named(said.place, asked.queue)
    if isinstance(said, Blocked) and asked.client and said.client:
        return asked.client in said.client
    return True


def _places_of_others(log: Log, asked: Asked) -> set[Place]:
    """The places whose stops, up to the requested time, name clients, but not the requested one."""
    there = Asked(queue=asked.queue, at=asked.at)
    return places_of_others([heard.said for heard in log.heard if _counts(heard, there)], asked.client)


def _last_release(log: Log, asked: Asked) -> Heard | None:
    """The last release that concerns the requested queue or client."""
    others = _places_of_others(log, asked)
    for heard in reversed(log.heard):
        said = heard.said
        if not isinstance(said, Released) or said.closes or not _counts(heard, asked):
            continue
        if asked.queue and said.place and not named(said.place, asked.queue):
            continue
        if asked.client and said.client and asked.client not in said.client:
            continue
        if is_about(said, others):
            continue
        if asked.queue and not said.place and said.client and _is_of_other_places(said.client, log, asked.queue):
            continue
        return heard
    return None


def _is_of_other_places(client: str, log: Log, queue: str) -> bool:
    """Whether the lines tell of stops of a client at other places than the requested queue only."""
    said = (heard.said for heard in log.heard)
    places = {one.place for one in said if isinstance(one, Blocked) and one.client == client}
    return bool(places) and not any(not place or named(place, queue) for place in places)


def named(place: str, name: str) -> bool:
    """Whether a name means a place: `orders` also means `vhost/orders` and `queue://orders`."""
    return place == name or place.endswith((f"/{name}", f"::{name}"))


def _chosen(state: Episodes, *, of_one: bool = False) -> tuple[Episode | None, State, Sequence[Episode]]:
    """The episode to report, its state, and the other standing episodes.

    Among standing episodes that tell their limit, the latest to begin is reported; if none tells its limit, the latest
    of those that tell the place and the beginning.
    """
    standing = sorted(state.standing.values(), key=_tells, reverse=True)
    if not of_one:
        standing = _largest_first(standing)
    holding = [one for one in standing if one.cause.holds]
    refused = [one for one in standing if not one.cause.holds and one.cause.tells_limit]
    if refused and holding and _only_waited(holding[0]) and refused[0].order > holding[0].order:
        return refused[0], State.NOT_BLOCKED, standing[1:]  # a send waited, and was refused by a limit later
    if holding:
        kind = State.BLOCKED if holding[0].cause.tells_limit else State.LIMIT_UNKNOWN
        return holding[0], kind, holding[1:]
    over = [one for one in state.over if one.cause.holds or not standing]
    over = [one for one in over if one.cause.holds] or over
    told = _fails(standing)
    if told is not None and (not over or (told.cause.may_refuse and told.last > over[-1].last)):
        return told, State.NOT_BLOCKED, ()
    if over:
        return over[-1], State.NOT_BLOCKED, ()
    return None, State.UNKNOWN, ()


def _largest_first(standing: list[Episode]) -> list[Episode]:
    """The episodes with the one of all producers in front of that of one place, if both have the same limit."""
    everywhere = next(
        (
            one
            for one in standing[1:]
            if one.cause.family == standing[0].cause.family and not one.place and one.everyone
        ),
        None,
    )
    if everywhere is None or not standing[0].place or not everywhere.cause.one_for_all:
        return standing
    return [everywhere, *(one for one in standing if one is not everywhere)]


def _fails(standing: list[Episode]) -> Episode | None:
    """The last episode that makes sends fail, which senders notice; without one, the first of `standing`.

    A refusal that is written again without names, as in the body of a STOMP frame, counts with the names.
    """
    failed = sorted((one for one in standing if one.cause.may_refuse), key=lambda one: one.last)
    if not failed:
        return next(iter(standing), None)
    same = [one for one in failed if one.cause.setting == failed[-1].cause.setting]
    return next((one for one in reversed(same) if one.place or one.clients), failed[-1])


def _tells(one: Episode) -> tuple[bool, bool, bool, bool, int]:
    """The order of standing episodes; a connection that will be stopped when it sends counts after one that was."""
    cause = one.cause
    whom = (bool(one.place) and not one.place.endswith(qpid.NOT_NAMED)) or (
        cause.tells_limit and (cause.one_for_all or not cause.place_is)
    )
    waits = cause.family != rabbitmq.BLOCKING.family and not cause.of_another
    told = cause.tells_limit or cause.of_broker
    return told, waits, whom, cause.tells_limit or one.since is not None, one.order


def _only_waited(one: Episode) -> bool:
    """Whether a client waited without naming a limit or a place."""
    return not one.cause.tells_limit and not one.place


def _held(one: Episode, releases: Mapping[str, str], asked: Asked) -> Held:
    cause, figures, zone = one.cause, one.figures, asked.zone
    title, page = _rule(cause.rule)
    product = cause.family.partition(" ")[0]
    release = releases.get(product) or cause.release
    found: tuple[tuple[FileSays, ...], ...] = ()
    unset: tuple[str, ...] = ()
    if asked.configurations:
        # loading `explain` takes longer than reading a short log
        from tidegate.why.configured import product_of, says, with_resume

        files = [read for read in asked.configurations if product_of(read) == product]
        found = tuple(says(cause, one.place, read, release) for read in files)
        if cause.tells_limit and cause.setting and cause.figure and not any(found):
            unset = tuple(dict.fromkeys(read.file for read in files))
        for read in files:
            figures = with_resume(figures, one.place, read, release)
    there = taken(cause.family, release)
    waits = one.ended is None and not one.opened_again
    return Held(
        since=_since(one, zone),
        until=(_shown(one.ended.time, zone) if one.ended.time else f"line {one.ended.line}") if one.ended else None,
        file=one.began.file,
        line=one.began.line,
        place=f"{cause.place_is} {one.place}".strip() if one.place else "",
        place_is="" if cause.one_for_all else cause.place_is,
        clients=one.clients,
        reason=cause.reason,
        before=one.before,
        setting=cause.setting,
        where=cause.where or _where(cause.setting),
        limit=figures.limit,
        level=figures.level,
        unit=figures.unit,
        told=figures.text,
        resume=figures.resume,
        missing=missing(cause.family, figures, release) if waits else None,
        usually=usually_missing(cause.family, figures, release) if waits else None,
        version=there.words if there is not None else "",
        frees=FREED_ELSEWHERE if one.opened_again else cause.frees,
        change=cause.change,
        ask=cause.ask,
        rule=cause.rule,
        title=title,
        page=page,
        caveat=_caveat(one),
        figure=cause.figure,
        goes=cause.goes and not one.opened_again,
        holds=cause.holds,
        sends="" if cause.holds else cause.sends,
        sets=cause.sets,
        reported=cause.reported,
        gave_up=cause.gave_up,
        failed=_failed(one, zone),
        whom=cause.whom,
        configured=tuple(chain(*found)),
        unset=unset,
    )


def _caveat(one: Episode) -> str:
    if one.ended is not None or not one.cause.holds or not one.began.line:
        return ""  # over, not holding, or told by the running broker just now
    if one.opened_again:
        return "these channels were not released in these lines: another queue that they send to may hold them"
    if one.again is not None:
        at = f"at {one.again.time.text}" if one.again.time else f"in line {one.again.line}"
        return (
            f"no line tells the end of the stop before, {at}: lines of releases, which are of level INFO, are missing, "
            f"or another broker told it; so whether this one still holds {CANNOT}"
        )
    if not one.cause.tells_release:
        at = f" of {one.latest.time.text}" if one.latest.time else f" line {one.latest.line}"
        no_line = f"this kind of log does not tell when a stop ends, so whether it still holds {CANNOT}"
        between = ", nor whether it ended and began anew in between" if one.latest is not one.began else ""
        return f"the last line about this stop is{at}; {no_line}{between}"
    return ""


def _failed(one: Episode, zone: tzinfo | None) -> str:
    """The time of the last line of a wait in vain; empty if the first line tells of a failure and of no wait."""
    first, last = one.began.said, one.latest.time
    waited = isinstance(first, Blocked) and (first.seconds or not first.cause.gave_up)
    return _shown(last, zone) if one.cause.gave_up and waited and last is not None else ""


def _since(one: Episode, zone: tzinfo | None) -> str | None:
    """The beginning: the time of the first line less the seconds that the line states; an unknown day stays unknown.

    If the first line has no time, for example because its beginning is missing, the first later time is the latest
    possible beginning.
    """
    time = one.since
    if time is None and one.timed is not None and one.timed.time is not None:
        return f"{_shown(one.timed.time, zone)} at the latest"
    if time is None or not one.before:
        return _shown(time, zone) if time else None
    if not time.dated:
        begin = time.moment.replace(year=2000) - timedelta(seconds=one.before)
        has_day = time.moment.year == LEAP_YEAR
        return f"{MONTHS[begin.month - 1]} {begin.day} {begin:%H:%M:%S}" if has_day else f"{begin:%H:%M:%S}"
    earlier = time.moment - timedelta(seconds=one.before)
    return _shown(replace(time, text=f"{earlier:%Y-%m-%d %H:%M:%S}{_zone(time)}", moment=earlier), zone)


def _zone(time: Stamp) -> str:
    return "" if time.offset is None else time.moment.replace(tzinfo=timezone(time.offset)).isoformat()[-6:]


def _shown(time: Stamp, zone: tzinfo | None) -> str:
    """The time as it stands in the log, and in `zone` if that shows another time."""
    there = None if zone is None else time.seen_from(zone)
    if there is None or there == time.moment:
        return time.text
    return f"{time.text} ({there:%Y-%m-%d %H:%M:%S} {zone})"


def _rule(rule: str) -> tuple[str, str]:
    if not rule:
        return "", ""
    found = catalogue()[rule]
    return found.title, f"spec/{found.chapter}"


def _where(key: str) -> str:
    return next((one.where for broker in settings() for one in broker.settings if one.key == key), "")
