"""A small process that owns a server and ends it as soon as the run that asked for it is gone.

`python -m tidegate.adapters.process.guard FOLDER LOG COMMAND…` starts the command with its output in LOG,
prints its process id, and waits. The run holds the other end of the guard's stdin: when it says `STOP` there,
or is gone, the guard ends the server and all below it, prints the exit code, and ends. Of a run that is gone
without a word nobody is left to clear up: the guard then removes FOLDER, unless that is empty text.

What the server leaves behind becomes the guard's own child, also where it made itself a session of its own. On Linux
the guard asks the system for that; elsewhere only the server's session and its children are known.
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
    """Run `command` until it ends, or stdin says or is no more; its exit code, or 127 if it could not be started.

    With `pipes` these are its stdin and stdout, held by nobody else here, and only its stderr goes to `log`.
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
    """End a process and all below it: asked first, killed after `GRACE_SECONDS`.

    Of one that leads a session this holds too for what it left behind there when it ended by itself.
    """
    family = _family(pid)
    for process in family:
        _unless_gone(process.terminate)
    psutil.wait_procs(family, timeout=GRACE_SECONDS)
    for _ in range(ROUNDS):
        if not (left := _family(pid)):  # one that is ended may have started others meanwhile
            return
        for process in left:
            _unless_gone(process.kill)
        psutil.wait_procs(left, timeout=GRACE_SECONDS)


def _family(pid: int) -> list[psutil.Process]:
    """A process, its session, and all below it or below this guard, as far as they still run."""
    family = [process for process in psutil.process_iter() if _in_session(process.pid, pid)]
    for root in (pid, os.getpid()):
        try:
            family += psutil.Process(root).children(recursive=True)
            family += [psutil.Process(pid)]
        except psutil.NoSuchProcess:
            continue  # what it left behind is all that there is
    return [process for process in dict.fromkeys(family) if _runs(process)]


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def adopt() -> None:
    """Become the parent of whatever is left behind below this process, where the system can be asked for that."""
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
        return  # it ended by itself between the look and the order


def _said() -> bytes | None:
    """What the run said in `LOOK_SECONDS`: None is nothing, empty is that it is gone."""
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
        return  # nobody listens any more: stdin is closed too, and that is what ends the server


def _outlive(number: int, frame: object) -> None:
    """What ends the run by a signal must not end the guard before the server.

    A handler, unlike ignoring the signal, is not passed on to the server, which is asked to end by SIGTERM.
    """


def main(folder: str, log: str, command: list[str], pipes: tuple[int, int] | None = None) -> None:
    """What the process does; the arguments are those of its command line."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _outlive)
    adopt()
    _say(f"ended {guard(Path(folder) if folder else None, Path(log), command, pipes)}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
