"""Limits that are configured apart from a destination: as defaults, for a pattern of names, or in a file."""

from dataclasses import asdict, dataclass, field, replace

from tidegate.adapters.base import Limits


@dataclass
class LimitsElsewhere:
    """The configuration for destinations that are declared later."""

    defaults: Limits = field(default_factory=Limits)
    patterns: dict[str, Limits] = field(default_factory=dict)
    """Limits by the beginning of the names to which they apply."""
    file: dict[str, Limits] = field(default_factory=dict)
    """Limits of a configuration file, by destination."""

    def in_force(self, destination: str, own: Limits) -> Limits:
        """The limits in force. Own limits win, then the file, the longest pattern, and the defaults."""
        matching = (beginning for beginning in sorted(self.patterns, key=len) if destination.startswith(beginning))
        in_force = self.defaults
        for nearer in (*(self.patterns[each] for each in matching), self.file.get(destination, Limits()), own):
            in_force = replace(in_force, **{name: level for name, level in asdict(nearer).items() if level is not None})
        return in_force

    def clear(self) -> None:
        """Remove all configuration."""
        self.defaults = Limits()
        self.patterns.clear()
        self.file.clear()


class TakesLimitsElsewhere:
    """The groups `default-limits`, `pattern-limits` and `file-limits`, for brokers of this package."""

    _elsewhere: LimitsElsewhere

    def declare_defaults(self, limits: Limits) -> None:
        """Set the limits of every destination declared from now on."""
        self._elsewhere.defaults = limits

    def declare_pattern(self, beginning: str, limits: Limits) -> None:
        """Set the limits of every destination with this prefix that is declared from now on."""
        self._elsewhere.patterns[beginning] = limits

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        """Set the limits of this destination in a file."""
        self._elsewhere.file[destination] = limits
