"""Broker-J's management over HTTP: one request, one answer, on a connection that is kept."""

import base64
import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import quote

from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused

API = "/api/latest"
WATCHDOG_MS = 30_000
OK = range(200, 300)


class Rest:
    """Requests to a broker's REST interface. For one thread at a time."""

    def __init__(self, host: str, port: int, user: str, password: str, *, watchdog_ms: int = WATCHDOG_MS) -> None:
        self._watchdog_ms = watchdog_ms
        self._connection = HTTPConnection(host, port, timeout=watchdog_ms / 1000)
        secret = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {secret}", "Content-Type": "application/json"}

    def get(self, *path: str, query: str = "") -> Any:
        """The object or objects at the path; before 7.0 an object comes in a list of one.

        Raises `Refused` with the broker's own words, `NoAnswer`, `ConnectionLost`.
        """
        answer = self._ask("GET", path, query=query)
        return answer[0] if isinstance(answer, list) else answer

    def listed(self, *path: str, query: str = "") -> list[Any]:
        """The list that an operation returns. Raises as `get`."""
        answer: list[Any] = self._ask("GET", path, query=query)
        return answer

    def put(self, *path: str, attributes: Mapping[str, Any]) -> None:
        """Create an object. Raises as `get`."""
        self._ask("PUT", path, attributes)

    def post(self, *path: str, attributes: Mapping[str, Any]) -> Any:
        """Change an object, or call the operation at the end of the path; the result is its answer. Raises as `get`."""
        return self._ask("POST", path, attributes)

    def delete(self, *path: str) -> None:
        """Delete an object. Raises as `get`."""
        self._ask("DELETE", path)

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        self._connection.close()

    def _ask(self, method: str, path: tuple[str, ...], body: Mapping[str, Any] | None = None, query: str = "") -> Any:
        url = "/".join((API, *(quote(part, safe="") for part in path))) + (query and f"?{query}")
        what = f"{method} {url}"
        try:
            self._connection.request(method, url, None if body is None else json.dumps(body), self._headers)
            response = self._connection.getresponse()
            answer = response.read().decode("utf-8")
        except TimeoutError as error:
            self.close()  # an answer that comes late is not the answer to the next request
            raise NoAnswer(f"no answer to {what} within {self._watchdog_ms} ms") from error
        except (OSError, HTTPException) as error:
            self.close()
            raise ConnectionLost(f"no answer to {what}: {type(error).__name__}: {error}") from error
        if response.status not in OK:
            raise Refused(f"the broker refused {what}: {response.status} {' '.join(answer.split())}")
        return json.loads(answer) if answer else None
