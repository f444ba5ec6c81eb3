"""Turns thread dumps in JSON into the lines of a dump: Spring Boot's /threaddump, Jolokia, `jcmd Thread.dump_to_file`.

A dump may be one line, of which the end may be missing, or JSON over many lines. A stack whose frames a collector put
into one line is turned into lines too.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

ONE_LINE = ('"methodName"', '"className"')
"""A line with both is a dump, or a part of it; a record of a log has no frames."""
OF_JCMD = '"threadDump"'
SIGNS = ('"threadName"', '"threadState"', '"methodName"', '"className"', OF_JCMD)
IN_ONE_LINE = re.compile(r"\s+at (?=[\w.$@/<>`+]{3,300}(?:\[[^\[\]]{1,200}\])?\()")
"""What stands in front of each frame of a stack in one line."""
LEAST_FRAMES = 2
PART = re.compile(
    r"\"(?P<key>threadName|threadState|methodName|className|name)\"\s*:\s*\"(?P<value>(?:[^\"\\]|\\.){0,300})\""
    r"|\"(?P<frame>(?:[\w.@-]+/)*(?:[\w$]+\.){2,}[\w$<>]+\([^\"]{0,300}\))\""
)


def with_stacks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Numbered lines; the threads of a dump in JSON become the lines of a dump, with the number of their line."""
    parts = _Parts()
    for number, line in lines:
        if not parts.of_jcmd and not any(map(line.__contains__, SIGNS)):
            yield from ((number, text) for text in _unfolded(line))
            continue
        whole = all(sign in line for sign in ONE_LINE) or (OF_JCMD in line and "}" in line)
        if not whole:
            yield number, line
        found = _whole(line) if whole else None
        yield from ((number, text) for text in (found if found is not None else parts.lines(line)))


class _Parts:
    """Reads the fields of a dump one by one, for a dump over many lines, or one without its end."""

    def __init__(self) -> None:
        self.of_jcmd = False
        self._frame: dict[str, str] = {}

    def lines(self, text: str) -> Iterator[str]:
        """The lines of a dump that these fields make."""
        self.of_jcmd = self.of_jcmd or OF_JCMD in text
        for found in PART.finditer(text):
            key, value = found["key"], found["value"]
            if found["frame"] is not None:
                if self.of_jcmd:
                    yield f"\tat {found['frame']}"
            elif key == "threadName" or (key == "name" and self.of_jcmd):
                self._frame = {}
                yield from _head(value)
            elif key == "threadState":
                yield _state(value)
            elif key in ("methodName", "className"):
                self._frame[key] = value
                if len(self._frame) > 1:
                    yield f"\tat {self._frame['className']}.{self._frame['methodName']}()"
                    self._frame = {}


def _unfolded(line: str) -> list[str]:
    """The lines of a stack that is in one line: what is in front of it, and its frames."""
    if " at " not in line or "{" in line:
        return [line]
    front, *frames = IN_ONE_LINE.split(line)
    if len(frames) < LEAST_FRAMES or not front.strip():
        return [line]
    return [front, *(f"\tat {frame}" for frame in frames)]


def _whole(line: str) -> list[str] | None:
    """The lines of a dump that is complete; None if the line is no whole JSON."""
    begin = min((place for place in map(line.find, "[{") if place >= 0), default=0)
    try:
        return [*_threads(json.loads(line[begin:]))]
    except (ValueError, RecursionError):
        return None


def _threads(value: Any) -> Iterator[str]:
    """The lines of each thread in a JSON value, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from _threads(each)
    if not isinstance(value, dict):
        return
    frames = value.get("stackTrace", value.get("stack"))
    name = value.get("threadName", value.get("name"))
    if isinstance(frames, list) and isinstance(name, str):
        yield from _head(name)
        yield from (_state(state) for state in (value.get("threadState"),) if isinstance(state, str))
        for frame in frames:
            if isinstance(frame, str):
                yield f"\tat {frame}"
            elif isinstance(frame, dict):
                yield f"\tat {frame.get('className', '')}.{frame.get('methodName', '')}()"
        yield ""
        return
    for each in value.values():
        yield from _threads(each)


def _head(name: str) -> tuple[str, str]:
    return "", f'"{name}" Id=0'


def _state(state: str) -> str:
    return f"   java.lang.Thread.State: {state}"
