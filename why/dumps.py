"""Reads thread dumps: which threads wait in a send, and for what.

Dumps of the JVM (jstack, jcmd, kill -3, VisualVM, OpenJ9), and of Go, Python and C++ (`runtimes.py`).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from tidegate.why import runtimes
from tidegate.why.notices import Blocked, Cause, Released, Said
from tidegate.why.other_waits import OTHER_WAITS
from tidegate.why.times import Stamp
from tidegate.why.waits import OF_ANOTHER, OF_EACH_OTHER, WAITS

HEADER = re.compile(
    r"\"(?P<name>[^\"]{1,200})\".{0,300}?(?:\b(?:tid|nid|Id|prio)=|J9VMThread|\s\[0x| - Thread t@)"
    r"|^Name: (?P<other>.{1,200})$"
)
BARE = re.compile(r"\s*\"(?P<name>[^\"]{1,200})\"[^=]{0,40}")
"""A name alone in the line in front of a thread's state."""
WATCHED = re.compile(
    r"Thread Thread\[(?:#\d+,)?(?P<name>[^,\[\]]{1,200}),[^\[\]]*\].{0,300}? has been blocked for (?P<ms>\d+) ms"
    r"|Thread \[(?P<tomcat>[^\[\]]{1,200})\] \(id=\[\d+\]\) has been active for \[(?P<active>[\d,.]+)\] milliseconds"
    r"|WSVR0605W: [^\"]{0,40}\"(?P<websphere>[^\"]{1,200})\" \([0-9a-f]{1,16}\).{0,60}? (?P<for>[\d,.]+) milli"
    r"|\[STUCK\] ExecuteThread: '(?P<weblogic>[^']{1,60})' for queue.{0,200}? has been busy for "
    r"\"(?P<busy>\d+)\" seconds"
)
"""Reports of a thread that takes too long, with the time and followed by its stack: Vert.x, Tomcat, WebSphere,
WebLogic."""
FRAME = re.compile(
    r"(?:^|[\s|\"])(?:at |4XESTACKTRACE\s+at )?(?:[\w.@-]*/)*?(?P<frame>(?:[\w$`]+[./]){2,}[\w$<>`]+)\([^()]{0,200}\)?"
)
STATE = re.compile(r"Thread\.State: (?P<state>[A-Z_]+)|^State: (?P<other>[A-Z_]+)|3XMTHREADINFO.*state:(?P<j9>\w+)")
NEW = re.compile(r"Full thread dump|0SECTION\s+TITLE|Threads class SMR info")
PARKED = (
    "Unsafe.park",
    "Object.wait",
    "Object.wait0",
    "LockSupport.park",
    "Thread.sleep",
    "socketWrite0",
    "Net.poll",
    "SocketDispatcher.write0",
    "Util.BlockingCell.GetValue",
    "Util.BlockingCell`1.WaitForValue",
    "runtime.gopark",
    "WaitableQueue.pop",
    "bunny.channel.pop",
    "bunny.channel.wait_for_confirms",
    "bunny.concurrent.continuation_queue.poll",
)
"""Frames in which a thread waits. A stack without a name begins with one of them, or its thread does not wait."""
NO_NAME = "a thread"
GAVE_UP = re.compile(
    r"(?:^|[\s:])java\.(?:util\.concurrent\.TimeoutException|lang\.InterruptedException|io\.InterruptedIOException)"
    r"(?::|\s*$)|(?:^|[\s:>])System\.(?:Threading\.Tasks\.TaskCanceled|OperationCanceled|Timeout)Exception: "
    r"|(?:^|\s)(?:Exception )?Message: The operation has timed out\b"
    r"|\bAMQP\w{0,20}Exception: Library error: .{0,80}\btimed out\b"
    r"|\bNMS\.RequestTimedOutException: |\bAMQPTimeoutException(?:\(|: )|: (?:.{0,200} \()?Timeout::Error\b"
)
"""The head of an exception that ends a wait; its stack tells which wait."""
OF_GAVE_UP = ("Exception", "timed out", "Timeout::Error")
"""The head of each exception has one of these texts."""
THROWN = re.compile(
    r"(?:^|[\s:>(])(?:[\w$]{1,60}\.){1,12}[\w$]{0,80}(?:Exception|Error)(?:: (?!Thread blocked)|:?\s*$)"
)
"""The head of an exception that was thrown: the stack behind it is of a call that failed, such as a write to a closed
connection. The exception that Vert.x writes about a blocked thread was not thrown."""
NAME_OF_GAVE_UP = "a thread that gave up"
GOES_ON = re.compile(r"\s+(?:at |- |\.\.\. |from |\d+: from )|\s*Caused by: |#\d|\[stacktrace\]|Stack trace:|\s*--- ")
"""A line within the stack of an exception."""
NUMBERED = "#"
"""What stands in front of frames of gdb and PHP, whose paths look like frames of the JVM."""
FIGURE = re.compile(r"\d")
LONGEST_FRAME = 500
"""The number of characters read of a frame."""
DEADLOCK = "Java-level deadlock"
HELD = re.compile(r"^\"(?P<name>[^\"]{1,200})\":\s*$")
"""A thread among those of a deadlock, which the JVM lists behind the stacks."""
LOCK = re.compile(
    r"\s*- (?P<how>locked|waiting to lock|waiting to re-lock in wait\(\)|parking to wait for)?\s{0,3}"
    r"<(?P<lock>0x[0-9a-f]{1,16})>|.{0,200}\b(?:owned by|held by) \"(?P<owner>[^\"]{1,200})\""
)
"""A line of a stack about a lock that its thread holds or waits for; in a list of locks, only the lock."""
IN_WAIT = ("Object.wait", "Object.wait0")
SECOND = 2
HELD_TEXTS = ("reason", "frees", "change", "ask")
"""The texts of a cause that name the thread which holds a lock."""
SIGNS = frozenset(
    (
        "Full thread dump",
        "Thread.State: ",
        "SMR info",
        "0SECTION",
        "tid=",
        "nid=",
        "Id=",
        "prio=",
        "J9VMThread",
        "Thread t@",
        " [0x",
        "Name: ",
        "has been blocked for",
        "has been active for",
        "has been busy for",
        "WSVR0605W",
        *PARKED,
        *runtimes.SIGNS,
        "TimeoutException",
        "CanceledException",
        "RequestTimedOutException",
        "Timeout::Error",
        "Library error: ",
        "#0  ",
        DEADLOCK,
        "Message: The operation has timed out",
        "lang.InterruptedException",
        "io.InterruptedIOException",
    )
)
"""One of these is in each line that begins a dump or the stack of a thread."""


