"""Folds the statements of lines into episodes: which producers are blocked, by which cause, and since when."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tidegate.why.heard import Heard
from tidegate.why.nodes import with_nodes
from tidegate.why.notices import NO_FIGURES, Blocked, Cause, Figures, Notice, Released
from tidegate.why.sources import name as log_name
from tidegate.why.standing import Key, Standing, is_client
from tidegate.why.times import Stamp


@dataclass(frozen=True)
class Episode:
    """Producers of a place are held up from `began` on; `ended` is None while they still are.

    `clients` are the named clients that were not released; `everyone` tells that the place holds up all senders.
    `order` is the number of the first line among the lines that say anything. `latest` is the last line that tells of
    the episode.
    """

    cause: Cause
    place: str
    began: Heard
    latest: Heard
    order: int
    figures: Figures = NO_FIGURES
    clients: tuple[str, ...] = ()
    everyone: bool = False
    before: int = 0
    """The time, in s, that the producers had been held up at the first line."""
    ended: Heard | None = None
    timed: Heard | None = None
    """The first line with a time."""
    last: int = 0
    """The number, counted as in `order`, of the last line that tells of the episode, or of the line that ended it."""
    opened_again: bool = False
    """Whether the limit is no longer reached although clients named here have not been released."""

    again: Heard | None = None
    """The line of the previous stop, if no line tells the end of that stop."""

    @property
    def since(self) -> Stamp | None:
        """The time of the first line; None if it has none."""
        return self.began.time


OF_A_NODE = "node"


@dataclass
class Episodes:
    """The standing episodes and the ended ones, in their order."""

    standing: Standing = field(default_factory=Standing)
    over: list[Episode] = field(default_factory=list)
    resumes: dict[tuple[str, str], int] = field(default_factory=dict)
    """By place and unit, the level at which producers were last released."""
    limits: dict[tuple[str, str], int] = field(default_factory=dict)
    """By place and unit, the last limit that a line told."""
    pending: dict[str, tuple[Heard, Notice]] = field(default_factory=dict)
    releases: dict[str, str] = field(default_factory=dict)
    """By product, the version of the broker that started last."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """By file, the source of the log: empty if all files are of one broker."""
    told: set[tuple[str, str]] = field(default_factory=set)
    """The families of the stops that each source of a log has told."""

    def _source(self, heard: Heard) -> str:
        return f"{self.sources.get(heard.file, '')} {heard.of}"

    def blocked(self, heard: Heard, said: Blocked, order: int) -> None:
        """Take in a line that says that a client or a place is held up."""
        before = self.pending.pop(said.cause.family, None)
        figures = before[1].figures if before is not None and said.figures == NO_FIGURES else said.figures
        everywhere = self.standing.get((said.cause.family, "", self._source(heard)))
        if figures == NO_FIGURES and said.cause.one_for_all and everywhere is not None:
            figures = everywhere.figures  # the line about the limit itself, in front of one for each place
        self._limited(said.place, figures)
        if figures.resume is None and figures.level is not None:
            figures = replace(figures, resume=self.resumes.get((said.place, figures.unit)))
        said = self._of_known_host(self._of_known_node(said, self._source(heard)), self._source(heard))
        key = (said.cause.family, said.place, self._source(heard))
        self.told.add((said.cause.family, self._source(heard)))
        known = self.standing.get(key)
        if known is None:
            known = Episode(said.cause, said.place, heard, heard, order, figures, before=said.seconds)
        elif said.cause.once and _is_later(heard, known.latest):
            known = replace(known, began=heard, order=order, before=said.seconds, timed=heard, again=known.latest)
        told = figures if figures != NO_FIGURES else known.figures
        clients = dict.fromkeys([*known.clients, said.client] if said.client else known.clients)
        self.standing[key] = replace(
            known,
            cause=_better(said.cause, known.cause, figures != NO_FIGURES or known.figures == NO_FIGURES),
            latest=heard,
            last=order,
            timed=known.timed or (heard if heard.time else None),
            figures=told,
            clients=tuple(clients),
            everyone=known.everyone or not said.client,
            opened_again=False,
        )

    def _of_known_node(self, said: Blocked, source: str) -> Blocked:
        """The statement about an alarm of a cluster with its node; a status names the node in one line only."""
        if said.cause.place_is != OF_A_NODE or said.client:
            return said
        unnamed = (said.cause.family, "", source)
        if said.place and unnamed in self.standing and not self.standing[unnamed].clients:
            self.standing[said.cause.family, said.place, source] = replace(self.standing.pop(unnamed), place=said.place)
        nodes = [place for _, place, of in self.standing.of_family(said.cause.family) if of == source and place]
        return replace(said, place=nodes[-1]) if not said.place and nodes else said

    def _of_known_host(self, said: Blocked, source: str) -> Blocked:
        """The statement about a queue with its virtual host, if only a line in front names that; two hosts may have a
        queue of one name."""
        if not said.place or "/" in said.place or not said.client:
            return said
        known = [
            place
            for _, place, of in self.standing.of_family(said.cause.family)
            if of == source and place.rpartition("/")[2] == said.place
        ]
        return replace(said, place=known[0]) if len(known) == 1 else said

    def _limited(self, place: str, figures: Figures) -> None:
        """Note the limit; with another limit, the previous resume level no longer applies."""
        if figures.limit is None:
            return
        key = place, figures.unit
        if self.limits.setdefault(key, figures.limit) != figures.limit:
            self.resumes.pop(key, None)
        self.limits[key] = figures.limit

    def completed(self, heard: Heard, said: Notice) -> bool:
        """Whether the figures of a notice belong to the stop that was told in front of it.

        A collector may put two lines of one moment in the wrong order, and a status shows the alarms before the
        figures.
        """
        if said.figures == NO_FIGURES:
            return False
        for key in self.standing.of_family(said.family):
            episode = self.standing[key]
            known = (heard.time is None) == (episode.latest.time is None)
            behind = known and not _is_later(heard, episode.latest)
            if key[2] == self._source(heard) and episode.figures == NO_FIGURES and behind:
                self.standing[key] = replace(episode, figures=said.figures)
                return True
        return False

    def released(self, heard: Heard, said: Released, order: int) -> None:
        """Take in a line that says that an episode is over, for all clients or for one."""
        self.resumes.update({(said.place or "", unit): level for unit, level in said.resumes})
        for family in said.families:
            before, notice = self.pending.pop(family, (heard, Notice(family)))
            if notice.cause is not None and not self.standing.of_family(family):
                self.blocked(before, Blocked(notice.cause, figures=notice.figures), len(self.over))
        several = said.own_figures and self.standing.several(said.families)
        for key in self.standing.released(said):
            episode = self.standing.get(key)
            if episode is None:
                continue  # ended together with another episode
            if key[0] not in said.families or not _is_at(episode.place, said):
                continue
            if self._is_of_another(key, heard, said):
                continue
            if several and episode.figures == NO_FIGURES:
                continue
            if said.client:
                left = tuple(client for client in episode.clients if not is_client(client, said.client))
                if len(left) == len(episode.clients):
                    continue
                if left or episode.everyone:
                    self.standing[key] = replace(episode, clients=left)
                    continue
            elif said.clients_wait and episode.clients:
                self.standing[key] = replace(episode, everyone=False, opened_again=True)
                continue
            self._end(key, heard, order)

    def _is_of_another(self, key: Key, heard: Heard, said: Released) -> bool:
        """Whether a line is from another broker's log than the stop, and a tool names both or that log has a stop
        itself.

        A log with releases only is a part of a log with the stops, such as the result of a search. The nodes of
        RabbitMQ write about the alarms of each other, and the line about a client may be of the client's own log.
        """
        source, stop = self._source(heard), self.standing[key]
        both_named = heard.of and stop.latest.of and heard.of != stop.latest.of
        if both_named and not said.client and stop.cause.place_is != OF_A_NODE:
            return True
        return source != key[2] and (key[0], source) in self.told

    def restarted(self, heard: Heard, product: str, order: int) -> None:
        """A broker started or stopped: its earlier episodes are over."""
        for family in [family for family in self.pending if family.startswith(f"{product} ")]:
            before, notice = self.pending.pop(family)
            if (
                notice.figures == NO_FIGURES
                or (log_name(before.file), before.of) != (log_name(heard.file), heard.of)
                or _known(self, notice)
            ):
                continue
            if notice.cause is not None:
                self.blocked(before, Blocked(notice.cause, figures=notice.figures), order)
        for key, episode in list(self.standing.items()):
            began = episode.began
            is_own = (log_name(began.file), began.of) == (log_name(heard.file), heard.of)
            if key in self.standing and key[0].startswith(f"{product} ") and is_own:
                self._end(key, heard, order)

    def _end(self, key: Key, heard: Heard, order: int) -> None:
        ended = replace(self.standing.pop(key), ended=heard, last=order)
        self.over.append(ended)
        everywhere = (key[0], "", key[2])
        if ended.cause.one_for_all and everywhere in self.standing:
            self._end(everywhere, heard, order)


def _is_later(heard: Heard, other: Heard) -> bool:
    """Whether a line has a later time than another; a collector may have sent a line twice."""
    return heard.time is not None and other.time is not None and heard.time.instant > other.time.instant


def _is_at(place: str, said: Released) -> bool:
    """Whether a release is about a place."""
    return said.place in (None, place) or (said.and_below and place.startswith(f"{said.place}/"))


def episodes(lines: Iterable[Heard], sources: Mapping[str, str] | None = None) -> Episodes:
    """The episodes after these lines, standing and over; `sources` gives the source of each file's log."""
    state = Episodes(sources=sources or {})
    for order, heard in enumerate(with_nodes(list(lines))):
        match heard.said:
            case Blocked() as said:
                state.blocked(heard, said, order)
            case Released() as said:
                state.released(heard, said, order)
            case Notice(started=True) | Notice(stopped=True) | Notice(cause=None) as said:
                state.releases[said.family] = said.release or state.releases.get(said.family, "")
                if said.started or said.stopped:
                    state.restarted(heard, said.family, order)
            case Notice() as said if not state.completed(heard, said):
                state.pending[said.family] = heard, said
    for heard, notice in list(state.pending.values()):
        if notice.cause is not None and not _known(state, notice):
            state.blocked(heard, Blocked(notice.cause, figures=notice.figures), len(state.standing))
    _join_clients(state)
    return state


