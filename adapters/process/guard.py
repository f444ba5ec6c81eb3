"""A small process that owns a server and ends it as soon as the run that asked for it has ended.

`python -m tidegate.adapters.process.guard FOLDER LOG COMMAND…` starts the command with its output in LOG,
prints its process id, and waits. The run holds the other end of the guard's stdin: when it writes `STOP` there, or has
ended, the guard ends the server and all processes below it, prints the exit code, and ends. A run that ended without
`STOP` cannot clean up: the guard then removes FOLDER, unless that is the empty text.

Processes that the server leaves behind become the guard's own children, even in a session of their own. On Linux the
guard asks the system for that; elsewhere only the server's session and its children are known.
"""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil

STOP = "stop"
LOOK_SECONDS = 0.05
GRACE_SECONDS = 3.0
ROUNDS = 3
PR_SET_CHILD_SUBREAPER = 36


def guard(folder: Path | None, log: Path, command: list[str], pipes: tuple[int, int] | None = None) -> int:
    """Run `command` until it ends, or stdin has a word or is closed; its exit code, or 127 if it could not be started.

    With `pipes` these are its stdin and stdout, which no other process here holds, and only its stderr goes to `log`.
    """
    with log.open("ab") as output:
        try:
            server = subprocess.Popen(
                command,
                stdin=pipes[0] if pipes else subprocess.DEVNULL,
                stdout=pipes[1] if pipes else output,
                stderr=output if pipes else subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            output.write(f"{command[0]} could not be started: {error}\n".encode())
            return 127
        finally:
            for pipe in pipes or ():
                os.close(pipe)
    said: bytes | None = None
    try:
        _say(f"started {server.pid}")
        while server.poll() is None and said is None:
            said = _said()
    finally:
        end_tree(server.pid)
    if said == b"" and folder is not None:
        _remove(folder)
    return server.wait()


def end_tree(pid: int) -> None:
    """End a process and all processes below it: by SIGTERM first, killed after `GRACE_SECONDS`.

    For the leader of a session this includes the processes it left behind in the session when it ended by itself.
    """
    family = _family(pid)
    for process in family:
        _unless_gone(process.terminate)
    psutil.wait_procs(family, timeout=GRACE_SECONDS)
    for _ in range(ROUNDS):
        if not (left := _family(pid)):  # a process may have started others while it was ended
            return
        for process in left:
            _unless_gone(process.kill)
        psutil.wait_procs(left, timeout=GRACE_SECONDS)


def _family(pid: int) -> list[psutil.Process]:
    """A process, its session, and all processes below it or below this guard, as far as they still run."""
    family = [process for process in psutil.process_iter() if _in_session(process.pid, pid)]
    for root in (pid, os.getpid()):
        try:
            family += psutil.Process(root).children(recursive=True)
            family += [psutil.Process(pid)]
        except psutil.NoSuchProcess:
            continue  # only the processes it left behind are there
    return [process for process in dict.fromkeys(family) if _runs(process)]


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def adopt() -> None:
    """Become the parent of processes left behind below this process, where the system supports that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _in_session(pid: int, session: int) -> bool:
    try:
        return os.getsid(pid) == session
    except ProcessLookupError:
        return False


def _unless_gone(end: Callable[[], None]) -> None:
    try:
        end()
    except psutil.NoSuchProcess:
        return  # it ended by itself before the order


def _said() -> bytes | None:
    """The bytes from the run within `LOOK_SECONDS`: None if nothing came, empty if the run has ended."""
    stdin = sys.stdin.fileno()
    readable, _, _ = select.select([stdin], [], [], LOOK_SECONDS)
    return os.read(stdin, 1024) if readable else None


def _remove(folder: Path) -> None:
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return  # a run that was ended, but not killed, is removing it itself at its exit


def _say(line: str) -> None:
    try:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        return  # the reader is gone: its end of stdin is closed too, which ends the server


def _outlive(number: int, frame: object) -> None:
    """Do nothing: a signal that ends the run must not end the guard before the server.

    The server does not inherit a handler, as it would inherit an ignored signal, and SIGTERM is to end the server.
    """


def main(folder: str, log: str, command: list[str], pipes: tuple[int, int] | None = None) -> None:
    """The main function of the process; it takes the arguments of the command line."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _outlive)
    adopt()
    _say(f"ended {guard(Path(folder) if folder else None, Path(log), command, pipes)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
