"""The processes that an adapter of ActiveMQ Classic has started."""

import psutil

from tidegate.adapters.classic.adapter import ClassicAdapter


def processes(adapter: ClassicAdapter) -> set[int]:
    """Those whose commands name the folder of the adapter; what else runs below a test comes and goes."""
    folder = str(adapter.log_path.parent)
    commands = {each.pid: each.info["cmdline"] or [] for each in psutil.process_iter(["cmdline"])}
    return {pid for pid, command in commands.items() if any(folder in part for part in command)}
