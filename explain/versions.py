"""The version that gives an explanation its rules and defaults: the documents, or a released version as built."""

from dataclasses import dataclass
from functools import cache

from tidegate.model.built.profiles import PROFILES
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.record.errors import BadInput
from tidegate.record.hints import did_you_mean
from tidegate.record.releases import release as numbers_of

ARTEMIS, CLASSIC, QPID = "artemis", "classic", "qpid"
BROKERS = {ARTEMIS: "ActiveMQ Artemis", CLASSIC: "ActiveMQ Classic", QPID: "Qpid Java broker"}
CORE = "artemis-core"
DOCUMENTS = "documents"
"""The request for the documents in place of a release."""


@dataclass(frozen=True)
class Version:
    """A broker, the requested release (empty: none), and the release of the model (empty: the documents)."""

    broker: str
    asked: str = ""
    taken: str = ""
    named_in: str = ""
    """The place that names the release, such as Dockerfile:3; empty if the user named it, or nobody did."""
    is_assumed: bool = False
    """Whether nobody named a release, so that the newest one that can read the file is taken."""

    def model(self, broker: str = "") -> Linker:
        """The rules; `broker` is another name of a profile, such as the name for Artemis' Core clients."""
        name = f"{broker or self.broker}-{self.taken}"
        return _linker(name) if self.taken and name in PROFILES else DOCUMENTED

    @property
    def default(self) -> str:
        """The origin of a default figure, in words."""
        return f"default of {self.taken}" if self.taken else "default of the documents"

    @property
    def words(self) -> str:
        """One line: the broker, and the version of the rules and defaults."""
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
        """One line for a HornetQ file, which is explained by the rules of Artemis."""
        whose = f"{self.taken} as built" if self.taken else f"as the {DOCUMENTS} have it"
        return f"HornetQ, by the rules of {BROKERS[ARTEMIS]} {whose}"

    def is_before(self, release: str) -> bool:
        """Whether this version is older than `release`; false without a release."""
        known = self.asked or self.taken
        return bool(known) and is_before(known, release)


def is_before(one: str, other: str) -> bool:
    """Whether a release is older than another one."""
    return _key(one) < _key(other)


@cache
def _linker(name: str) -> Linker:
    """The linker of a profile, created once, so that equal mechanisms are equal."""
    return PROFILES[name].linker


def releases(broker: str) -> tuple[str, ...]:
    """Every modelled release of a broker, in ascending order."""
    found = (name.removeprefix(f"{broker}-") for name in PROFILES if name.rpartition("-")[0] == broker)
    return tuple(sorted(found, key=_key))


def version(broker: str, asked: str, among: tuple[str, ...] = ()) -> Version:
    """The requested version of a broker, or the nearest of `among` or of all; the documents' version without a
    request."""
    if asked in ("", DOCUMENTS):
        return Version(broker)
    return Version(broker, asked, _nearest(asked, among or releases(broker)))


def parse(text: str | None) -> tuple[str, str]:
    """The broker and release of a text such as artemis:2.44.0; empty if not given. BadInput for another broker.

    `documents` may stand in place of a release, or alone for any broker.
    """
    if text in (DOCUMENTS, DOCUMENTS[:-1]):
        return "", DOCUMENTS
    name, _, release = (text or "").partition(":")
    if name and name not in BROKERS:
        named = f"{', '.join(BROKERS)}, each with a version if wanted, as in artemis:2.44.0, or {DOCUMENTS}"
        raise BadInput(f"expected one of {named}, not {text!r}{did_you_mean(name, BROKERS)}", field="--broker")
    if release in (DOCUMENTS, DOCUMENTS[:-1]):
        return name, DOCUMENTS
    # a build, such as 2.45.0-SNAPSHOT, has the rules of its release
    return name, str(numbers_of(release)) if release else ""


def _nearest(asked: str, releases: tuple[str, ...]) -> str:
    """The closer of the two releases next to the requested one; the leading numbers count most."""
    before = [release for release in releases if _key(release) <= _key(asked)]
    after = [release for release in releases if _key(release) > _key(asked)]
    neighbours = [*sorted(before, key=_key)[-1:], *sorted(after, key=_key)[:1]]
    return min(neighbours, key=lambda each: [abs(a - b) for a, b in zip(_key(asked), _key(each), strict=True)])


def _key(release: str) -> tuple[int, int, int]:
    parts = [int(part) for part in release.split(".")] + [0, 0, 0]
    return parts[0], parts[1], parts[2]
