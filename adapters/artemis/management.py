"""Artemis management over AMQP: one request, one reply.

It has a connection of its own, so that no scenario's traffic delays an observation.
"""

import itertools
import json
from collections.abc import Mapping
from typing import Any

from tidegate.adapters.artemis.amqp import Connection, Content, Receiver
from tidegate.adapters.artemis.settings import by_position
from tidegate.adapters.errors import NoAnswer, Refused
from tidegate.adapters.groups import Traffic

MANAGEMENT_ADDRESS = "activemq.management"
EVERY_MESSAGE = ""
"""A filter that every message passes."""
TRAFFIC = (
    *("MessagesAdded", "MessagesAcknowledged", "MessagesExpired", "MessagesKilled"),
    *("DeliveringCount", "DeliveringSize", "PersistentSize"),
)
"""The counters of a queue: messages that came, and that left in each way; delivered ones with their bytes; bytes of
all."""


class Management:
    """Reads and changes a running broker.

    Every call raises `Refused` with the broker's own words, `NoAnswer` or `ConnectionLost`.
    """

    def __init__(
        self, host: str, port: int, *, form: Mapping[str, object] | None = None, watchdog_ms: int = 5000
    ) -> None:
        """Connect. `watchdog_ms` bounds each request, in ms.

        `form` has the positions of address settings, for a broker that does not take them by name (`settings_form`).
        """
        self._form = form
        self._watchdog_ms = watchdog_ms
        self._numbers = itertools.count(1)
        self._connection = Connection(host, port, "tidegate-management", watchdog_ms=watchdog_ms)
        self._replies: Receiver | None = None
        self._requests = self._connection.sender(MANAGEMENT_ADDRESS)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def kill(self) -> None:
        """Drop the connection without asking the broker."""
        self._connection.kill()

    def version(self) -> str:
        """The broker's version."""
        return str(self._read("broker", "Version"))

    def address_size(self, address: str) -> int:
        """The bytes charged to an address."""
        return int(self._read(f"address.{address}", "AddressSize"))

    def messages(self, address: str) -> int:
        """The messages in all queues of an address, with those delivered and not acknowledged."""
        return int(self._read(f"address.{address}", "MessageCount"))

    def queues_of(self, address: str) -> frozenset[str]:
        """The names of all queues of an address."""
        return frozenset(map(str, self._read(f"address.{address}", "QueueNames")))

    def delivering(self, queue: str) -> int:
        """The messages delivered to a consumer and not acknowledged."""
        return int(self._read(f"queue.{queue}", "DeliveringCount"))

    def waiting(self, queue: str) -> int:
        """The messages in a queue that are not delivered."""
        return int(self._read(f"queue.{queue}", "MessageCount")) - self.delivering(queue)

    def traffic(self, queue: str) -> Traffic:
        """The counters of a queue. Artemis has one for each way in which messages leave; `left` is their sum."""
        came, acknowledged, expired, killed, in_hand, in_hand_bytes, held_bytes = (
            int(self._read(f"queue.{queue}", attribute)) for attribute in TRAFFIC
        )
        return Traffic(
            came=came,
            left=acknowledged + expired + killed,
            in_hand=in_hand,
            expired=expired,
            held_bytes=held_bytes,
            in_hand_bytes=in_hand_bytes,
        )

    def percent_used(self, address: str) -> int:
        """The used per cent of an address's limit, or of the limit of all addresses if the address has no limit."""
        return int(self._read(f"address.{address}", "AddressLimitPercent"))

    def attribute(self, resource: str, attribute: str) -> Any:
        """The value of any attribute of `broker`, `address.NAME` or `queue.NAME`."""
        return self._read(resource, attribute)

    def address_settings(self, address: str) -> dict[str, Any]:
        """The settings in force for an address, by the broker's names."""
        settings: dict[str, Any] = json.loads(self.operate("broker", "getAddressSettingsAsJSON", address))
        return settings

    def add_address_settings(self, match: str, **settings: Any) -> None:
        """Put settings in force for the addresses that `match`, by Artemis' names in JSON; acts at once.

        They replace all settings added for `match`.
        """
        taken = [json.dumps(settings)] if self._form is None else by_position(self._form, settings)
        self.operate("broker", "addAddressSettings", match, *taken)

    def remove_address_settings(self, match: str) -> None:
        """Remove the settings added for `match`."""
        self.operate("broker", "removeAddressSettings", match)

    def create_queue(self, queue: str, *, address: str, multicast: bool = False, durable: bool = False) -> None:
        """Create a queue on `address`, which stays when it is empty."""
        routing = "MULTICAST" if multicast else "ANYCAST"
        if self._form is not None:
            no_filter, any_number_of_consumers, purge, create_address = "", -1, False, True
            further = (no_filter, durable, any_number_of_consumers, purge, create_address)
            self.operate("broker", "createQueue", address, routing, queue, *further)
            return
        configuration = {
            "name": queue,
            "address": address,
            "routing-type": routing,
            "durable": durable,
            "auto-delete": False,
        }
        self.operate("broker", "createQueue", json.dumps(configuration))

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages and its consumers."""
        self.operate("broker", "destroyQueue", queue, True)

    def delete_address(self, address: str) -> None:
        """Delete an address with its queues."""
        self.operate("broker", "deleteAddress", address, True)

    def purge(self, queue: str) -> int:
        """Remove all messages of a queue; the result is their number."""
        return int(self.operate(f"queue.{queue}", "removeAllMessages"))

    def move(self, queue: str, to: str) -> int:
        """Move all messages of a queue to another one; the result is their number."""
        return int(self.operate(f"queue.{queue}", "moveMessages", EVERY_MESSAGE, to))

    def list_messages(self, queue: str) -> int:
        """List the messages of a queue, with their properties; the result is their number."""
        return len(json.loads(self.operate(f"queue.{queue}", "listMessagesAsJSON", EVERY_MESSAGE)))

    def block(self, address: str) -> bool:
        """Stop the producers of an address by order of the operator; the result is whether the broker did."""
        return bool(self.operate(f"address.{address}", "block"))

    def unblock(self, address: str) -> None:
        """Release the producers of an address that `block` stopped."""
        self.operate(f"address.{address}", "unblock")

    def operate(self, resource: str, operation: str, *arguments: Any) -> Any:
        """Call any operation of `broker`, `address.NAME` or `queue.NAME`; the result is its return value."""
        properties = {"_AMQ_ResourceName": resource, "_AMQ_OperationName": operation}
        return self._ask(properties, json.dumps(list(arguments)), f"{operation} on {resource}")

    def _read(self, resource: str, attribute: str) -> Any:
        properties = {"_AMQ_ResourceName": resource, "_AMQ_Attribute": attribute}
        return self._ask(properties, "[]", f"{attribute} of {resource}")

    def _ask(self, properties: dict[str, Any], body: str, what: str) -> Any:
        if self._replies is None:
            self._replies = self._connection.receiver(None)
        number = f"management-{next(self._numbers)}"
        request = Content(number, body, reply_to=self._replies.address, properties=properties)
        if self._requests.send_content(request) is None:
            raise NoAnswer(f"the broker issues no credit for management requests, such as {what}")
        reply = self._replies.take(self._watchdog_ms)
        if reply is None:
            # old versions do not say which request a reply is for: a late reply goes to a queue that nobody reads
            self._replies = None
            raise NoAnswer(f"no reply to management request {what} within {self._watchdog_ms} ms")
        self._replies.accept(reply)
        if not reply.content.properties.get("_AMQ_OperationSucceeded", False):
            raise Refused(f"the broker refused {what}: {reply.content.body}")
        results = json.loads(str(reply.content.body)) if reply.content.body else []
        return results[0] if results else None
