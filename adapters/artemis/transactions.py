"""The transactions of producers: each has a coordinator link of its own, and always one open transaction."""

from tidegate.adapters.artemis.amqp import Connection, Coordinator, Sender
from tidegate.adapters.artemis.amqp import Outcome as Answer
from tidegate.adapters.base import AdapterError, Outcome, Unsupported


class Transactions:
    """The coordinator links, by the suite's names of producers."""

    def __init__(self, patience_ms: int) -> None:
        """`patience_ms` is the longest wait for the end of a transaction, in ms."""
        self._patience_ms = patience_ms
        self._coordinators: dict[str, Coordinator] = {}

    def sender(self, producer: str, connection: Connection, address: str, session: str) -> Sender:
        """Attach a sender and its coordinator in one session, the named one or else its own; begin a transaction."""
        session = session or f"transactions of {producer}"
        coordinator = self._coordinators[producer] = connection.coordinator(session)
        coordinator.begin()
        return connection.sender(address, session, coordinator)

    def commit(self, producer: str) -> Outcome:
        """Commit, and begin the next transaction; rejected if the broker rolled back, unsettled without an answer."""
        ended = self._end(producer, commits=True)
        self._coordinators[producer].begin()
        if ended is None:
            return Outcome.UNSETTLED
        return Outcome.ACCEPTED if ended.state == "accepted" else Outcome.REJECTED

    def rollback(self, producer: str) -> None:
        """Roll back, and begin the next transaction. AdapterError if the rollback is refused, or not answered."""
        self._roll_back(producer)
        self._coordinators[producer].begin()

    def close(self, producer: str) -> None:
        """Roll back and detach the coordinator link, if the producer is transacted. Raises as `rollback`."""
        if producer in self._coordinators:
            self._roll_back(producer)
            self._coordinators.pop(producer).close()

    def forget(self) -> None:
        """Forget all links; their connections have ended."""
        self._coordinators.clear()

    def _roll_back(self, producer: str) -> None:
        ended = self._end(producer, commits=False)
        if ended is None or ended.state != "accepted":
            raise AdapterError(f"the rollback of {producer!r}: {ended or 'no answer'}")

    def _end(self, producer: str, *, commits: bool) -> Answer | None:
        if producer not in self._coordinators:
            raise Unsupported(f"the producer {producer!r} is not transacted")
        return self._coordinators[producer].end(commits=commits, within_ms=self._patience_ms)
