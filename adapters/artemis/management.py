"""Artemis management over AMQP: one request, one reply.

The connection is its own, so that no scenario's traffic delays an observation.
"""

import itertools
import json
from typing import Any

from tidegate.adapters.artemis.amqp import Connection, Content
from tidegate.adapters.errors import NoAnswer, Refused

MANAGEMENT_ADDRESS = "activemq.management"


class Management:
    """Reads and changes a running broker.

    Every call raises `Refused` with the broker's own words, `NoAnswer` or `ConnectionLost`.
    """

    def __init__(self, host: str, port: int, *, watchdog_ms: int = 5000) -> None:
        """Connect and open the reply queue. `watchdog_ms` bounds each request, in ms."""
        self._watchdog_ms = watchdog_ms
        self._numbers = itertools.count(1)
        self._connection = Connection(host, port, "tidegate-management", watchdog_ms=watchdog_ms)
        self._replies = self._connection.receiver(None)
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
        """Bytes charged to an address."""
        return int(self._read(f"address.{address}", "AddressSize"))

    def messages(self, address: str) -> int:
        """Messages in all queues of an address, those delivered but not acknowledged included."""
        return int(self._read(f"address.{address}", "MessageCount"))

    def delivering(self, queue: str) -> int:
        """Messages delivered to a consumer and not acknowledged."""
        return int(self._read(f"queue.{queue}", "DeliveringCount"))

    def waiting(self, queue: str) -> int:
        """Messages in a queue that no consumer was handed."""
        return int(self._read(f"queue.{queue}", "MessageCount")) - self.delivering(queue)

    def attribute(self, resource: str, attribute: str) -> Any:
        """Any attribute of `broker`, `address.NAME` or `queue.NAME`."""
        return self._read(resource, attribute)

    def address_settings(self, address: str) -> dict[str, Any]:
        """The settings in force for an address, by the broker's names."""
        settings: dict[str, Any] = json.loads(self.operate("broker", "getAddressSettingsAsJSON", address))
        return settings

    def add_address_settings(self, match: str, **settings: Any) -> None:
        """Put settings in force for the addresses that `match`, by Artemis' names in JSON; acts at once."""
        self.operate("broker", "addAddressSettings", match, json.dumps(settings))

    def remove_address_settings(self, match: str) -> None:
        """Take back settings added for `match`."""
        self.operate("broker", "removeAddressSettings", match)

    def create_queue(self, queue: str, *, address: str, multicast: bool = False, durable: bool = False) -> None:
        """Create a queue on `address`, which stays when it is empty."""
        configuration = {
            "name": queue,
            "address": address,
            "routing-type": "MULTICAST" if multicast else "ANYCAST",
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
        """Remove all messages of a queue; how many they were."""
        return int(self.operate(f"queue.{queue}", "removeAllMessages"))

    def block(self, address: str) -> bool:
        """Stop the producers of an address by order of the operator; whether the broker did."""
        return bool(self.operate(f"address.{address}", "block"))

    def unblock(self, address: str) -> None:
        """Take back `block`."""
        self.operate(f"address.{address}", "unblock")

    def operate(self, resource: str, operation: str, *arguments: Any) -> Any:
        """Call any operation of `broker`, `address.NAME` or `queue.NAME`; what it returns."""
        properties = {"_AMQ_ResourceName": resource, "_AMQ_OperationName": operation}
        return self._ask(properties, json.dumps(list(arguments)), f"{operation} on {resource}")

    def _read(self, resource: str, attribute: str) -> Any:
        properties = {"_AMQ_ResourceName": resource, "_AMQ_Attribute": attribute}
        return self._ask(properties, "[]", f"{attribute} of {resource}")

    def _ask(self, properties: dict[str, Any], body: str, what: str) -> Any:
        number = f"management-{next(self._numbers)}"
        request = Content(number, body, reply_to=self._replies.address, properties=properties)
        if self._requests.send_content(request) is None:
            raise NoAnswer(f"the broker issues no credit for management requests, such as {what}")
        reply = self._reply_to(number, what)
        if not reply.properties.get("_AMQ_OperationSucceeded", False):
            raise Refused(f"the broker refused {what}: {reply.body}")
        results = json.loads(str(reply.body)) if reply.body else []
        return results[0] if results else None

    def _reply_to(self, number: str, what: str) -> Content:
        """The reply to one request; a reply that comes after its request was given up is passed over."""
        while (reply := self._replies.take(self._watchdog_ms)) is not None:
            self._replies.accept(reply)
            if reply.content.correlation_id == number:
                return reply.content
        raise NoAnswer(f"no reply to management request {what} within {self._watchdog_ms} ms")
