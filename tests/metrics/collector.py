"""A collector of OpenTelemetry on loopback, which keeps what it is sent."""

import gzip
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.metrics.v1.metrics_pb2 import Metric


class Collected:
    """What a collector was sent, each request decoded; `paths` are the paths that were asked for."""

    def __init__(self) -> None:
        self.requests: list[ExportMetricsServiceRequest] = []
        self.paths: list[str] = []

    def latest(self) -> Mapping[str, Metric]:
        """The metrics of the last request by their names."""
        return {
            metric.name: metric
            for of_resource in (self.requests[-1].resource_metrics if self.requests else ())
            for of_scope in of_resource.scope_metrics
            for metric in of_scope.metrics
        }


@contextmanager
def collecting(port: int = 0) -> Iterator[tuple[int, Collected]]:
    """A collector at a port, by default one that is free, while the block runs."""
    collected = Collected()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            request = ExportMetricsServiceRequest()
            request.ParseFromString(body)
            collected.paths.append(self.path)
            collected.requests.append(request)
            answer = ExportMetricsServiceResponse().SerializeToString()
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port, collected
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
