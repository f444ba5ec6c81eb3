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


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (DEEP, "RuntimeException: Failed to start (caused by ConfigurationException: No phase upgrader for version 9.1)"),
        ("Exception in thread main java.lang.NoClassDefFoundError: a/B\n\tat c.D.e(D.java:1)\n", "NoClassDefFoundError: a/B"),
        ("java.io.IOException: java.net.BindException: in use\nCaused by: java.net.BindException: in use\n", 
         "IOException: java.net.BindException: in use"),
        ("one\n\ntwo\nthree\nfour\n", "two / three / four"),
        ("at first, an Exception was expected\n", "at first, an Exception was expected"),
        ("", "it wrote nothing"),
    ],
)  # fmt: skip
def test_the_first_exception_is_told_with_its_innermost_cause(log: str, told: str) -> None:
    assert complaint(log) == told
