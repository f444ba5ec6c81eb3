"""The clients of the Qpid reference: some make a send wait, and the oldest obey no order."""

from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.adapters.groups import ClientState
from tidegate.adapters.reference.waiting import WaitingClient, wait_of
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import qpid_client
from tidegate.model.mechanisms.wait import NEVER, Wait

UNCONFIGURED = Wait(timeout_ms=NEVER, notify_ms=NEVER)
"""The documents give no default for either time."""
ERROR = f"javax.jms.{qpid_client.FAILURE}: the message was not sent, because flow control held it back for too long"
MS_PER_SECOND = 1000


@dataclass
class QpidClient:
    """A producer's client: its options, with whether it obeys the order to stop, and its wait."""

    options: ProducerOptions
    waiting: WaitingClient

    @property
    def lets_wait(self) -> bool:
        """Whether a send that is held back waits; without a configured wait the client does not even try it."""
        return (self.options.wait_ms, self.options.notify_ms) != (None, None)

    @property
    def state(self) -> ClientState:
        """The client's state: a failure closes nothing."""
        return ClientState(connected=True, session_open=True, in_transaction=self.options.transacted)

    def held_back(self, stopped: bool) -> bool:
        """Whether an order to stop holds its sends back."""
        return self.waiting.model.linked(qpid_client.held_back)(self.options.obeys, stopped)

    def hold_back(self, message_id: str, size_bytes: int) -> Outcome:
        """The outcome of a send that is held back."""
        if not self.lets_wait or self.waiting.send is not None:
            return Outcome.BLOCKED
        self.waiting.begin(message_id, size_bytes)
        return Outcome.UNSETTLED

    def let_go(self, outcome: Outcome) -> None:
        """End the wait of a send that has gone on, and been accepted or rejected by the broker."""
        if self.options.transacted:
            self.waiting.send = None  # the end of the transaction decides on the message
        else:
            self.waiting.let_go(outcome if outcome is Outcome.REJECTED else Outcome.ACCEPTED)

    def pass_time(self, ms: int) -> None:
        """Let a waiting send wait for this many ms more, log its notices, and fail it once its timeout has come."""
        notice: str = self.waiting.model.default(qpid_client, "NOTICE")
        for waited in self.waiting.pass_time(ms):
            seconds = waited.waited_ms // MS_PER_SECOND
            self.waiting.warnings.append(notice.format(seconds=seconds))
        if self.waiting.has_waited_out:
            self.waiting.fail(ERROR, self.state)


class QpidClients:
    """The clients of all open producers."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._model = model
        self._clients: dict[str, QpidClient] = {}

    def __getitem__(self, producer: str) -> QpidClient:
        return self._clients[producer]

    def __iter__(self) -> Iterator[tuple[str, QpidClient]]:
        return iter(tuple(self._clients.items()))

    def open(self, producer: str, options: ProducerOptions) -> None:
        """Open the client of a producer."""
        told = wait_of(options, UNCONFIGURED)
        wait = self._model.linked(qpid_client.times_in_ms)(told.timeout_ms, told.notify_ms)
        self._clients[producer] = QpidClient(options, WaitingClient(wait, model=self._model))

    def close(self, producer: str) -> None:
        """Close a producer's client, with any send that waits in it."""
        self._clients.pop(producer)

    def pass_time(self, ms: int) -> None:
        """Let this many ms pass for all clients."""
        for client in self._clients.values():
            client.pass_time(ms)

    def clear(self) -> None:
        """Forget all clients."""
        self._clients.clear()
