"""Tiny configurations, each with faults planted in it."""

import re
from collections.abc import Iterable
from pathlib import Path

from tidegate.explain import explaining
from tidegate.record.errors import BadInput


def artemis(*settings: str, core: Iterable[str] = (), acceptor: str = "") -> str:
    """A broker.xml: lines of the core from line 3 on, then an acceptor on a line, then lines of one address setting."""
    acceptors = [f'<acceptors><acceptor name="a">tcp://h:1?{acceptor}</acceptor></acceptors>'] if acceptor else []
    return "\n".join(
        [
            '<configuration xmlns="urn:activemq">',
            '<core xmlns="urn:activemq:core">',
            *core,
            *acceptors,
            '<address-settings><address-setting match="#">',
            *settings,
            "</address-setting></address-settings></core></configuration>",
        ]
    )


def classic(*entries: str, usage: Iterable[str] = (), broker: str = "") -> str:
    """An activemq.xml: policy entries from line 3 on, then what systemUsage holds, a line each."""
    return "\n".join(
        [
            f'<beans><amq:broker xmlns:amq="http://activemq.apache.org/schema/core" {broker}>',
            "<destinationPolicy><policyMap><policyEntries>",
            *entries,
            "</policyEntries></policyMap></destinationPolicy>",
            *in_full("\n".join(usage)),
            "</amq:broker></beans>",
        ]
    )


USUAL = {
    "memoryUsage": '<memoryUsage limit="1 gb" />',
    "storeUsage": '<storeUsage limit="100 gb" />',
    "tempUsage": '<tempUsage limit="50 gb" />',
}
"""By limit of all destinations, its element with the figure that counts without a systemUsage."""


def in_full(usage: str) -> list[str]:
    """The lines of a systemUsage in short form, with each bean inside a property of its name, as a broker reads it."""
    if "<systemUsage" not in usage:
        return usage.splitlines()
    if "<systemUsage><systemUsage" not in usage:
        usage = re.sub(r"<systemUsage([^>]*)/>", r"<systemUsage\1></systemUsage>", usage)
        usage = re.sub(r"<(/?)systemUsage([^>]*)>", r"<\1systemUsage><\1systemUsage\2>", usage)
    # a systemUsage that leaves a limit out has none: what a test does not speak of is set as high as its default
    missing = "".join(each for kind, each in USUAL.items() if f"<{kind}" not in usage)
    if "<systemUsage" in usage and missing:
        usage = f"{missing}</systemUsage></systemUsage>".join(usage.rsplit("</systemUsage></systemUsage>", 1))
    bare = r"(?<!<memoryUsage>)(?<!<storeUsage>)(?<!<tempUsage>)<((?:memory|store|temp)Usage)( [^>]*)/>"
    return re.sub(bare, r"<\1><\1\2/></\1>", usage).splitlines()


def host(*queues: str, context: str = "{}", more: str = '"type": "BDB"') -> str:
    """A JSON of Broker-J: the context on line 2, the host's attributes on line 3, queues from line 5 on."""
    return "\n".join(["{", f'"context": {context},', f"{more},", '"queues": [', ",\n".join(queues), "]}"])


def virtual_hosts(*lines: str) -> str:
    """A virtualhosts.xml: lines of a host from line 3 on."""
    return "\n".join(
        [
            "<virtualhosts>",
            "<virtualhost><name>test</name><test>",
            *lines,
            "</test></virtualhost></virtualhosts>",
        ]
    )


def unread(path: Path) -> list[str]:
    """The sentences about values of a file that cannot be read, whether its broker starts or not."""
    try:
        return [str(each) for read in explaining.read_files([path]) for each in read[1].unread]
    except BadInput as error:
        return list(error.sentences)