@dataclass
class _Thread:
    name: str
    line: int
    state: str = ""
    seconds: int = 0
    """The time, in s, that the thread had taken when its stack was written; 0 if not told."""
    frames: list[str] = field(default_factory=list)
    wants: str = ""
    """The lock for which the thread waits, or the name of the thread that holds it."""
    is_over: bool = False
    """Whether the exception at the end of a traceback was read."""
    of_console: bool = False
    """Whether a console such as JConsole shows the stack, with an empty line in front of it."""


def _method(part: str) -> str:
    """The last name of a frame."""
    return part[part.rfind(".") + 1 :]


SOUGHT = tuple((wait, frozenset(map(_method, wait.frames))) for wait in (*WAITS, *OTHER_WAITS))
"""Each wait with the methods of its frames, by which almost all waits are ruled out quickly."""


def waits_for(frames: list[str], state: str = "") -> Cause | None:
    """The cause for which the thread of this stack waits, innermost frame first; None if the thread waits in no
    send."""
    methods = set(map(_method, frames))
    for wait, sought in SOUGHT:
        if not sought <= methods or (state == "RUNNABLE" and not wait.runs):
            continue
        if any(frame.endswith(wait.unless) for frame in frames):
            continue
        if wait.enters and not (frames and frames[0].endswith(wait.frames[0])):
            continue
        if all(any(frame.endswith(part) for frame in frames) for part in wait.frames):
            return wait.cause
    return None


def _frame(text: str) -> str:
    """The frame in a line of any runtime; empty if there is none."""
    if "(" in text and not text.lstrip().startswith(NUMBERED):
        found = FRAME.search(text)
        if found is not None:
            return found["frame"].replace("/", ".")
    return runtimes.frame(text)


def _is_given_back(thread: _Thread) -> bool:
    """Whether a lock at this place of a stack is the one that the thread has given back while it is in Object.wait."""
    others = [frame for frame in thread.frames if not frame.endswith(IN_WAIT)]
    return len(others) < min(len(thread.frames), SECOND)


