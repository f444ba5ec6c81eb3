"""The result of searching a folder for logs."""

from dataclasses import dataclass

MAY_CONFIGURE = (".xml", ".json", ".properties")
"""The endings of the files that may hold a configuration of a broker."""


@dataclass(frozen=True)
class Folder:
    """The numbers of logs, of brokers' configurations, and of other files, which were passed over."""

    name: str
    logs: int
    configurations: int
    passed_over: int
