"""What was found in a folder that was looked through for logs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Folder:
    """How many logs and configurations of brokers a folder has, and how many other files, which were passed over."""

    name: str
    logs: int
    configurations: int
    passed_over: int
