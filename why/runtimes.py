"""Reads stacks outside the JVM's own layout: heads, frames and ends.

Go (SIGQUIT, pprof, dlv), Python (py-spy, faulthandler, asyncio, a traceback), C++ and Rust (gdb, a backtrace), .NET
(dotnet-stack; clrstack and dumpasync of dotnet-dump), Ruby, PHP, and what jcmd, Eclipse and JMX tools write of the JVM.
"""

import re
from dataclasses import dataclass

from tidegate.why.prefixes import is_prefix

GOROUTINE = re.compile(
    r"^goroutine (?P<number>\d{1,12}) \[(?P<state>[^\[\],]{1,60})(?:, (?P<minutes>\d{1,7}) minutes)?"
)
GO_FRAME = re.compile(r"^(?P<frame>[\w./-]{1,300}?(?:\.\(\*\w{1,100}\))?\.\w{1,100})\(")
PPROF = re.compile(r"^(?P<count>\d{1,9}) @ 0x[0-9a-f]+")
"""The head of one stack of several goroutines in the text form of pprof."""
PPROF_FRAME = re.compile(
    r"^#\s+0x[0-9a-f]+\s+(?P<frame>[\w./-]{1,300}?(?:\.\(\*\w{1,100}\))?\.\w{1,100})\+0x[0-9a-f]+\s"
)
GO_RUNS = ("running", "runnable", "syscall")
"""States of a goroutine that does not wait."""
PYTHON = re.compile(
    r"^(?:Current t|T)hread (?P<number>\w{1,40}) (?:\[.{1,100}\] )?\(most recent call first\):"
    r"|^Thread (?P<id>\w{1,40}) \((?P<state>idle|active)[^()]{0,20}\): \"(?P<name>[^\"]{1,200})\""
)
TRACEBACK = re.compile(r"^(?P<front>\^C|(?:.{0,300}[^\w\"'`(])?)Traceback \(most recent call last\):\s*$")
"""The head of a traceback; a terminal shows the key that ended the program in front of it, a log its own prefix."""
PYTHON_FRAME = re.compile(
    r"^\s+File \"(?P<path>[^\"]{1,300})\", line \d{1,7},? in (?P<function>[\w<>]{1,200})"
    r"|^\s+(?P<py_spy>[\w<>]{1,200}) \((?P<file>[^():]{1,300}\.py):\d{1,7}\)"
)
WAITED = re.compile(r"^(?:\w+\.)*(?:KeyboardInterrupt|SystemExit|\w*[Tt]imeout(?:Error)?|\w*TimeLimitExceeded)\b")
"""The exceptions that end a traceback of a waiting program: a user or a time limit ended the wait."""
OF_GDB = re.compile(r"^Thread (?P<number>\d{1,7}) \((?:Thread 0x[0-9a-f]+|LWP|process) ?")
GDB_FRAME = re.compile(
    r"^#\d{1,4}\s+(?:0x[0-9a-f]{1,16} in )?(?P<frame>(?:\w+(?:<[^()]{0,200}>)?::)*~?\w+)(?:\[abi:\w+\])?"
    r"(?:@+\w[\w.]{0,40})?(?:<[^()]{0,200}>)? ?(?:const ?)?\("
)
OF_PSTACK = re.compile(r"^#0  (?:0x[0-9a-f]{1,16} in )?\w")
"""The innermost frame of a stack of gdb, which stands alone if there is one thread."""
OF_DOTNET = re.compile(r"^\s*(?:Thread \((?P<number>0x[0-9A-Fa-f]+)\):|OS Thread Id: (?P<id>0x[0-9A-Fa-f]+))")
DOTNET_FRAME = re.compile(
    r"^\s*(?:[\w.]{1,100}!|[0-9A-Fa-f]{8,16} [0-9A-Fa-f]{8,16} )(?P<frame>(?:[\w`+]+\.)+[\w`<>]+)\("
)
DLV = re.compile(r"^\(dlv\) (?:gr|goroutine) (?P<number>\d{1,12})\b")
DLV_FRAME = re.compile(r"^\s*\d{1,4}\s+0x[0-9a-f]{16} in (?P<frame>[\w./-]{1,300}?(?:\.\(\*\w{1,100}\))?\.\w{1,100})$")
OF_ASYNC = re.compile(r"^STACK (?P<number>\d{1,6})\s*$")
"""The head of a chain of tasks that wait for each other, the innermost first."""
ASYNC_FRAME = re.compile(
    r"^\s*[0-9a-f]{8,16} [0-9a-f]{8,16} \(-?\d{1,4}\) (?P<frame>(?:[\w`]+\.)+[\w`+]+\.\w+)(?=[\s`@\[]|$)"
)
STATE_MACHINE = re.compile(
    r"[+.](?:<>c\S{0,20}?\+)?<(?P<method>\w{1,100})>(?:d|g)__\w{1,40}(?:`\d{1,2})?(?:\.MoveNext)?"
)
"""What .NET makes of a method that waits asynchronously: `Class+<Method>d__12.MoveNext`."""
TYPE_ARGUMENTS = re.compile(r"\[[\w,.` +]{1,300}\](?=\()")
"""The types of a generic method of .NET, in front of its arguments."""
OF_JCMD = re.compile(
    r"^\s*#(?P<number>\d{1,9}) \"(?P<name>[^\"]{0,200})\"(?: virtual)?(?: (?P<state>[A-Z_]{3,20}))?\b(?!\S*=)"
)
"""A thread in the files of `jcmd Thread.dump_to_file`, virtual or not."""
OF_ECLIPSE = re.compile(r"^\s*(?:Daemon )?(?:System )?Thread \[(?P<name>[^\[\]]{1,200})\] \((?:Suspended|Stepping)")
ECLIPSE_FRAME = re.compile(r"^\s*(?P<frame>[\w$]+(?:<[^()]{0,100}>)?\.[\w$<>]+)\([^()]{0,400}\) line: ")
OF_JMX = re.compile(
    r"^(?P<name>.{1,200}?)[,:]? +(?:[-(\[] ?|state ?[=:] ?)?(?P<state>WAITING|TIMED_WAITING|BLOCKED|RUNNABLE)[)\]]?\s*$"
)
"""A thread with its state at the end of the line, as tools write what the thread bean of the JVM tells."""
RUBY_FRAME = re.compile(
    r"^\s*(?:from |\d{1,5}: from )?(?P<path>[\w./@+-]{1,300})\.rb:\d{1,7}:in [`'](?:block (?:\(\d+ levels\) )?in )?"
    r"(?:[\w:]+[#.])?(?P<function>[\w!?=<>]{1,100})'"
)
DOUBLED = "\\\\"
"""The separator of namespaces of PHP as JSON writes it."""
PHP_FRAME = re.compile(
    r"^\s*(?:PHP\s+)?#?\d{1,4}\.? (?:\S{1,300}\.php\(\d{1,7}\): )?(?P<class>\w{1,80}(?:\\{1,2}\w{1,80}){0,8})(?:->|::)"
    r"(?P<function>\w{1,100})\("
)
RUST_FRAME = re.compile(
    r"^\s*\d{1,4}:\s+(?:0x[0-9a-f]{1,16} - )?(?P<frame>\w+(?:::<?[\w<>{}# ]{1,200}?>?)+)(?:::h[0-9a-f]{16})?\s*$"
)
TASK = re.compile(r"^Stack for <Task pending (?:name='(?P<name>[^']{1,200})')?")
"""The head of the stack of a task of asyncio."""
SIGNS = (
    "(dlv) ",
    "STACK ",
    "] (Suspended",
    "Stack for <Task",
    "WAITING",
    "BLOCKED",
    '" virtual',
    ".rb:",
    "Thread (0x",
    "OS Thread Id: ",
    "goroutine ",
    " @ 0x",
    "most recent call",
    " (idle",
    " (active",
    " (Thread 0x",
    " (LWP",
    " (process ",
)
NAME_OF_TRACEBACK, NAME_OF_ONE = "a program", "the program"
JMX_STATES = ("WAITING", "BLOCKED", "RUNNABLE")


