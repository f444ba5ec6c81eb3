"""The reference of a released Artemis for STOMP clients: a producer may ask for receipts, and has no credit.

A refusal ends the connection of its producer, and with it the open transaction: the messages of the transaction are
gone, and each further message of it is refused.
"""

from tidegate.adapters.base import Outcome
from tidegate.adapters.reference.built_artemis_openwire import BuiltArtemisOpenWire, Client
from tidegate.model.language.linker import DOCUMENTED, Linker


class BuiltArtemisStomp(BuiltArtemisOpenWire):
    """A broker of addresses that tells every client of a refusal, and ends its transaction."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._broken: set[str] = set()
        """The producers whose open transaction was ended by a refusal."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if producer in self._broken:
            return Outcome.REJECTED
        outcome = super().send(producer, message_id, size_bytes)
        client = self._clients[producer]
        if outcome is Outcome.REJECTED and client.options.transacted:
            self._give_back(client)
            self._broken.add(producer)
        return outcome

    def commit(self, producer: str) -> Outcome:
        if producer in self._broken:
            self._broken.discard(producer)
            return Outcome.REJECTED
        return super().commit(producer)

    def rollback(self, producer: str) -> None:
        self._broken.discard(producer)
        super().rollback(producer)

    def close_producer(self, producer: str) -> None:
        self._broken.discard(producer)
        super().close_producer(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._broken.clear()

    def _told(self, client: Client, outcome: Outcome) -> Outcome:
        """The outcome that the client learns: without receipts, only that a message was refused."""
        return Outcome.SENT if client.options.asynchronous and outcome is Outcome.ACCEPTED else outcome
