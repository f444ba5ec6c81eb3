"""Address settings in force: those that are set, read through management, and Artemis' own for the rest."""

import subprocess
from importlib.resources import as_file, files
from pathlib import Path

from tidegate.adapters.base import AdapterError, Limits
from tidegate.adapters.process.java import java

MAX_SIZE = "maxSizeBytes"
MAX_MESSAGES = "maxSizeMessages"
POLICY = "addressFullMessagePolicy"
REJECT_THRESHOLD = "maxSizeBytesRejectThreshold"
READ_SECONDS = 60


def settings_of(limits: Limits) -> dict[str, object]:
    """Address settings by the names of Artemis' JSON; what `limits` leaves open is left unset."""
    chosen: dict[str, object] = {
        MAX_SIZE: limits.limit_bytes,
        MAX_MESSAGES: limits.limit_messages,
        POLICY: limits.policy,
        REJECT_THRESHOLD: limits.reject_bytes,
    }
    chosen = {name: value for name, value in chosen.items() if value is not None}
    if limits.limit_bytes is not None and limits.limit_bytes > 1:
        # a page larger than the address is refused, whatever the policy
        chosen["pageSizeBytes"] = max(1, limits.limit_bytes // 2)
    return chosen


def limits_in_force(set_here: dict[str, object], built_in: dict[str, str]) -> Limits:
    """Limits from what management says is set and from what Artemis takes for the rest."""
    in_force = {**built_in, **set_here}
    return Limits(
        limit_bytes=int(str(in_force[MAX_SIZE])),
        policy=str(in_force[POLICY]),
        reject_bytes=int(str(in_force[REJECT_THRESHOLD])),
    )


def built_in_settings(jars: Path) -> dict[str, str]:
    """What an address without settings gets, as the classes in these jars say.

    Management names only what is set. AdapterError if they cannot be asked, for want of a whole JDK.
    """
    with as_file(files("tidegate.adapters.artemis").joinpath("BuiltInSettings.java")) as program:
        command = [java(), "-cp", f"{jars}/*", str(program)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=READ_SECONDS)
    if ended.returncode != 0:
        last = (ended.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise AdapterError(f"the built-in address settings of Artemis could not be read: {last}")
    pairs = (line.partition("=") for line in ended.stdout.splitlines())
    return {name: value for name, _, value in pairs}