@dataclass(frozen=True)
class Head:
    """The first line of a stack: the thread's name, its state in the JVM's words, and the time in that state, in s."""

    name: str
    state: str = ""
    seconds: int = 0


HEADS: tuple[tuple[re.Pattern[str], str], ...] = (
    (DLV, "goroutine {number}"),
    (OF_GDB, "thread {number}"),
    (OF_ASYNC, "async stack {number}"),
    (OF_ECLIPSE, "thread {name}"),
    (TASK, "task {name}"),
)
"""Heads that tell only a name, and what the thread is called."""


def head(text: str) -> Head | None:
    """The head of a stack of any of these runtimes, or None."""
    found = GOROUTINE.search(text)
    if found is not None:
        state = "RUNNABLE" if found["state"] in GO_RUNS else ""
        return Head(f"goroutine {found['number']}", state, 60 * int(found["minutes"] or 0))
    found = PPROF.search(text)
    if found is not None:
        return Head("a goroutine" if found["count"] == "1" else f"{found['count']} goroutines")
    found = PYTHON.search(text)
    if found is not None:
        return Head(f"thread {found['name'] or found['number']}", "RUNNABLE" if found["state"] == "active" else "")
    found = OF_DOTNET.search(text)
    if found is not None:
        return Head(f"thread {found['number'] or found['id']}")
    found = OF_JCMD.search(text)
    if found is not None:
        return Head(f"thread {found['name'] or '#' + found['number']}", found["state"] or "")
    if OF_PSTACK.match(text):
        return Head(NAME_OF_ONE)
    for pattern, name in HEADS:
        found = pattern.search(text)
        if found is not None:
            return Head(name.format_map({key: value or "" for key, value in found.groupdict().items()}).strip())
    found = OF_JMX.search(text) if text.rstrip(")] ").endswith(JMX_STATES) and "Thread.State" not in text else None
    if found is not None:
        return Head(f"thread {found['name'].strip()}", found["state"])
    return Head(NAME_OF_TRACEBACK) if front_of_traceback(text) is not None else None


