"""Forms of settings that make RabbitMQ hold up every publisher from the start: a watermark near 0, a disk limit beyond
any disk.

Commands, configurations and container variables set them. A line with a setting never tells that the limit is reached.
"""

from dataclasses import replace

from tidegate.why.lines.form import Fields, form
from tidegate.why.lines.rabbitmq import DISK, MEMORY
from tidegate.why.notices import Blocked, Figures, Released, Said

IDLE = 2**26
"""A watermark of up to this many bytes is reached at once: a node of 3.7 or later takes more when it has just
started."""
IDLE_FRACTION = 0.005
"""The same as a fraction of a machine with 12 GiB."""
LARGE_DISK = 10**12
"""An amount of free disk space, in bytes, that few machines have."""
LOW = replace(
    MEMORY,
    family="rabbitmq low watermark",
    reason="that is less than a node takes that has just started (64 MiB and more), so publishers of the whole cluster "
    "are blocked from then on, whatever they send",
    frees="raise vm_memory_high_watermark; consuming does not help",
    change="set vm_memory_high_watermark to its default (0.6 since 4.0, 0.4 before) or to what the node needs",
    figure=False,
    sets=True,
    place_is="",
)
HIGH = replace(
    DISK,
    family="rabbitmq high disk limit",
    reason="few disks have so much free, so publishers of the whole cluster are blocked from then on",
    frees="lower disk_free_limit",
    change="set disk_free_limit below what the disk has free, and above what the node needs (its memory, or some GB)",
    figure=False,
    sets=True,
    place_is="",
)
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}
IS = r"(?:\.(?:relative|absolute))?(?:,? ?\{?absolute,?)?[\s,=:]{1,5}[\"']?"
AMOUNT = r"(?P<amount>\d{1,40}(?:\.\d{1,9})?)(?P<unit>(?:[kKmMgGtT]i?)?)[bB]?(?![\w.]*\w)"


def _bytes(fields: Fields) -> float:
    return float(fields["amount"]) * UNITS[fields["unit"].lower()]


def _watermark(fields: Fields) -> Said:
    """The statement of a memory watermark: an amount up to 1 without a unit is a fraction of the machine's memory, any
    other is bytes."""
    fraction = not fields["unit"] and float(fields["amount"]) <= 1
    low = float(fields["amount"]) <= IDLE_FRACTION if fraction else _bytes(fields) <= IDLE
    return _set(fields) if low else Released((LOW.family,))


def _set(fields: Fields) -> Said:
    return Blocked(LOW, figures=Figures(text=f"set to {fields['amount']}{fields['unit'] and fields['unit'] + 'B'}"))


def _disk(fields: Fields) -> Said:
    if _bytes(fields) < LARGE_DISK:
        return Released((HIGH.family,))
    return Blocked(HIGH, figures=Figures(text=f"set to {fields['amount']}{fields['unit'] and fields['unit'] + 'B'}"))


FORMS = (
    form("memory_high_watermark", rf"vm_memory_high_watermark{IS}{AMOUNT}", _watermark, sets=True),
    form("MEMORY_HIGH_WATERMARK", rf"RABBITMQ_VM_MEMORY_HIGH_WATERMARK{IS}{AMOUNT}", _watermark, sets=True),
    form("disk_free_limit", rf"disk_free_limit{IS}{AMOUNT}", _disk, sets=True),
)
