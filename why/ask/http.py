"""Sends one request to the management of a broker, with one sentence for each way in which it may fail."""

import base64
import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

SECONDS = 20
NOT_THERE = range(300, 500)
"""The statuses of another product's management: a redirect, or an unknown path, method or media type."""
NOT_ALLOWED = {401, 403}
MOST_BYTES = 64 * 1024 * 1024


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect, so that the password is not sent to where a broker points."""

    def redirect_request(self, *arguments: Any, **options: Any) -> None:
        return None


class Http:
    """Requests to one broker. `address` is the scheme and the host of its URL."""

    def __init__(self, url: str, user: str = ""):
        """`user` is NAME:PASSWORD, which the URL may have as well. BadInput for a URL that is not http or https."""
        parts = urlsplit(url if "//" in url else f"http://{url}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"expected an address such as http://localhost:8161, not {url!r}", field="--broker")
        told, _, host = parts.netloc.rpartition("@")
        self.address = urlunsplit((parts.scheme, host, "", "", ""))
        self.path = parts.path.rstrip("/")
        # Artemis requires the header Origin if its access is checked strictly
        self._headers = {"Accept": "application/json", "Origin": f"{parts.scheme}://{parts.hostname}"}
        if secret := user or told:
            self._headers["Authorization"] = f"Basic {base64.b64encode(secret.encode()).decode()}"
        self._opener: OpenerDirector = build_opener(_NoRedirect, ProxyHandler({}))

    def get(self, path: str) -> Any:
        """The JSON at a path; None if there is none. BadInput if the broker does not answer."""
        return self._asked(Request(self.address + path, headers=self._headers))  # noqa: S310  # http or https only

    def post(self, path: str, body: Any) -> Any:
        """The JSON that answers a JSON body, with the same errors as `get`."""
        headers = {**self._headers, "Content-Type": "application/json"}
        return self._asked(Request(self.address + path, json.dumps(body).encode(), headers))  # noqa: S310

    def _asked(self, request: Request) -> Any:
        url = request.full_url
        try:
            with self._opener.open(request, timeout=SECONDS) as answer:
                text = answer.read(MOST_BYTES)
        except HTTPError as error:
            if error.code in NOT_ALLOWED:
                raise BadInput(f"expected --user NAME:PASSWORD that can read {url} (HTTP {error.code})") from None
            if error.code in NOT_THERE:
                return None
            raise BadInput(f"expected an answer from {url}, not HTTP {error.code}") from None
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            said = in_words(reason) if isinstance(reason, OSError) else reason
            raise BadInput(f"expected a broker that answers at {self.address}, but {said}", field="--broker") from None
        try:
            return json.loads(text)
        except ValueError:
            return None  # a page for people, such as a console
