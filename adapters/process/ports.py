"""Ports on loopback that nobody listens on."""

import socket
from contextlib import ExitStack

LOOPBACK = "127.0.0.1"


def free_ports(count: int) -> tuple[int, ...]:
    """So many different TCP ports that were free a moment ago. OSError if the machine has none left."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for held_open in sockets:
            held_open.bind((LOOPBACK, 0))
        return tuple(held_open.getsockname()[1] for held_open in sockets)
