"""Runs a program for an adapter: its start, the handshake, the verbs that it may be asked, its end."""

import difflib
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Concatenate, ParamSpec, TypeVar

from tidegate.adapters.base import Adapter, AdapterError, fault_of
from tidegate.adapters.capabilities import CAPABILITIES
from tidegate.adapters.stdio.messages import PROTOCOL_VERSION, Handshake
from tidegate.adapters.stdio.program import Program
from tidegate.adapters.stdio.session import Session
from tidegate.adapters.stdio.settings import Settings
from tidegate.adapters.stdio.verbs import START, STOP, VERBS
from tidegate.record.errors import BadInput, Unavailable

START_MS = 60_000
STOP_MS = 5_000
"""The time for a program to answer `stop`, and then the same time again to end."""
LONGEST_MS = 3_600_000
"""The longest time for which a program with a real clock is given time to sleep; a virtual clock jumps further."""

Answer = TypeVar("Answer")
Arguments = ParamSpec("Arguments")


class Driver:
    """Runs one program at a time; it can be started again."""

    def __init__(self, command: Sequence[str], settings: Settings):
        self.command = tuple(command)
        """The program and its arguments."""
        self.name = f"cmd:{shlex.join(command)}"
        self.folder = Path()
        """A temporary folder that is removed when the program stops."""
        self._settings = settings
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._kept: BinaryIO | None = None
        self._program: Program | None = None
        self._session: Session | None = None
        self._capabilities: frozenset[str] | None = None

    def look_for_the_program(self) -> None:
        """Raise BadInput if the program is not there, or is nothing that can be run."""
        program = self.command[0]
        if shutil.which(program) is not None:
            return
        if Path(program).is_dir():
            raise BadInput(f"adapter {self.name!r}: {program!r} is a folder, not a program")
        if Path(program).is_file() and os.sep in program:
            raise BadInput(f"adapter {self.name!r}: the file {program!r} may not be run; chmod +x allows it")
        raise BadInput(f"adapter {self.name!r}: there is no program {program!r}")

    def start(self) -> Handshake:
        """Start the program; its handshake.

        `BadInput` if it cannot be started or does not speak this protocol, `Unavailable` if its `start` fails.
        """
        self.look_for_the_program()
        self._temporary = tempfile.TemporaryDirectory(prefix="tidegate-")
        self.folder = Path(self._temporary.name)
        stderr = self.folder / "stderr.txt"
        if self._settings.folder is not None:
            stderr = self._keep_the_session(self._settings.folder)
        try:
            self._program = Program(self.command, stderr, folder=self.folder)
        except BadInput as error:
            raise BadInput(f"adapter {self.name!r}: {error}") from None
        self._session = Session(self._program, validate=self._settings.validate, kept=self._kept)
        try:
            handshake: Handshake = self._session.ask(VERBS[START], {"protocol": PROTOCOL_VERSION}, START_MS)
        except AdapterError as error:
            raise Unavailable(f"adapter {self.name!r} could not be started: {error}") from error
        self._check(handshake)
        self._capabilities = handshake.capabilities
        return handshake

    def stop(self) -> None:
        """Tell the program to stop, and end it and all its processes. Stopping twice is harmless."""
        if self._program is not None:
            willing = self._session is not None and not self._session.hangs
            if self._session is not None and willing and self._program.running:
                self._say_stop(self._session)
            self._program.end(STOP_MS if willing else 0)
        self._program = self._session = None
        if self._kept is not None:
            self._kept.close()
            self._kept = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def claims(self, verb: str) -> bool:
        """Whether the program has the verb: it needs no capability, or one that the program claims."""
        needed = VERBS[verb].capabilities
        return not needed or not (self._capabilities or frozenset()).isdisjoint(needed)

    def ask(
        self,
        verb: Callable[Concatenate[Any, Arguments], Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """The program's answer to a verb of the contract. `AdapterError` if there is none."""
        asked = VERBS[verb.__name__]
        if self._session is None:
            raise AdapterError("the program is not running")
        if not self.claims(asked.name):
            needed = " or ".join(asked.capabilities)
            raise AdapterError(f"the program does not claim {needed}, so it has no {asked.name!r}")
        by_name: dict[str, Any] = dict(zip(asked.parameters, arguments, strict=False)) | named
        within_ms = self._settings.timeout_ms
        if asked.name == Adapter.advance.__name__:
            within_ms += min(by_name["ms"], LONGEST_MS)
        answer: Answer = self._session.ask(asked, by_name, within_ms)
        return answer

    def _keep_the_session(self, folder: Path) -> Path:
        """Open the files that are kept after the program, empty at its first start; the path of its stderr."""
        folder.mkdir(parents=True, exist_ok=True)
        again = self._capabilities is not None
        self._kept = (folder / "session.txt").open("ab" if again else "wb")
        stderr = folder / "stderr.txt"
        if not again:
            stderr.unlink(missing_ok=True)
        return stderr

    def _check(self, handshake: Handshake) -> None:
        if handshake.protocol != PROTOCOL_VERSION:
            raise BadInput(
                f"adapter {self.name!r} speaks version {handshake.protocol} of the protocol; "
                f"tidegate speaks version {PROTOCOL_VERSION}"
            )
        if fault := fault_of(handshake.identity, handshake.parameters):
            raise BadInput(f"adapter {self.name!r}: field '{fault[0]}' of its handshake: {fault[1]}")
        for unknown in sorted(handshake.capabilities - CAPABILITIES):
            near = difflib.get_close_matches(unknown, CAPABILITIES, n=1)
            hint = f"; did it mean {near[0]!r}?" if near else ""
            raise BadInput(f"adapter {self.name!r} claims {unknown!r}, which is no capability{hint}")
        if self._capabilities is not None and self._capabilities != handshake.capabilities:
            raise AdapterError("the program was started again and claims other capabilities than before")

    @staticmethod
    def _say_stop(session: Session) -> None:
        try:
            session.ask(VERBS[STOP], {}, STOP_MS)
        except AdapterError:
            return  # the program is ended next in any case, and no verdict depends on this answer
