"""A program that goes wrong in one way: `python faulty.py FAULT [FILE]`. It needs nothing but Python.

It is a destination that is always empty; the fault shows whenever the depth is asked for, `at-start` ones before.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAULT, FILE = sys.argv[1], Path(sys.argv[2] if len(sys.argv) > 2 else os.devnull)
EMPTY = {"bytes": 0, "messages": 0}
HANDSHAKE: dict[str, object] = {
    "protocol": 1,
    "identity": {"name": "faulty", "version": "1"},
    "capabilities": ["queue-gate"],
}
OTHER_HANDSHAKES: dict[str, dict[str, object]] = {
    "version-at-start": {"protocol": 2},
    "claim-at-start": {"capabilities": ["queue-gate", "purges"]},
    "shape-at-start": {"identity": {"name": "faulty"}},
    "scale-at-start": {"parameters": {"scale": 0}},
    "time-at-start": {"parameters": {"eventually_ms": -1}},
    "long-time-at-start": {"parameters": {"never_ms": 10**12}},
    "smallest-at-start": {"parameters": {"smallest_message_bytes": 0}},
    "disk-at-start": {"parameters": {"disk_scale": 0}},
    "name-at-start": {"identity": {"name": " ", "version": "1"}},
    "lines-at-start": {"identity": {"name": "faulty", "version": "1\n2"}},
    "protocols-at-start": {"parameters": {"protocols": ["AMQP", ""]}},
    "type-at-start": {"parameters": {"scale": "1"}},
    "log": {"capabilities": ["queue-gate", "qpid-log"]},
}
SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def daemonise() -> None:
    """Leave a process behind that has a session of its own, no parent here, and none of our files."""
    if os.fork() == 0:
        os.setsid()
        if (pid := os.fork()) == 0:
            nothing = os.open(os.devnull, os.O_RDWR)
            for file in (0, 1, 2):
                os.dup2(nothing, file)
            time.sleep(600)
        FILE.write_text(str(pid))
        os._exit(0)
    wait_for_the_file()


def write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def answer(number: int, said: object) -> None:
    write(json.dumps({"id": number, "answer": said}) + "\n")


def wait_for_the_file() -> None:
    while not FILE.exists():
        time.sleep(0.02)


def start(number: int) -> None:
    if FAULT == "crash-at-start":
        sys.exit("no configuration")
    if FAULT == "noise-at-start":
        write("Welcome to faulty 1.0\n")
    if FAULT == "error-at-start":
        write(json.dumps({"id": number, "error": {"kind": "failed", "message": "no broker on this machine"}}) + "\n")
    elif FAULT == "other-claims" and FILE.exists():
        answer(number, {**HANDSHAKE, "capabilities": []})
    else:
        answer(number, {**HANDSHAKE, **OTHER_HANDSHAKES.get(FAULT, {})})


def write_depth(number: int, figure: str) -> None:
    write(f'{{"id":{number},"answer":{{{figure},"messages":0}}}}\n')


def depth(number: int) -> None:
    match FAULT:
        case "error":
            write(
                json.dumps({"id": number, "error": {"kind": "unsupported", "message": "depth is not written"}}) + "\n"
            )
        case "noise":
            write("counting...\n")
            answer(number, EMPTY)
        case "nested":
            write("[" * 100_000 + "\n")
            answer(number, EMPTY)
        case "no-object":
            write("[1, 2]\n")
            answer(number, EMPTY)
        case "no-id":
            write(json.dumps({"answer": EMPTY}) + "\n")
        case "wrong-id":
            answer(number + 1, EMPTY)
        case "twice":
            answer(number, EMPTY)
            answer(number, EMPTY)
        case "shape":
            answer(number, {"bytes": "none", "messages": 0})
        case "missing":
            answer(number, {"bytes": 0})
        case "misspelt":
            answer(number, {"bytes": 0, "messages": 0, "byte": 1})
        case "nulls":
            write(json.dumps({"id": number, "answer": EMPTY, "error": None}) + "\r\n")
        case "crash" | "other-claims":
            FILE.touch()
            sys.stderr.write("opening the journal\njournal is full\n")
            sys.exit(3)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "half":
            write('{"id":')
            wait_for_the_file()
        case "late":
            wait_for_the_file()
            answer(number, EMPTY)
        case "deaf":
            answer(number, {"bytes": 0, "messages": os.getpid()})
        case "child":
            answer(number, {"bytes": subprocess.Popen(SLEEP, stdout=subprocess.DEVNULL).pid, "messages": os.getpid()})
        case "daemon":
            daemonise()
            sys.exit(3)
        case "closed":
            FILE.write_text(str(os.getpid()))
            os.close(0)
            os.close(1)
            time.sleep(600)
        case "flood":
            sys.stderr.write("all is well\n" * 1_000_000 + "the journal is full\n")
            sys.exit(3)
        case "no-text":
            sys.stdout.buffer.write(b'{"id":%d,"answer":"\xff"}\n' % number)
            sys.stdout.flush()
        case "nan":
            write_depth(number, '"bytes":NaN')
        case "float":
            write_depth(number, '"bytes":0.0')
        case "twice-named":
            write_depth(number, '"bytes":1,"bytes":0')
        case "digits":
            write_depth(number, f'"bytes":{"9" * 5000}')
        case "long":
            write(f'{{"id":{number},"answer":{{"bytes":0,"messages":0}},"padding":"')
            for _ in range(int(FILE.name)):
                write("x" * 1_000_000)
            write('"}\n')
        case "orphan":
            FILE.write_text(str(subprocess.Popen(SLEEP).pid))
            sys.exit(3)
        case _:
            answer(number, EMPTY)


if __name__ == "__main__":
    if FAULT == "deaf":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for line in sys.stdin:
        request = json.loads(line)
        match request["verb"]:
            case "start":
                start(request["id"])
            case "depth":
                depth(request["id"])
            case "log_lines":
                answer(request["id"], ["one", "two"])
            case "stop" if FAULT == "deaf":
                answer(request["id"], None)
                time.sleep(600)
            case _:
                answer(request["id"], None)
