"""Clients whose sends wait while their producer is stopped: the model's wait, in virtual time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms.wait import NEVER, Wait, Waiting, after_notice, after_time, begun, gives_up, notice_due


@dataclass
class WaitingSend:
    """A send that waits in its client: the broker has not seen its message."""

    message_id: str
    size_bytes: int
    waiting: Waiting


@dataclass
class WaitingClient:
    """A producer's client: its wait, its waiting send, its settlements and its warnings so far."""

    wait: Wait
    send: WaitingSend | None = None
    settlements: list[Settlement] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    state: ClientState = field(default_factory=lambda: ClientState(connected=True, session_open=True))
    model: Linker = DOCUMENTED
    """The model with the rules of the wait."""

    def begin(self, message_id: str, size_bytes: int) -> None:
        """Begin the wait of a send that may not go on."""
        self.send = WaitingSend(message_id, size_bytes, self.model.linked(begun)(self.wait))

    def let_go(self, outcome: Outcome) -> None:
        """End the wait of a send with this outcome."""
        assert self.send is not None
        self.settlements.append(Settlement(self.send.message_id, outcome))
        self.send = None

    def pass_time(self, ms: int) -> Iterator[Waiting]:
        """Let this many ms pass; yields the state of the wait at each notice that is due.

        A send whose timeout has come is still there afterwards: the profile decides on the failure.
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
        """Whether a waiting send has reached its timeout."""
        return self.send is not None and self.model.linked(gives_up)(self.wait, self.send.waiting)

    def fail(self, reason: str, state: ClientState) -> None:
        """Fail the waiting send, and leave the client in this state."""
        assert self.send is not None
        self.settlements.append(Settlement(self.send.message_id, Outcome.REJECTED, reason))
        self.send, self.state = None, state

    def _until(self, waiting: Waiting) -> Iterator[int]:
        """The ms until the next notice, and until the timeout."""
        if self.wait.notify_ms != NEVER:
            yield max(waiting.next_notice_ms - waiting.waited_ms, 1)
        if self.wait.timeout_ms != NEVER:
            yield max(self.wait.timeout_ms - waiting.waited_ms, 1)


def wait_of(options: ProducerOptions, default: Wait) -> Wait:
    """The configured wait of a client, with the documented default for each time that is not configured."""
    return Wait(
        timeout_ms=default.timeout_ms if options.wait_ms is None else options.wait_ms,
        notify_ms=default.notify_ms if options.notify_ms is None else options.notify_ms,
    )
