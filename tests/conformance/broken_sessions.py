"""Implementations that each break a promise about one client with many destinations, or about bursts."""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.model.mechanisms import artemis

CACHED = 1000
"""The number of destinations for which a client keeps credit."""


class KnowsSessions(ArtemisReference):
    """Notes which producers share a session, and in which order producers were seen stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._session_of: dict[str, str] = {}
        self._were_stopped: list[str] = []

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if options.session:
            self._session_of[producer] = f"{connection} {options.session}"

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        super().open_anonymous_producer(producer, connection, session)
        if session:
            self._session_of[producer] = f"{connection} {session}"

    def others_of(self, producer: str) -> list[str]:
        """The other producers of a producer's session."""
        mine = self._session_of.get(producer)
        return [other for other, its in self._session_of.items() if its == mine and other != producer]

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        if seen.stopped and producer not in self._were_stopped:
            self._were_stopped.append(producer)
        return self.told(producer, seen)

    def told(self, producer: str, seen: Standing) -> Standing:
        """The reported standing in place of the right one."""
        return seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._session_of.clear()
        self._were_stopped.clear()


class ReleasesTheFirstOfASession(KnowsSessions):
    """Of the producers of a session that run out of credit, only the first is issued credit again."""

    def told(self, producer: str, seen: Standing) -> Standing:
        before = self._were_stopped[: self._were_stopped.index(producer)] if producer in self._were_stopped else []
        return replace(seen, stopped=True) if set(before) & set(self.others_of(producer)) else seen


class StopsTheWholeSession(KnowsSessions):
    """A stopped producer stops all others of its session."""

    def told(self, producer: str, seen: Standing) -> Standing:
        stops = any(super(KnowsSessions, self).standing(other).stopped for other in self.others_of(producer))
        return replace(seen, stopped=seen.stopped or stops)


class HoldsASessionWhoseProducerWasClosed(KnowsSessions):
    """Once a stopped producer of a session is closed, no producer of that session is released."""

    _held: frozenset[str] = frozenset()

    def close_producer(self, producer: str) -> None:
        if producer in self._were_stopped:
            self._held |= set(self.others_of(producer))
        super().close_producer(producer)
        self._session_of.pop(producer, None)

    def told(self, producer: str, seen: Standing) -> Standing:
        return replace(seen, stopped=seen.stopped or producer in self._held)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._held = frozenset()


class ForgetsWhoWaitsBehindManyDestinations(KnowsSessions):
    """A client with more destinations than `CACHED` shows waiting producers as free."""

    _named: frozenset[str] = frozenset()

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        self._named |= {destination}
        return super().send_to(producer, destination, message_id, size_bytes)

    def told(self, producer: str, seen: Standing) -> Standing:
        return replace(seen, stopped=False) if len(self._named) > CACHED else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._named = frozenset()


class HoldsWhoNamedManyDestinations(ForgetsWhoWaitsBehindManyDestinations):
    """A client that named several destinations is never released once it was stopped."""

    def told(self, producer: str, seen: Standing) -> Standing:
        return replace(seen, stopped=True) if len(self._named) > 1 and producer in self._were_stopped else seen


class IssuesCreditForWhatIsOnItsWay(ArtemisReference):
    """Issues credit for messages that are not answered yet, even without room."""

    def send_burst(self, producers: Sequence[str], message_ids: Sequence[str], size_bytes: int) -> Sequence[Outcome]:
        for producer in dict.fromkeys(producers):
            destination, name = self._target[producer], artemis.ProducerName(producer)
            address = self._addresses[destination]
            more = len(message_ids)
            self._addresses[destination] = replace(
                address, credits={**address.credits, name: address.credits[name] + more}
            )
            self._issued[producer] += more
        return super().send_burst(producers, message_ids, size_bytes)


class ForgetsBursts(ArtemisReference):
    """A producer that sent a burst is never issued credit again."""

    _sent: frozenset[str] = frozenset()

    def send_burst(self, producers: Sequence[str], message_ids: Sequence[str], size_bytes: int) -> Sequence[Outcome]:
        self._sent |= set(producers)
        return super().send_burst(producers, message_ids, size_bytes)

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=True) if producer in self._sent else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._sent = frozenset()


class IssuesNothingForWhatItRefuses(ArtemisReference):
    """A producer is issued no more credit once a window of its messages was refused or dropped."""

    def __init__(self) -> None:
        super().__init__()
        self._refused: dict[str, int] = {}

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        destination = self._target[producer]
        held = self._held_at(destination)
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is not Outcome.BLOCKED and self._held_at(destination) == held:
            self._refused[producer] = self._refused.get(producer, 0) + 1
        return outcome

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=seen.stopped or self._refused.get(producer, 0) > 100)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._refused.clear()


class TakesAPageForTheLimitOfPages(ArtemisReference):
    """If a page is not smaller than the limit of pages, messages are refused although memory has room."""

    def declare(self, destination: str, limits: Limits) -> None:
        page, most = limits.page_bytes, limits.page_limit_bytes
        if page is not None and most is not None and page >= most:
            limits = replace(limits, limit_bytes=1, policy="FAIL")
        super().declare(destination, limits)


class RefusesOnceItsPagesWereFull(ArtemisReference):
    """Once a limit of pages refused a message, all later messages are refused."""

    _refuses: frozenset[str] = frozenset()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        destination = self._target[producer]
        if destination in self._refuses:
            return Outcome.REJECTED
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.REJECTED:
            self._refuses |= {destination}
        return outcome

    def end_scenario(self) -> None:
        super().end_scenario()
        self._refuses = frozenset()


class CountsHalfOfItsPages(ArtemisReference):
    """The limit of pages is half of the configured one."""

    def declare(self, destination: str, limits: Limits) -> None:
        if limits.page_limit_bytes is not None and limits.page_bytes is not None:
            factor = self.factor(limits.page_bytes)
            limits = replace(limits, page_limit_bytes=int(limits.page_limit_bytes * factor))
        super().declare(destination, limits)

    def factor(self, page_bytes: int) -> float:
        """The factor of the limit of pages."""
        return 0.5


class CountsSeveralTimesItsPages(CountsHalfOfItsPages):
    """The limit of pages is six times the configured one."""

    def factor(self, page_bytes: int) -> float:
        return 6
