"""How a check ends other than by keeping its rule."""


class Deviation(AssertionError):
    """The implementation did otherwise than the rule says: what was expected and what was seen, with figures."""

    def __init__(self, expected: str, seen: str, *, rules: tuple[str, ...] = (), done: tuple[str, ...] = ()):
        super().__init__(f"expected {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
        self.rules = rules
        """The rules that are not kept, where the check serves more than those."""
        self.done = done
        """What was done, where that is not the same in every run of the check."""


class NotTaken(Exception):
    """The implementation was seen not to use a permission that the rule gives it."""

    def __init__(self, expected: str, seen: str):
        super().__init__(f"allowed {expected}, seen {seen}")
        self.expected = expected
        self.seen = seen
