"""Converts figures in bytes between the suite and the implementation, whose figures are `scale` times as large."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tidegate.adapters.base import Limits, ProducerOptions

TIMES = ("wait_ms", "notify_ms")
LEVELS = ("limit_bytes", "resume_bytes", "reject_bytes", "page_limit_bytes", "page_bytes")


@dataclass(frozen=True)
class Figures:
    """The factor from bytes of the suite to bytes of the implementation."""

    scale: int
    stretch: Fraction = Fraction(1)
    """The factor from ms of the suite to ms of the implementation."""

    def real(self, size: int) -> int:
        """A figure of the suite in bytes of the implementation."""
        return size * self.scale

    def in_words(self, real_bytes: int) -> str:
        """A real figure as the report shows it, with the suite's own figure where they differ."""
        if self.scale == 1:
            return f"{real_bytes:,} bytes"
        return f"{real_bytes / self.scale:,.10g} bytes (really {real_bytes:,})"

    def level(self, figure: int | None) -> int | None:
        """A level in bytes of the implementation; -1 stands for no limit on any scale."""
        return None if figure is None else max(figure * self.scale, -1)

    def limits(self, limits: Limits) -> Limits:
        """Limits with their levels in bytes of the implementation."""
        levels: dict[str, Any] = {level: self.level(getattr(limits, level)) for level in LEVELS}
        return replace(limits, **levels)

    def span(self, ms: int) -> int:
        """A time in ms of the implementation; -1 stands for a time without end under any factor."""
        return ms if ms < 0 else int(ms * self.stretch)

    def times(self, options: ProducerOptions) -> ProducerOptions:
        """Options with their times in ms of the implementation."""
        spans: dict[str, Any] = {
            name: None if (ms := getattr(options, name)) is None else self.span(ms) for name in TIMES
        }
        return replace(options, **spans)
