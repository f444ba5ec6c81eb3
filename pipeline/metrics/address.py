"""Addresses where metrics are served or sent, as options of a command give them."""

from typing import NamedTuple
from urllib.parse import urlsplit

from tidegate.record.errors import BadInput

LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 65_535
METRICS_PATH = "/v1/metrics"
"""The path where a collector of OpenTelemetry takes metrics."""


class Address(NamedTuple):
    """A host, by name or number, and a port; port 0 is any free port."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def address_of(option: str) -> Address:
    """An address from `[HOST:]PORT`; without a host it is of this machine alone. Raises BadInput for anything else."""
    host, _, port = option.rpartition(":")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise BadInput(f"expected an IPv6 address in brackets, [HOST]:PORT, not {option!r}", field="prometheus")
    if not (port.isascii() and port.isdigit() and int(port) <= HIGHEST_PORT) or option.startswith(":"):
        raise BadInput(f"expected [HOST:]PORT, with a port up to {HIGHEST_PORT}, not {option!r}", field="prometheus")
    return Address(host or LOOPBACK, int(port))


def endpoint_of(option: str) -> str:
    """The URL to send metrics to, from the URL of a collector; a URL without a path gets the usual one.

    Raises BadInput for anything but a URL.
    """
    try:
        url = urlsplit(option)
        known = url.scheme in ("http", "https") and url.hostname and (url.port or 1)
    except ValueError:
        known = False
    if not known:
        raise BadInput(f"expected the URL of a collector, http://HOST:PORT, not {option!r}", field="otlp")
    return option if url.path.strip("/") else url._replace(path=METRICS_PATH).geturl()
