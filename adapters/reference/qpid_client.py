"""The clients of the Qpid reference: some let a send wait, and those that are too old obey nothing."""

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
    """A producer's client: whether it knows the order to stop, lets sends wait, and has a transaction open."""

    options: ProducerOptions
    waiting: WaitingClient

    @property
    def lets_wait(self) -> bool:
        """Whether a send that is held back waits; without a wait that is configured it is not even tried."""
        return self.waiting.wait != UNCONFIGURED

    @property
    def state(self) -> ClientState:
        """What is left of it: a failure takes nothing away."""
        return ClientState(connected=True, session_open=True, in_transaction=self.options.transacted)

    def held_back(self, stopped: bool) -> bool:
        """Whether its sends are held back by an order to stop."""
        return self.waiting.model.linked(qpid_client.held_back)(self.options.obeys, stopped)

    def hold_back(self, message_id: str, size_bytes: int) -> Outcome:
        """What becomes of a send that is held back."""
        if not self.lets_wait or self.waiting.send is not None:
            return Outcome.BLOCKED
        self.waiting.begin(message_id, size_bytes)
        return Outcome.UNSETTLED

    def let_go(self) -> tuple[str, int] | None:
        """The id and size in bytes of the message whose send waited and now goes on, if one did."""
        send = self.waiting.send
        if send is None:
            return None
        if self.options.transacted:
            self.waiting.send = None  # the end of the transaction says what becomes of it
        else:
            self.waiting.let_go(Outcome.ACCEPTED)
        return send.message_id, send.size_bytes

    def pass_time(self, ms: int) -> None:
        """Let a send that waits do so for so many ms more, log it, and fail once it has waited too long."""
        notice: str = self.waiting.model.default(qpid_client, "NOTICE")
        for waited in self.waiting.pass_time(ms):
            seconds = waited.waited_ms // MS_PER_SECOND
            self.waiting.warnings.append(notice.format(seconds=seconds))
        if self.waiting.has_waited_out:
            self.waiting.fail(ERROR, self.state)


class QpidClients:
    """The clients of all producers that are open."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        self._model = model
        self._clients: dict[str, QpidClient] = {}

    def __getitem__(self, producer: str) -> QpidClient:
        return self._clients[producer]

    def __iter__(self) -> Iterator[tuple[str, QpidClient]]:
        return iter(tuple(self._clients.items()))

    def open(self, producer: str, options: ProducerOptions) -> None:
        """A producer's client comes."""
        told = wait_of(options, UNCONFIGURED)
        wait = self._model.linked(qpid_client.times_in_ms)(told.timeout_ms, told.notify_ms)
        self._clients[producer] = QpidClient(options, WaitingClient(wait, model=self._model))

    def close(self, producer: str) -> None:
        """Close the producer, and with it a send that waits in it."""
        self._clients.pop(producer)

    def pass_time(self, ms: int) -> None:
        """Let so many ms pass for all of them."""
        for client in self._clients.values():
            client.pass_time(ms)

    def clear(self) -> None:
        """Forget all of them."""
        self._clients.clear()
