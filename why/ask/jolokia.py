"""Reads JMX over HTTP through Jolokia, which Artemis and ActiveMQ Classic ship with their consoles."""

import re
from collections.abc import Iterable
from typing import Any

from tidegate.record.errors import BadInput
from tidegate.why.ask.http import Http

PLACES = ("/console/jolokia", "/api/jolokia", "/jolokia", "/hawtio/jolokia")
"""The paths of Jolokia: in the consoles of Artemis and Classic, in the agent alone, and in Hawtio."""
PROPERTY = re.compile(r'([\w-]+)=("(?:[^"\\]|\\.)*"|[^,]*)')
AT_ONCE = 200
"""The most questions in one request."""


class Jolokia:
    """Questions to the MBeans of one JVM."""

    def __init__(self, http: Http, path: str):
        self._http, self._path = http, path

    def search(self, pattern: str) -> list[str]:
        """The sorted names of all beans that match a pattern."""
        (found,) = self._asked([{"type": "search", "mbean": pattern}])
        return sorted(found) if isinstance(found, list) else []

    def read(self, beans: Iterable[str], attributes: list[str]) -> list[dict[str, Any]]:
        """The attributes of each bean, without attributes that this version lacks."""
        asked = [{"type": "read", "mbean": bean, "config": {"ignoreErrors": True}} for bean in beans]
        return [
            {name: value for name, value in found.items() if name in attributes} if isinstance(found, dict) else {}
            for found in self._asked(asked)
        ]

    def call(self, bean: str, operation: str, arguments: Iterable[list[Any]]) -> list[Any]:
        """The result of a read-only operation for each list of arguments; None for a failed call."""
        return self._asked(
            [{"type": "exec", "mbean": bean, "operation": operation, "arguments": each} for each in arguments]
        )

    def _asked(self, questions: list[dict[str, Any]]) -> list[Any]:
        found: list[Any] = []
        for start in range(0, len(questions), AT_ONCE):
            part = questions[start : start + AT_ONCE]
            answers = self._http.post(f"{self._path}/", part)
            if not isinstance(answers, list) or len(answers) != len(part):
                raise BadInput(f"expected answers of Jolokia at {self._http.address}{self._path}", field="--broker")
            found += [answer.get("value") if answer.get("status") == 200 else None for answer in answers]
        return found


def properties(bean: str) -> dict[str, str]:
    """The properties of a bean's name, without quotes."""
    return {key: value.strip('"') for key, value in PROPERTY.findall(bean.partition(":")[2])}
