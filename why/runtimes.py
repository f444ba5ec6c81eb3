"""Reads stacks of Go (SIGQUIT, pprof), Python (py-spy, faulthandler, a traceback), C++ (gdb) and .NET (dotnet-stack,
clrstack of dotnet-dump): heads, frames and ends."""

import re
from dataclasses import dataclass

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
TRACEBACK = re.compile(r"^(?:\^C)?Traceback \(most recent call last\):")
"""The head of a traceback; a terminal shows the key that ended the program in front of it."""
PYTHON_FRAME = re.compile(
    r"^\s+File \"(?P<path>[^\"]{1,300})\", line \d{1,7},? in (?P<function>[\w<>]{1,200})"
    r"|^\s+(?P<py_spy>[\w<>]{1,200}) \((?P<file>[^():]{1,300}\.py):\d{1,7}\)"
)
WAITED = re.compile(r"^(?:\w+\.)*(?:KeyboardInterrupt|SystemExit|\w*[Tt]imeout(?:Error)?|\w*TimeLimitExceeded)\b")
"""The exceptions that end a traceback of a waiting program: a user or a time limit ended the wait."""
OF_GDB = re.compile(r"^Thread (?P<number>\d{1,7}) \((?:Thread 0x[0-9a-f]+|LWP|process) ?")
GDB_FRAME = re.compile(
    r"^#\d{1,4}\s+(?:0x[0-9a-f]{1,16} in )?(?P<frame>(?:\w+(?:<[^()]{0,200}>)?::)*~?\w+)(?:\[abi:\w+\])?"
    r"(?:<[^()]{0,200}>)? ?(?:const ?)?\("
)
OF_DOTNET = re.compile(r"^\s*(?:Thread \((?P<number>0x[0-9A-Fa-f]+)\):|OS Thread Id: (?P<id>0x[0-9A-Fa-f]+))")
DOTNET_FRAME = re.compile(
    r"^\s*(?:[\w.]{1,100}!|[0-9A-Fa-f]{8,16} [0-9A-Fa-f]{8,16} )(?P<frame>(?:[\w`+]+\.)+[\w`<>]+)\("
)
SIGNS = (
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
NAME_OF_TRACEBACK = "a program"


@dataclass(frozen=True)
class Head:
    """The first line of a stack: the thread's name, its state in the JVM's words, and the time in that state, in s."""

    name: str
    state: str = ""
    seconds: int = 0


def head(text: str) -> Head | None:
    """The head of a stack of Go, Python, C++ or .NET, or None."""
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
    found = OF_GDB.search(text)
    if found is not None:
        return Head(f"thread {found['number']}")
    found = OF_DOTNET.search(text)
    if found is not None:
        return Head(f"thread {found['number'] or found['id']}")
    return Head(NAME_OF_TRACEBACK) if TRACEBACK.match(text) else None


def frame(text: str) -> str:
    """The frame in a line, as `package.(*Type).Method` or `package.module.function`; empty if there is none."""
    found = PYTHON_FRAME.search(text)
    if found is not None:
        path = (found["path"] or found["file"]).replace("\\", "/").removesuffix(".py")
        return f"{path.replace('/', '.')}.{found['function'] or found['py_spy']}"
    found = DOTNET_FRAME.search(text)
    if found is not None:
        return found["frame"]
    found = GDB_FRAME.search(text)
    if found is not None:
        return re.sub(r"<[^<>]*>", "", found["frame"]).replace("::", ".")
    found = PPROF_FRAME.search(text) or GO_FRAME.search(text)
    return found["frame"].replace("/", ".") if found is not None else ""


def ends_without_wait(name: str, text: str) -> bool:
    """Whether this line ends a traceback with an error that does not come from a wait."""
    return name == NAME_OF_TRACEBACK and not text[:1].isspace() and WAITED.search(text) is None
