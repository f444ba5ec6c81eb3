"""Narrows the lines and episodes to one client, if the lines name the clients of a stop."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from tidegate.why.episodes import Episode, Episodes
from tidegate.why.heard import Heard
from tidegate.why.notices import Blocked, Released, Said
from tidegate.why.standing import is_client

Place = tuple[str, str]
"""The family of a cause, and the name of a place."""


def places_of_others(said: Iterable[Said], client: str) -> set[Place]:
    """The places whose stops name clients, but not this one; none without a client."""
    stops = [one for one in said if isinstance(one, Blocked) and one.client] if client else []
    own = {(one.cause.family, one.place) for one in stops if client in one.client}
    return {(one.cause.family, one.place) for one in stops} - own


def is_about(said: Blocked | Released, places: Set[Place]) -> bool:
    """Whether a line that names no client is about one of these places."""
    families = said.families if isinstance(said, Released) else (said.cause.family,)
    return not said.client and any((family, said.place or "") in places for family in families)


def is_stop_of_others(said: Said, places: Set[Place]) -> bool:
    """Whether a line tells of a stop at one of these places without naming a client."""
    return isinstance(said, Blocked) and is_about(said, places)


def for_client(state: Episodes, lines: Sequence[Heard], client: str) -> None:
    """Let episodes begin and end with the client's own lines, if there are any.

    `lines` are the lines of which the episodes were made.
    """
    state.over = [_by_its_own_lines(one, lines, client) for one in state.over]
    for key, one in list(state.standing.items()):
        own = _by_its_own_lines(one, lines, client)
        if own.ended is None:
            state.standing[key] = own
        else:
            del state.standing[key]
            state.over.append(own)
    state.over.sort(key=lambda one: one.last)


def _by_its_own_lines(episode: Episode, lines: Sequence[Heard], client: str) -> Episode:
    """The episode as it was for the clients with this text, whose lines may come later than those of the place."""
    found, stopped = episode, dict[str, None]()
    for order, heard in list(enumerate(lines))[lines.index(episode.began) :]:
        said = heard.said
        if heard == episode.ended:
            break
        if isinstance(said, Blocked) and client in said.client and said.place == episode.place:
            if not stopped:
                found = replace(episode, began=heard, timed=heard, before=said.seconds)
            stopped[said.client] = None
            found = replace(found, clients=tuple(stopped))
        elif isinstance(said, Released) and stopped and said.client:
            stopped = dict.fromkeys(one for one in stopped if not is_client(one, said.client))
            found = replace(found, clients=tuple(stopped)) if stopped else replace(found, ended=heard, last=order)
    return found if found.began.time is not None else episode
