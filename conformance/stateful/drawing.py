"""What random sequences are drawn with: the same sequences in every process, others for another seed.

Left to itself, Hypothesis also draws constants from the source of the modules that a process has loaded. The sequences
of a check would then hang on what else was imported before.
"""

from random import Random

from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider

NAME = "tidegate"


def drawn_from(seed: str) -> str:
    """Register what draws with this seed, and return the name by which Hypothesis knows it."""

    class Seeded(_Even):
        def __init__(self, conjecturedata: None, /) -> None:
            super().__init__(conjecturedata)
            self._random = Random(seed)  # noqa: S311

    AVAILABLE_PROVIDERS[NAME] = Seeded
    return NAME


class _Even(PrimitiveProvider):
    """Whole numbers between two bounds, and booleans, are all that a state machine draws."""

    lifetime = "test_function"
    _random: Random

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self._random.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        if min_value is None or max_value is None or weights:
            raise NotImplementedError("only whole numbers between two bounds, each as likely as the other")
        return self._random.randint(min_value, max_value)

    def draw_float(self, **_: object) -> float:
        raise NotImplementedError("no floats")

    def draw_string(self, *_: object, **__: object) -> str:
        raise NotImplementedError("no strings")

    def draw_bytes(self, *_: object, **__: object) -> bytes:
        raise NotImplementedError("no bytes")
