"""Clients whose sends wait while their producer is stopped: the wait of the model, in virtual time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, after_notice, after_time, begun, gives_up, notice_due


@dataclass
class WaitingSend:
    """A send that waits in its client: its message never came near the broker."""

    message_id: str
    size_bytes: int
    waiting: Waiting


@dataclass
class WaitingClient:
    """A producer's client: how long it lets sends wait, the one that waits, and what it said of it so far."""

    wait: Wait
    send: WaitingSend | None = None
    settlements: list[Settlement] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    state: ClientState = field(default_factory=lambda: ClientState(connected=True, session_open=True))
    model: Linker = DOCUMENTED
    """The model whose rules say how long a send waits."""

    def begin(self, message_id: str, size_bytes: int) -> None:
        """A send that may not go on begins to wait."""
        self.send = WaitingSend(message_id, size_bytes, self.model.linked(begun)(self.wait))

    def let_go(self, outcome: Outcome) -> None:
        """The send that waited goes on, and was answered so."""
        assert self.send is not None
        self.settlements.append(Settlement(self.send.message_id, outcome))
        self.send = None

    def pass_time(self, ms: int) -> Iterator[Waiting]:
        """Let so many ms pass, notice by notice; each notice is due at the moment for which it is yielded.

        The send is still there afterwards if its timeout has come, for the profile to say what failing does.
        """
        left = ms
        while self.send is not None and left > 0:
            waiting = self.send.waiting
            step = min([left, *self._until(waiting)])
            left -= step
            waiting = self.model.linked(after_time)(waiting, step)
            if self.model.linked(notice_due)(self.wait, waiting):
                waiting = self.model.linked(after_notice)(self.wait, waiting)
                self.send.waiting = waiting
                yield waiting
            self.send.waiting = waiting
            if self.has_waited_out:
                return

    @property
    def has_waited_out(self) -> bool:
        """Whether a send waits whose timeout has come."""
        return self.send is not None and self.model.linked(gives_up)(self.wait, self.send.waiting)

    def fail(self, reason: str, state: ClientState) -> None:
        """The send that waited fails; what is left of the client."""
        assert self.send is not None
        self.settlements.append(Settlement(self.send.message_id, Outcome.REJECTED, reason))
        self.send, self.state = None, state

    def _until(self, waiting: Waiting) -> Iterator[int]:
        """In how many ms the next things fall due."""
        if self.wait.notify_ms != NEVER:
            yield max(waiting.next_notice_ms - waiting.waited_ms, 1)
        if self.wait.timeout_ms != NEVER:
            yield max(self.wait.timeout_ms - waiting.waited_ms, 1)


def wait_of(options: ProducerOptions, default: Wait) -> Wait:
    """The wait that is configured for a client, and the documented one for the rest."""
    return Wait(
        timeout_ms=default.timeout_ms if options.wait_ms is None else options.wait_ms,
        notify_ms=default.notify_ms if options.notify_ms is None else options.notify_ms,
    )
