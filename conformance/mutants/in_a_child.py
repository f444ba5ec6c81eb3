"""Runs tasks in forked children, so that their changes vanish with the child."""

import multiprocessing
import resource
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from tidegate.record.errors import TidegateError

Name = TypeVar("Name")
Answer = TypeVar("Answer")

MOST_SECONDS = 20
"""The processor seconds after which a task counts as endless."""
FORK = multiprocessing.get_context("fork")


class DidNotEnd(Generic[Answer]):
    """A task that used up its processor time."""


def in_children(
    tasks: Iterable[tuple[Name, Callable[[], Answer]]], at_once: int, most_seconds: int = MOST_SECONDS
) -> Iterator[tuple[Name, Answer | DidNotEnd[Answer]]]:
    """Each task's name with its answer, in order of completion; `at_once` children run, with `most_seconds` of
    processor each.

    Raises TidegateError if a child ends without an answer for any reason but its time.
    """
    running: dict[Connection, tuple[Name, BaseProcess]] = {}
    waiting = iter(tasks)
    try:
        while True:
            while len(running) < at_once and (task := next(waiting, None)) is not None:
                name, work = task
                ours, theirs = FORK.Pipe(duplex=False)
                child: BaseProcess = FORK.Process(target=_work, args=(work, theirs, most_seconds))
                child.start()
                theirs.close()
                running[ours] = (name, child)
            if not running:
                return
            for pipe in wait(list(running)):
                assert isinstance(pipe, Connection)
                name, child = running.pop(pipe)
                yield name, _answer(name, pipe, child)
    finally:
        # nobody wants the answers of those that still run, and the end of this process would wait for them
        for _, child in running.values():
            child.kill()


def _work(work: Callable[[], Answer], pipe: Connection, most_seconds: int) -> None:
    # Ctrl-C reaches every process of the terminal; the parent ends its children
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds + 5))
    pipe.send(work())


def _answer(name: Name, pipe: Connection, child: BaseProcess) -> Answer | DidNotEnd[Answer]:
    try:
        answer: Answer = pipe.recv()
    except EOFError:
        child.join()
        if child.exitcode == -signal.SIGXCPU:
            return DidNotEnd()
        raise TidegateError(f"the process for {name} ended with {child.exitcode} and without an answer") from None
    child.join()
    return answer
