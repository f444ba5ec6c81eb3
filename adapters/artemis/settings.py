"""Address settings in force: settings read through management, and otherwise Artemis' own defaults."""

import json
import subprocess
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path

from tidegate.adapters.base import AdapterError, Limits, Unsupported
from tidegate.adapters.process.java import java

MAX_SIZE = "maxSizeBytes"
MAX_MESSAGES = "maxSizeMessages"
PAGE_SIZE = "pageSizeBytes"
POLICY = "addressFullMessagePolicy"
REJECT_THRESHOLD = "maxSizeBytesRejectThreshold"
PAGE_LIMIT = "pageLimitBytes"
PAGE_LIMIT_MESSAGES = "pageLimitMessages"
PAGE_FULL_POLICY = "pageFullMessagePolicy"
READ_SECONDS = 60


def settings_of(limits: Limits) -> dict[str, object]:
    """Address settings by the names of Artemis' JSON; a limit that is None is left unset."""
    chosen: dict[str, object] = {
        MAX_SIZE: limits.limit_bytes,
        MAX_MESSAGES: limits.limit_messages,
        POLICY: limits.policy,
        REJECT_THRESHOLD: limits.reject_bytes,
        PAGE_LIMIT: limits.page_limit_bytes,
        PAGE_LIMIT_MESSAGES: limits.page_limit_messages,
        PAGE_FULL_POLICY: limits.page_full_policy,
        PAGE_SIZE: limits.page_bytes,
    }
    chosen = {name: value for name, value in chosen.items() if value is not None}
    if PAGE_SIZE not in chosen and limits.limit_bytes is not None and limits.limit_bytes > 1:
        # a page larger than the address is refused, whatever the policy
        chosen[PAGE_SIZE] = max(1, limits.limit_bytes // 2)
    return chosen


def limits_in_force(set_here: dict[str, object], built_in: dict[str, str]) -> Limits:
    """Limits from the settings that management reports, and otherwise from Artemis' defaults."""
    in_force = {**built_in, **set_here}
    return Limits(
        limit_bytes=int(str(in_force[MAX_SIZE])),
        policy=str(in_force[POLICY]),
        reject_bytes=int(str(in_force[REJECT_THRESHOLD])),
    )


def built_in_settings(jars: Path) -> dict[str, str]:
    """The settings of an address without settings, as the classes in these jars have them.

    Management reports only configured settings. AdapterError if the classes cannot be asked, for lack of a full JDK.
    """
    return _printed("BuiltInSettings.java", jars)


def settings_form(jars: Path) -> dict[str, object]:
    """The names of the address settings in the order in which management takes them, each with its unset value.

    AdapterError if the classes in these jars cannot be asked, for lack of a full JDK.
    """
    return {name: json.loads(value) for name, value in _printed("SettingsForm.java", jars).items()}


def by_position(form: Mapping[str, object], settings: Mapping[str, object]) -> list[object]:
    """The values in the order of the form, unset ones included. `Unsupported` for a setting that the form lacks."""
    if missing := sorted(settings.keys() - form.keys()):
        raise Unsupported(f"the management of this version does not take {', '.join(missing)}")
    return [settings.get(name, unset) for name, unset in form.items()]


def _printed(program_name: str, jars: Path) -> dict[str, str]:
    """The lines `name=value` of a program beside this module that asks the classes in the jars."""
    with as_file(files("tidegate.adapters.artemis").joinpath(program_name)) as program:
        command = [java(), "-cp", f"{jars}/*", str(program)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=READ_SECONDS)
    if ended.returncode != 0:
        last = (ended.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise AdapterError(f"the built-in address settings of Artemis could not be read: {last}")
    pairs = (line.partition("=") for line in ended.stdout.splitlines())
    return {name: value for name, _, value in pairs}
