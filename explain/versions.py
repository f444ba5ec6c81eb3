"""Whose rules and defaults an explanation takes: the documents', or those of a released version as built."""

from dataclasses import dataclass
from functools import cache

from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.record.errors import BadInput

ARTEMIS, CLASSIC, QPID = "artemis", "classic", "qpid"
BROKERS = {ARTEMIS: "ActiveMQ Artemis", CLASSIC: "ActiveMQ Classic", QPID: "Qpid Java broker"}
CORE = "artemis-core"
DOCUMENTS = "documents"
"""What is asked for in the place of a release to have the word of the documents."""


@dataclass(frozen=True)
class Version:
    """A broker, the release that was asked for (empty: none), and the release whose model is taken (empty: none)."""

    broker: str
    asked: str = ""
    taken: str = ""
    named_in: str = ""
    """Where the release is named, such as Dockerfile:3; empty where the user named it, or nobody did."""
    is_assumed: bool = False
    """Whether nobody named a release, so that the newest one is taken that can read the file."""

    def model(self, broker: str = "") -> Linker:
        """The rules; `broker` is another name of a profile, such as that of Artemis' Core clients."""
        name = f"{broker or self.broker}-{self.taken}"
        return _linker(name) if self.taken and name in PROFILES else DOCUMENTED

    @property
    def default(self) -> str:
        """Whose default a figure is that nobody set."""
        return f"default of {self.taken}" if self.taken else "default of the documents"

    @property
    def words(self) -> str:
        """One line: the broker, and whose rules and defaults are taken."""
        name = BROKERS[self.broker]
        if not self.taken:
            return f"{name}, rules and defaults of the documents"
        if self.is_assumed:
            newest = "no release is named here; the newest modelled one that reads the file is taken"
            return f"{name}, rules and defaults of {self.taken} as built ({newest})"
        if self.asked == self.taken:
            return f"{name} {self.taken} as built" + (f", as {self.named_in} names it" if self.named_in else "")
        if self.named_in:
            modelled = f"{self.named_in} names {self.asked}, which is not modelled; the nearest release is taken"
            return f"{name}, rules and defaults of {self.taken} as built ({modelled})"
        asked = f" ({self.asked} is not modelled; the nearest release is taken)" if self.asked else ""
        return f"{name}, rules and defaults of {self.taken} as built{asked}"

    @property
    def words_of_hornetq(self) -> str:
        """One line for a file of HornetQ, which is read by the rules of Artemis."""
        whose = f"{self.taken} as built" if self.taken else f"as the {DOCUMENTS} have it"
        return f"HornetQ, by the rules of {BROKERS[ARTEMIS]} {whose}"

    def is_before(self, release: str) -> bool:
        """Whether the release is older than this one."""
        known = self.asked or self.taken
        return bool(known) and _key(known) < _key(release)


@cache
def _linker(name: str) -> Linker:
    """One for each profile, so that equal mechanisms are equal."""
    return PROFILES[name].linker


def releases(broker: str) -> tuple[str, ...]:
    """Every release of a broker that is modelled, the newest last."""
    found = (name.removeprefix(f"{broker}-") for name in PROFILES if name.rpartition("-")[0] == broker)
    return tuple(sorted(found, key=_key))


def version(broker: str, asked: str, among: tuple[str, ...] = ()) -> Version:
    """The version of a broker that was asked for, of these releases or of all; the documents' where none was."""
    if asked in ("", DOCUMENTS):
        return Version(broker)
    return Version(broker, asked, _nearest(asked, among or releases(broker)))


def parse(text: str | None) -> tuple[str, str]:
    """Broker and release of a text such as artemis:2.44.0; empty where not given. BadInput for another broker.

    In the place of a release, or for any broker, `documents` may stand.
    """
    if text in (DOCUMENTS, DOCUMENTS[:-1]):
        return "", DOCUMENTS
    name, _, release = (text or "").partition(":")
    if name and name not in BROKERS:
        named = f"{', '.join(BROKERS)} with a version behind a colon, or {DOCUMENTS}"
        raise BadInput(f"expected one of {named}, not {text!r}")
    if release in (DOCUMENTS, DOCUMENTS[:-1]):
        return name, DOCUMENTS
    if release and not all(part.isdigit() for part in release.split(".")):
        raise BadInput(f"expected a version such as 2.44.0, not {release!r}")
    return name, release


def _nearest(asked: str, releases: tuple[str, ...]) -> str:
    """Of the releases that come next before and after the one asked for, the one whose first figures are closer."""
    before = [release for release in releases if _key(release) <= _key(asked)]
    after = [release for release in releases if _key(release) > _key(asked)]
    neighbours = [*sorted(before, key=_key)[-1:], *sorted(after, key=_key)[:1]]
    return min(neighbours, key=lambda each: [abs(a - b) for a, b in zip(_key(asked), _key(each), strict=True)])


def _key(release: str) -> tuple[int, int, int]:
    parts = [int(part) for part in release.split(".")] + [0, 0, 0]
    return parts[0], parts[1], parts[2]