def front_of_traceback(text: str) -> str | None:
    """The prefix of a log in front of the head of a traceback; None if the line is no such head."""
    found = TRACEBACK.match(text) if "Traceback" in text else None
    if found is None:
        return None
    front = found["front"].removeprefix("^C")
    return front if is_prefix(front) else None


def frame(text: str) -> str:
    """The frame in a line, as `package.(*Type).Method` or `package.module.function`; empty if there is none."""
    found = PYTHON_FRAME.search(text)
    if found is not None:
        path = (found["path"] or found["file"]).replace("\\", "/").removesuffix(".py")
        return f"{path.replace('/', '.')}.{found['function'] or found['py_spy']}"
    for pattern in (DOTNET_FRAME, ASYNC_FRAME, DLV_FRAME):
        found = pattern.search(text)
        if found is not None:
            return found["frame"].replace("/", ".")
    found = GDB_FRAME.search(text) or RUST_FRAME.search(text)
    if found is not None:
        return re.sub(r"<[^<>]*>", "", found["frame"]).replace("::", ".")
    found = ECLIPSE_FRAME.search(text)
    if found is not None:
        return re.sub(r"<[^<>]*>(?=\.)", "", found["frame"])
    found = RUBY_FRAME.search(text)
    if found is not None:
        return f"{found['path'].replace('/', '.')}.{found['function']}"
    found = PHP_FRAME.search(text)
    if found is not None:
        return f"{found['class'].replace(DOUBLED, chr(92)).replace(chr(92), '.')}.{found['function']}"
    found = PPROF_FRAME.search(text) or GO_FRAME.search(text)
    return found["frame"].replace("/", ".") if found is not None else ""


def plain(text: str) -> str:
    """The line with the methods of .NET as a program names them."""
    if "__" in text:
        text = STATE_MACHINE.sub(lambda found: f".{found['method']}", text)
    return TYPE_ARGUMENTS.sub("", text) if "](" in text else text


def ends(name: str, text: str) -> bool:
    """Whether this line ends a traceback: with the exception, or with something else behind it."""
    return name == NAME_OF_TRACEBACK and not text[:1].isspace()


def ends_a_wait(text: str) -> bool:
    """Whether the exception at the end of a traceback comes from a wait."""
    return WAITED.search(text) is not None