def _join_clients(state: Episodes) -> None:
    """Let a stop that only a client tells be the stop of the broker at the same place, which tells the limit and the
    end.

    The client's line must come after the broker's line about the stop and before the one about its end. If several
    brokers have a stop at this place, nobody knows whose the client's is.
    """
    known = [*state.standing.values(), *state.over]
    for key, of_client in list(state.standing.items()):
        if of_client.cause.tells_limit or of_client.cause.tells_release or not of_client.place:
            continue
        told = [one for one in known if _tells_of(one, of_client)]
        if len({(log_name(one.began.file), one.began.of) for one in told}) != 1:
            continue
        if any(one.order < of_client.order and (one.ended is None or of_client.last < one.last) for one in told):
            del state.standing[key]


def _tells_of(one: Episode, of_client: Episode) -> bool:
    """Whether a stop is one that a broker's line tells, at the place of a client's stop and in the same product."""
    products = {each.cause.family.partition(" ")[0] for each in (one, of_client)}
    return one.cause.tells_limit and one.cause.holds and one.place == of_client.place and len(products) == 1


def _known(state: Episodes, notice: Notice) -> bool:
    """Whether other lines say the same as a notice: lines of its family or, without figures, of its product."""
    standing = {family for family, *_ in state.standing}
    if notice.figures != NO_FIGURES:
        return notice.family in standing
    product = notice.family.partition(" ")[0]
    return any(family.startswith(f"{product} ") for family in [*standing, *(one.cause.family for one in state.over)])


def _better(said: Cause, known: Cause, is_newer: bool) -> Cause:
    """The cause of a stop of which another line tells; an exact cause is better than a vague one."""
    if said.vague != known.vague:
        return known if said.vague else said
    return said if is_newer else known