def _failed(head: str) -> bool:
    """Whether the stack behind this line is of a call that failed, and not of a thread that waits or gave up a wait."""
    return THROWN.search(head) is not None and GAVE_UP.search(head) is None


class Dumps:
    """Reads dumps line by line. `time` is the time of the current dump."""

    def __init__(self) -> None:
        self.time: Stamp | None = None
        self._thread: _Thread | None = None
        self._deadlock = False
        self._after_blank = False
        self._front = ""
        self._waits: dict[str, Cause] = {}
        self._waited: dict[str, Cause] = {}
        self._holders: dict[str, str] = {}
        self._wanting: list[_Thread] = []

    def may_tell(self, signs: frozenset[str]) -> bool:
        """Whether a line with these signs may belong to a dump."""
        return self._thread is not None or self._deadlock or not signs.isdisjoint(SIGNS)

    def fed(
        self, text: str, count: int, time: Callable[[], Stamp | None], own: Callable[[], Stamp | None], before: str = ""
    ) -> Iterator[tuple[int, Said]]:
        """The statements that follow from this line, each with the number of the line that tells it.

        `time` gives the time of the nearest earlier line that has one; `own` gives the time of this line. `before` is
        the line in front.
        """
        text = self._without_front(runtimes.plain(text))
        if self._thread is not None and self._thread.is_over:
            yield from self._finished(count)
        if DEADLOCK in text:
            yield from self._finished(count)
            self._deadlock = True
            return
        if NEW.search(text) is not None:
            yield from self._finished(count)
            self._deadlock = False
            if "SMR" not in text:
                yield from self._held_by_another()
                yield from self._gone(count)
                self._waited, self._waits = self._waits, {}
                self.time = time()
            return
        if self._deadlock:
            yield from self._held_by_each_other(text, count)
            return
        if not text.strip():
            self._after_blank = True
            return
        after_blank, self._after_blank = self._after_blank, False
        if after_blank and not self._goes_on(text):
            yield from self._finished(count)
        headed = False
        if ('"' in text and not text.lstrip().startswith("- ")) or text.startswith("Name: "):
            found = HEADER.search(text)
            headed = found is not None
            if found is not None:
                yield from self._finished(count)
                self.time = self.time or time()
                console = found["other"] is not None
                self._thread = _Thread(f"thread {found['name'] or found['other']}", count, of_console=console)
                if (about := LOCK.match(text)) is not None:
                    self._locks(self._thread, about)
        found = WATCHED.search(text) if " has been " in text or "WSVR0605W" in text else None
        if found is not None:
            yield from self._finished(count)
            self.time = own() or time()
            name = found["name"] or found["tomcat"] or found["websphere"] or f"ExecuteThread {found['weblogic']}"
            ms = int(re.sub(r"\D", "", found["ms"] or found["active"] or found["for"] or "0"))
            self._thread = _Thread(f"thread {name}", count, seconds=ms // 1000 or int(found["busy"] or 0))
        if self._thread is not None and self._thread.name == NAME_OF_GAVE_UP and not GOES_ON.match(text):
            yield from self._finished(count)
        gave_up = any(map(text.__contains__, OF_GAVE_UP)) and GAVE_UP.search(text) is not None
        if gave_up and (self._thread is None or not GOES_ON.match(text)):
            yield from self._finished(count)
            self.time = own() or time()
            first = runtimes.frame(text[:LONGEST_FRAME])
            self._thread = _Thread(NAME_OF_GAVE_UP, count, frames=[first] if first else [])
            return
        other = runtimes.head(text) if not headed else None
        alone = other is not None and other.name == runtimes.NAME_OF_ONE
        if other is not None and not (alone and self._thread is not None and not self._thread.frames):
            yield from self._finished(count)
            of_program = other.name == runtimes.NAME_OF_TRACEBACK
            self._front = (runtimes.front_of_traceback(text) or "") if of_program else ""
            self.time = ((self._front and own()) or time()) if of_program else self.time or time()
            self._thread = _Thread(other.name, count, other.state, other.seconds)
        if other is not None and not alone:
            return
        if self._thread is not None and runtimes.ends(self._thread.name, text):
            self._thread.is_over = runtimes.ends_a_wait(text)
            if not self._thread.is_over:
                self._thread = None
            return
        found = STATE.search(text) if "tate: " in text or "state:" in text else None
        bare = BARE.fullmatch(before) if found is not None and "Thread.State: " in text else None
        if bare is not None and (self._thread is None or self._thread.name != f"thread {bare['name']}"):
            yield from self._finished(count)
            self.time = self.time or time()
            self._thread = _Thread(f"thread {bare['name']}", count)
        if found is not None and self._thread is not None:
            self._thread.state = found["state"] or found["other"] or found["j9"] or ""
        elif self._thread is not None and (about := LOCK.match(text)) is not None:
            self._locks(self._thread, about)
        elif frame := _frame(text[:LONGEST_FRAME]):
            if self._thread is None and frame.endswith(PARKED) and not _failed(before):
                self._thread = _Thread(NO_NAME, count)
            if self._thread is not None:
                self._thread.frames.append(frame)

    def _without_front(self, text: str) -> str:
        """A line of a traceback without the prefix that a log puts in front of each of its lines; only the figures of
        the prefix differ."""
        front = self._front if self._thread is not None else ""
        beside = text[: len(front)]
        return text[len(front) :] if front and FIGURE.sub("0", front) == FIGURE.sub("0", beside) else text

    def explained(self) -> None:
        """Another form told the exception at the end of a traceback, and it knows more of the wait than the stack."""
        if self._thread is not None and self._thread.name == runtimes.NAME_OF_TRACEBACK:
            self._thread = None

    def _goes_on(self, text: str) -> bool:
        """Whether a stack goes on behind an empty line, as on a page that puts one behind each line."""
        if self._thread is None or (self._thread.of_console and not self._thread.frames):
            return True
        frame = _frame(text[:LONGEST_FRAME])
        return frame != "" and not (self._thread.frames and frame.endswith(PARKED))

    def ended(self) -> Iterator[tuple[int, Said]]:
        """The statements that follow from the end of the file."""
        yield from self._finished(0)
        yield from self._held_by_another()
        yield from self._gone(0)

    def _locks(self, thread: _Thread, about: re.Match[str]) -> None:
        """Note a lock that a thread holds or waits for."""
        if about["owner"]:
            thread.wants = f"thread {about['owner']}"
        elif about["how"] in (None, "locked"):
            if not _is_given_back(thread):
                self._holders.setdefault(about["lock"], thread.name)
        else:
            thread.wants = about["lock"]

    def _holder(self, thread: _Thread) -> str:
        return self._holders.get(thread.wants, thread.wants)

    def _held_by_another(self) -> Iterator[tuple[int, Said]]:
        """The threads of a dump that wait for a lock of a thread that waits in a send, also over several threads."""
        wanting, self._wanting = self._wanting, []
        held = set(self._waits)
        while found := [one for one in wanting if one.name not in held and self._holder(one) in held]:
            for one in found:
                holder = self._holder(one)
                held.add(one.name)
                texts = {part: getattr(OF_ANOTHER, part).format(holder=holder) for part in HELD_TEXTS}
                cause = replace(OF_ANOTHER, **texts)
                self._waits[one.name] = cause
                yield one.line, Blocked(cause, "", one.name)
        self._holders = {}

    def _held_by_each_other(self, text: str, count: int) -> Iterator[tuple[int, Said]]:
        """A thread of a deadlock waits for another thread of its program, and not for the broker."""
        found = HELD.search(text)
        name = f"thread {found['name']}" if found is not None else ""
        cause = self._waits.pop(name, None)
        if cause is not None:
            yield count, Released((cause.family,), None, name, closes=True)
            yield count, Blocked(OF_EACH_OTHER, "", name)

    def _finished(self, count: int) -> Iterator[tuple[int, Said]]:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        cause = waits_for(thread.frames, thread.state)
        if thread.wants:
            self._wanting.append(thread)
        if cause is not None:
            if thread.name in (NAME_OF_GAVE_UP, runtimes.NAME_OF_TRACEBACK):
                cause = replace(cause, tells_release=False, gave_up=True)
            self._waits[thread.name] = cause
            yield thread.line, Blocked(cause, "", thread.name, seconds=thread.seconds)

    def _gone(self, count: int) -> Iterator[tuple[int, Said]]:
        """Releases of threads that waited in the previous dump and do not wait in this one."""
        for name, cause in self._waited.items():
            if self._waits.get(name) is not cause:
                yield count, Released((cause.family,), None, name)
