"""Transactions on a link to the broker's coordinator, one after another.

Proton's own `Transaction` is not used. It and its requests refer to each other through proton's memory, where no
garbage collector finds them, and it does not tell that a rollback was refused.
"""

from typing import Any

from proton import Described, Message, Terminus, symbol

from tidegate.adapters.amqp10.links import Sender, Sent
from tidegate.adapters.amqp10.outcomes import Outcome
from tidegate.adapters.errors import NoAnswer, Refused

DECLARE, DISCHARGE = symbol("amqp:declare:list"), symbol("amqp:discharge:list")
LOCAL_TRANSACTIONS = symbol("amqp:local-transactions")


class Coordinator(Sender):
    """A link whose messages are requests to begin and to end transactions. It has at most one open transaction."""

    def aim(self, link: Any) -> None:
        """Make the broker's coordinator the target of proton's link; called on the engine's thread."""
        link.target.type = Terminus.COORDINATOR
        link.target.capabilities.put_object(LOCAL_TRANSACTIONS)

    def begin(self) -> None:
        """Ask for a transaction, and do not wait for the answer. Raises `NoAnswer`, `ConnectionLost`."""
        self._begun = self._request(Described(DECLARE, [None]))

    def transaction(self) -> bytes:
        """The id of the open transaction. Raises `Refused`, `NoAnswer`, `ConnectionLost`."""
        outcome = self._begun.wait_unless_detached(self, self.watchdog_ms)
        if outcome is None and self.refused is None:
            raise NoAnswer(f"no transaction on {self.name} within {self.watchdog_ms} ms")
        if outcome is None or outcome.transaction is None:
            raise Refused(f"no transaction on {self.name}: {self.refused or outcome}")
        return outcome.transaction

    def end(self, *, commits: bool, within_ms: int) -> Outcome | None:
        """Commit the open transaction, or roll it back; None if no answer comes in time.

        Raises `Refused`, `NoAnswer`, `ConnectionLost`.
        """
        ended = self._request(Described(DISCHARGE, [self.transaction(), not commits]))
        return ended.wait_unless_detached(self, within_ms)

    def _request(self, action: Described) -> Sent:
        what = f"credit for {self.name}"
        self._engine.wait(lambda: self.credit > 0 or self.refused is not None, within_ms=self.watchdog_ms, what=what)
        sent = self._put(self.name, lambda: Message(body=action))
        if sent is None:
            raise Refused(f"link {self.name} was detached: {self.refused}")
        return sent
