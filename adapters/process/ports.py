"""Ports on loopback without a listener."""

import socket
from contextlib import ExitStack
from errno import EADDRINUSE
from random import SystemRandom

LOOPBACK = "127.0.0.1"
FOR_SERVERS = range(20_000, 32_768)
"""Ports outside the range that systems use for clients, so that a port stays free until its server listens."""
TRIES = 1000


def free_ports(count: int) -> tuple[int, ...]:
    """`count` different TCP ports that were free a moment ago. OSError if none is found."""
    with ExitStack() as held:
        return tuple(_bind(held.enter_context(socket.socket())) for _ in range(count))


def _bind(unbound: socket.socket) -> int:
    """Bind a socket to a free port; the result is the port."""
    for port in SystemRandom().sample(FOR_SERVERS, min(TRIES, len(FOR_SERVERS))):
        try:
            unbound.bind((LOOPBACK, port))
        except OSError as error:
            if error.errno != EADDRINUSE:
                raise
        else:
            return port
    raise OSError(EADDRINUSE, f"no free port found between {FOR_SERVERS.start} and {FOR_SERVERS.stop}")
