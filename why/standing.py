"""Keeps the standing episodes, found by their family, their place and their clients: a log may have thousands."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, MutableMapping
from typing import TYPE_CHECKING

from tidegate.why.notices import Released

if TYPE_CHECKING:
    from tidegate.why.episodes import Episode

Key = tuple[str, str, str]
"""The family of the cause, the place, and the source of the log if logs of several brokers were read."""
USER = re.compile(r"\([^()@]{0,200}@")
"""The user or client in the name of a Qpid connection."""


class Standing(MutableMapping[Key, "Episode"]):
    """The standing episodes by key, in the order in which they came."""

    def __init__(self) -> None:
        self._episodes: dict[Key, Episode] = {}
        self._numbers: dict[Key, int] = {}
        self._by_family: defaultdict[str, set[Key]] = defaultdict(set)
        self._by_place: defaultdict[str, set[Key]] = defaultdict(set)
        self._by_client: defaultdict[str, set[Key]] = defaultdict(set)
        self._came = 0

    def __getitem__(self, key: Key) -> "Episode":
        return self._episodes[key]

    def __setitem__(self, key: Key, episode: "Episode") -> None:
        known = self._episodes.get(key)
        if known is None:
            self._came += 1
            self._numbers[key] = self._came
            self._by_family[key[0]].add(key)
            self._by_place[key[1]].add(key)
        before = set(known.clients) if known is not None else set()
        for client in set(episode.clients) - before:
            for name in _names(client):
                self._by_client[name].add(key)
        self._without_clients(key, before.difference(episode.clients), episode.clients)
        self._episodes[key] = episode

    def __delitem__(self, key: Key) -> None:
        self._without_clients(key, self._episodes.pop(key).clients)
        del self._numbers[key]
        _taken(self._by_family, key[0], key)
        _taken(self._by_place, key[1], key)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._episodes)

    def __len__(self) -> int:
        return len(self._episodes)

    def of_family(self, family: str) -> list[Key]:
        """The keys of the episodes of a family."""
        return self._in_order(self._by_family.get(family, ()))

    def released(self, said: Released) -> list[Key]:
        """The keys of the episodes that a release may be about, by its place or its client."""
        if said.client:
            return self._in_order(self._by_client.get(without_user(said.client), ()))
        if said.place is None or said.and_below:
            return list(self._episodes)
        return self._in_order(self._by_place.get(said.place, ()))

    def several(self, families: Iterable[str]) -> bool:
        """Whether more than one episode is of these families."""
        return sum(len(self._by_family.get(family, ())) for family in set(families)) > 1

    def _in_order(self, keys: Iterable[Key]) -> list[Key]:
        return sorted(keys, key=self._numbers.__getitem__)

    def _without_clients(self, key: Key, gone: Iterable[str], left: Iterable[str] = ()) -> None:
        """Take clients of an episode out of the index; clients that are left may share a connection with them."""
        names = {name for client in gone for name in _names(client)}
        if names:
            for name in names.difference(*map(_names, left)):
                _taken(self._by_client, name, key)


def is_client(client: str, gone: str) -> bool:
    """Whether a release of `gone` releases a client: the client itself, or a channel with its connection.

    Qpid's broker up to 0.32 names the user of a connection in one line and the id of its client in the next.
    """
    client, gone = without_user(client), without_user(gone)
    return client == gone or client.startswith(f"{gone}/")


def without_user(client: str) -> str:
    """The name of a client without the user of its connection."""
    return USER.sub("(", client)


def _names(client: str) -> set[str]:
    """The names by which a client may be released: its own, and those of what it belongs to."""
    own = without_user(client)
    return {own, *(own[:place] for place, character in enumerate(own) if character == "/")}


def _taken(index: dict[str, set[Key]], name: str, key: Key) -> None:
    """Take a key out of an index; a name without a key takes no room."""
    keys = index.get(name, set())
    keys.discard(key)
    if not keys:
        index.pop(name, None)
