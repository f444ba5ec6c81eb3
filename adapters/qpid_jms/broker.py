"""The broker that the clients connect to."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Broker:
    """A broker's virtual host, and the user and password of the clients."""

    host: str
    port: int
    virtual_host: str
    user: str
    password: str

    def url(self, client_id: str) -> str:
        """The URL of the broker for the client; by it each send waits until the broker has handled the message."""
        # the client parses its id as a part of a URL
        client_id = re.sub(r"[^\w.-]", "-", client_id)
        options = f"brokerlist='tcp://{self.host}:{self.port}'&sync_publish='all'"
        return f"amqp://{self.user}:{self.password}@{client_id}/{self.virtual_host}?{options}"
