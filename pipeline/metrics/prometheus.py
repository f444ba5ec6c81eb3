"""Serves the metrics over HTTP, to Prometheus and other readers of its format."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from tidegate.pipeline.metrics.named import METRICS, Seen, Type
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

LOOPBACK = "127.0.0.1"
HIGHEST_PORT = 65_535


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


class SeenNow(Collector):
    """All metrics of the figures last seen, computed at each request."""

    def __init__(self, seen: Callable[[], Seen]):
        self._seen = seen

    def collect(self) -> Iterator[Metric]:
        seen, now = self._seen(), time.time()
        for each in METRICS:
            family = CounterMetricFamily if each.type is Type.COUNTER else GaugeMetricFamily
            found = family(each.name, each.words, labels=each.labels)
            for labels, value in each.samples(seen, now):
                found.add_metric(labels, value)
            yield found


@contextmanager
def served(address: Address, seen: Callable[[], Seen]) -> Iterator[str]:
    """Serve at the address while the block runs; yield the URL. Raises BadInput where the address cannot be used."""
    registry = CollectorRegistry()
    registry.register(SeenNow(seen))
    try:
        server, thread = start_http_server(address.port, address.host, registry)
    except OSError as error:
        raise BadInput(f"expected an address to serve at, but {address} is not: {in_words(error)}") from error
    try:
        yield f"http://{address._replace(port=server.server_port)}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
