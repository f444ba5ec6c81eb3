"""One session with a program: writes requests, reads their responses, and raises an error for anything else."""

import json
import time
from collections.abc import Mapping
from typing import Any, BinaryIO, NoReturn

from pydantic import BaseModel, ValidationError

from tidegate.adapters.base import AdapterError, Unsupported
from tidegate.adapters.errors import ConnectionLost, Failed, NoAnswer, Refused
from tidegate.adapters.stdio.errors import NotTheProtocol
from tidegate.adapters.stdio.messages import AnyErrorResponse, ErrorResponse, ProgramError, Trouble
from tidegate.adapters.stdio.program import Gone, Program
from tidegate.adapters.stdio.verbs import Verb
from tidegate.record.errors import TidegateError

QUOTED_CHARACTERS = 200
ERRORS: Mapping[Trouble, type[AdapterError]] = {
    Trouble.UNSUPPORTED: Unsupported,
    Trouble.REFUSED: Refused,
    Trouble.FAILED: Failed,
}


class Session:
    """Sends one request at a time. With `validate` each line must match the schema exactly."""

    def __init__(self, program: Program, *, validate: bool = False, kept: BinaryIO | None = None):
        """`kept` gets a copy of all lines: `>` before a line of tidegate, `<` before a line of the program."""
        self._program = program
        self._validate = validate
        self._kept = kept
        self._asked = 0
        self._lines_read = 0
        self._given_up: dict[int, str] = {}
        """Requests whose response may still come: the verb by the request's number."""
        self._hung = 0
        """The number of the request that the program did not answer in time; 0 for none."""

    @property
    def hangs(self) -> bool:
        """Whether a request that was not answered in time still has no answer."""
        return self._hung in self._given_up

    def ask(self, verb: Verb, arguments: Mapping[str, Any], within_ms: int) -> Any:
        """The answer of the program. Raises an `AdapterError` if there is none:

        `Unsupported`, `Refused` or `Failed` if the program answers with this error, `NotTheProtocol` if it wrote
        something else, `NoAnswer` if nothing came in time, `ConnectionLost` if it ended.
        """
        if self.hangs:
            self._look_for_the_late_response(verb)
        self._asked += 1
        self._given_up[self._asked] = verb.name
        self._write(verb, arguments)
        response = self._response(verb, within_ms)
        del self._given_up[self._asked]
        return self._answer(verb, response)

    def _write(self, verb: Verb, arguments: Mapping[str, Any]) -> None:
        request = verb.request(id=self._asked, verb=verb.name, **arguments)
        line = request.model_dump_json(exclude_defaults=True).encode()
        self._keep(b"> ", line)
        if self._validate:
            try:
                verb.request.model_validate_json(line)
            except ValidationError as error:
                raise TidegateError(f"tidegate wrote line {self._asked}, {_quoted(line)}: {_first(error)}") from None
        self._program.write(line)

    def _response(self, verb: Verb, within_ms: int) -> bytes:
        """The line that responds to the last request; late responses to earlier requests are skipped."""
        deadline = time.monotonic() + within_ms / 1000
        while True:
            left_ms = max(0, round((deadline - time.monotonic()) * 1000))
            line = self._read(verb, left_ms)
            if line is None:
                self._hung = self._asked
                raise NoAnswer(f"the program did not answer {verb.name!r} within {within_ms} ms{self._half_a_line()}")
            answered = self._id_of(line)
            if answered == self._asked:
                return line
            if self._given_up.pop(answered, None) is None:
                self._refuse(
                    f"expected the response to request {self._asked} ({verb.name!r}), not to request {answered}", line
                )

    def _look_for_the_late_response(self, verb: Verb) -> None:
        while self.hangs:
            line = self._read(verb, 0)
            if line is None:
                raise NoAnswer(
                    f"the program still has not answered {self._given_up[self._hung]!r}, so it was not asked for "
                    f"{verb.name!r}{self._half_a_line()}"
                )
            self._given_up.pop(self._id_of(line), None)

    def _read(self, verb: Verb, within_ms: int) -> bytes | None:
        try:
            line = self._program.read(within_ms)
        except Gone as gone:
            raise ConnectionLost(f"{gone} when it was asked for {verb.name!r}: {self._program.last_words}") from None
        if line is not None:
            self._lines_read += 1
            self._keep(b"< ", line)
        return line

    def _id_of(self, line: bytes) -> int:
        try:
            content = json.loads(line, object_pairs_hook=_fields, parse_constant=_no_constant)
        except _Ambiguous as error:
            self._refuse(str(error), line)
        except (ValueError, RecursionError):  # RecursionError: too deeply nested brackets
            self._refuse("expected nothing but responses, in JSON, on its stdout", line)
        if not isinstance(content, dict):
            self._refuse("expected one JSON object a line", line)
        answered = content.get("id")
        if not isinstance(answered, int) or isinstance(answered, bool):
            self._refuse("field 'id': expected the number of a request", line)
        return answered

    def _answer(self, verb: Verb, line: bytes) -> Any:
        told = json.loads(line).get("error") is not None
        if self._validate:
            model = ErrorResponse if told else verb.response
        else:
            model = AnyErrorResponse if told else verb.any_response
        response: Any = self._parsed(model, line)
        if told:
            error: ProgramError = response.error
            raise ERRORS[error.kind](f"the program answered {verb.name!r} with {error.kind}: {error.message}")
        return response.answer

    def _parsed(self, model: type[BaseModel], line: bytes) -> BaseModel:
        try:
            return model.model_validate_json(line)
        except ValidationError as error:
            self._refuse(_first(error), line)

    def _refuse(self, why: str, line: bytes) -> NoReturn:
        raise NotTheProtocol(f"line {self._lines_read} that the program wrote, {_quoted(line)}: {why}")

    def _half_a_line(self) -> str:
        if not self._program.unfinished:
            return "; a response must end with a line break and be flushed"
        return f"; it wrote {_quoted(self._program.unfinished.encode())} without a line break"

    def _keep(self, sign: bytes, line: bytes) -> None:
        if self._kept is not None:
            self._kept.write(sign + line + b"\n")
            self._kept.flush()


class _Ambiguous(ValueError):
    """Text that only some parsers accept as JSON, or that parsers read differently."""


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Ambiguous(f"field {twice!r}: expected once in an object, found {names.count(twice)} times")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _Ambiguous(f"expected a number as JSON has it, not {name}")


def _quoted(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= QUOTED_CHARACTERS else text[:QUOTED_CHARACTERS] + "…")


def _first(error: ValidationError) -> str:
    """The first error, with its field."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    missing = first["type"] == "missing"
    return f"field {field!r}: {first['msg']}" + ("" if missing else f", got {first['input']!r}")
