"""What is told of a server that does not start: the first exception of its log, with the cause behind it."""

import pytest

from tidegate.adapters.process.complaint import complaint

DEEP = """\
2026-01-01 10:00:00,000 INFO  [Broker-Config] (q.m.b.startup) - [Broker] BRK-1001 : Startup
########################################################################
java.lang.RuntimeException: Failed to start
\tat org.example.Main.main(Main.java:3)
Caused by: java.lang.IllegalStateException: cannot open the store
\tat org.example.Store.open(Store.java:9)
\t... 12 more
Caused by: org.example.ConfigurationException: No phase upgrader for version 9.1
\tat org.example.Upgrader.next(Upgrader.java:7)
\t... 23 common frames omitted
java.lang.IllegalStateException: a second one
Exiting
"""


NODE = """\
node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/srv/broker/main.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
"""
UPGRADE = "ConfigurationException: No phase upgrader for version 9.1"
MISSING = "NoClassDefFoundError: a/B"
IN_USE = "java.net.BindException: in use"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (NODE, "Error: Cannot find module '/srv/broker/main.js'"),
        ("Traceback (most recent call last):\n  File 'a.py', line 1\nValueError: no port\n", "ValueError: no port"),
        ("panic: no port\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:3\nexit status 2\n", "panic: no port"),
        (
            "thread 'main' panicked at src/main.rs:2:5:\nboom\nnote: run with\n",
            "thread 'main' panicked at src/main.rs:2:5:",
        ),
        ("no Error: here\nit ended\n", "no Error: here / it ended"),
        (DEEP, f"RuntimeException: Failed to start (caused by {UPGRADE})"),
        (f"Exception in thread main java.lang.{MISSING}\n\tat c.D.e(D.java:1)\n", MISSING),
        (f"java.io.IOException: {IN_USE}\nCaused by: {IN_USE}\n", f"IOException: {IN_USE}"),
        ("one\n\ntwo\nthree\nfour\n", "two / three / four"),
        ("at first, an Exception was expected\n", "at first, an Exception was expected"),
        ("", "it wrote nothing"),
    ],
)
def test_the_first_exception_is_told_with_its_innermost_cause(log: str, told: str) -> None:
    assert complaint(log) == told
