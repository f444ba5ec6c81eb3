"""Jars come through the machine's own Maven, whole or not at all; what is missing is one sentence."""

import re
import tarfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from tidegate.adapters.artemis.broker import Broker
from tidegate.adapters.process import maven
from tidegate.adapters.process.brokers import Coordinates, coordinates, tell_untried, tried_versions, usual_version
from tidegate.adapters.process.java import java
from tidegate.adapters.process.maven import fetched, unpacked
from tidegate.adapters.resolver import resolve
from tidegate.record.errors import BadInput, ExitCode, Unavailable

NOWHERE = "http://127.0.0.1:1/"
LOG4J = "org.apache.logging.log4j:log4j-api:2.25.2"
SMALL = Coordinates("small", "2.25.2", (LOG4J,), archive=None, transitive=True)


def mirrored(repositories: tuple[str, ...]) -> str:
    """Settings of a user under which these repositories are where nobody listens.

    They go before what is set for the whole machine, where a mirror that is named for one repository would
    go before one for `*`.
    """
    mirrors = "".join(
        f"<mirror><id>nowhere-{number}</id><mirrorOf>{repository}</mirrorOf><url>{NOWHERE}</url></mirror>"
        for number, repository in enumerate(repositories)
    )
    return f"<settings><mirrors>{mirrors}</mirrors></settings>"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "tidegate"


def unavailable(caught: pytest.ExceptionInfo[Unavailable]) -> str:
    """The sentence of an error that ends a command with exit code 2."""
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    sentence = str(caught.value)
    assert "\n" not in sentence
    return sentence


def test_jars_are_fetched_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = fetched(SMALL)
    assert [jar.name for jar in folder.iterdir()] == ["log4j-api-2.25.2.jar"]
    assert list(cache.iterdir()) == [folder]
    monkeypatch.setenv("PATH", "")
    assert fetched(SMALL) == folder


@pytest.mark.nightly
def test_two_fetches_at_once_agree_on_one_folder(cache: Path) -> None:
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(lambda _: fetched(SMALL), range(2))
    assert first == second
    assert list(cache.iterdir()) == [first]
    assert [jar.name for jar in first.iterdir()] == ["log4j-api-2.25.2.jar"]


@pytest.mark.nightly
def test_other_coordinates_of_the_same_name_are_not_mixed_up() -> None:
    assert fetched(SMALL) != fetched(replace(SMALL, jars=(LOG4J, "org.slf4j:slf4j-api:2.0.17")))


def test_a_missing_artifact_is_named_and_nothing_is_kept(cache: Path) -> None:
    with pytest.raises(Unavailable) as caught:
        fetched(Coordinates("broker", "0.0.0", ("org.apache.activemq:artemis-server:0.0.0",), None, transitive=True))
    assert unavailable(caught).startswith("broker 0.0.0 could not be fetched: Maven finds no artifact")
    assert "org.apache.activemq:artemis-server:jar:0.0.0" in str(caught.value)
    assert list(cache.iterdir()) == []


def test_no_network_is_one_sentence(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = cache.parent / "home"
    settings = home / ".m2" / "settings.xml"
    settings.parent.mkdir(parents=True)
    settings.write_text(mirrored(("central", "*")), encoding="utf-8")
    monkeypatch.setenv("MAVEN_OPTS", f"-Duser.home={home}")
    monkeypatch.delenv("MAVEN_ARGS", raising=False)  # may name other settings
    with pytest.raises(Unavailable) as caught:
        fetched(SMALL)
    expected = r"small 2\.25\.2 could not be fetched: Maven reaches no repository with \S+; is there a network\?"
    assert re.fullmatch(expected, unavailable(caught))
    assert list(cache.iterdir()) == []


def test_no_maven_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Unavailable) as caught:
        fetched(SMALL)
    assert unavailable(caught) == "Maven is needed to fetch small 2.25.2: no mvn on the PATH"


def test_no_jdk_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Unavailable) as caught:
        java()
    assert "a JDK is needed" in unavailable(caught)


def test_a_version_that_is_none_is_one_sentence() -> None:
    tried = ", ".join(tried_versions("artemis"))
    with pytest.raises(BadInput, match=rf"^artemis:newest: expected a version, not 'newest'; tried were {tried}$"):
        Broker("newest").start()


def test_a_version_before_all_entries_is_one_sentence() -> None:
    with pytest.raises(BadInput, match=r"^classic:4\.0: expected version 4\.1 or later; tried were"):
        coordinates("classic", "4.0")


@pytest.mark.parametrize(("version", "jars"), [("4.1", 4), ("5.3.0", 4), ("5.3.1", 1)])
def test_a_version_inside_an_entry_has_its_coordinates(version: str, jars: int) -> None:
    assert len(coordinates("classic", version).jars) == jars


@pytest.mark.parametrize(
    "broker", ["artemis", "artemis-core", "artemis-openwire", "artemis-stomp", "qpid", "classic", "andes-client"]
)
def test_every_tried_version_has_coordinates(broker: str) -> None:
    assert usual_version(broker) in tried_versions(broker)
    for version in tried_versions(broker):
        found = coordinates(broker, version)
        assert [*found.jars, found.archive] != [None]
        assert not any("{" in text for text in found.jars)


def test_an_untried_version_says_so_and_a_tried_one_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    newest = tried_versions("artemis")[0]
    for version in tried_versions("artemis"):
        tell_untried("artemis", version)
    assert capsys.readouterr().err == ""
    tell_untried("artemis", "99.0")
    said = f"artemis:99.0 was never tried with this adapter; nearest to it {newest} was\n"
    assert capsys.readouterr() == ("", said)


@pytest.mark.parametrize("broker", ["artemis", "artemis-core", "artemis-openwire", "artemis-stomp", "qpid", "classic"])
def test_a_build_of_your_own_is_fetched_like_its_release(broker: str, capsys: pytest.CaptureFixture[str]) -> None:
    own = f"{usual_version(broker)}-SNAPSHOT"
    (made,) = resolve(f"{broker}:{own}").values()
    assert made().capabilities == next(iter(resolve(broker).values()))().capabilities
    found, usual = coordinates(broker, own), coordinates(broker, usual_version(broker))
    assert found.jars == tuple(jar.replace(f":{usual_version(broker)}", f":{own}") for jar in usual.jars)
    tell_untried(broker, own)
    assert f"{broker}:{own} was never tried with this adapter; nearest to it " in capsys.readouterr().err


def test_a_build_that_may_change_is_fetched_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    content = ["first"]

    def copy(_folder: Path, target: Path, _what: str, _wanted: Coordinates) -> None:
        target.mkdir()
        (target / "broker.jar").write_text(content[0])

    monkeypatch.setattr(maven, "_copy_dependencies", copy)
    wanted = replace(SMALL, version="2.45.0-SNAPSHOT")
    first, again = fetched(wanted), fetched(wanted)
    content[0] = "second"
    second = fetched(wanted)
    assert first == again != second
    assert [(each / "broker.jar").read_text() for each in (first, second)] == ["first", "second"]


def test_what_is_excluded_is_not_looked_for() -> None:
    # it needs a jar that only a repository of another company has
    wanted = Coordinates("small", "7.1.12", ("org.apache.qpid:qpid-bdbstore:7.1.12",), archive=None, transitive=True)
    without = replace(wanted, without=("com.sleepycat:je",))
    assert [jar.name for jar in fetched(without).glob("qpid-bdbstore-*")] == ["qpid-bdbstore-7.1.12.jar"]


def test_an_archive_is_unpacked() -> None:
    folder = fetched(coordinates("qpid", "10.1.0"))
    assert [jar.parent.name for jar in folder.rglob("qpid-broker-core-10.1.0.jar")] == ["lib"]


def test_an_archive_that_holds_more_than_files_inside_is_refused(tmp_path: Path) -> None:
    link = tarfile.TarInfo("a link")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    for number, member in enumerate([tarfile.TarInfo("../outside"), tarfile.TarInfo("/outside"), link]):
        folder = tmp_path / str(number) / "artifacts"
        folder.mkdir(parents=True)
        with tarfile.open(folder / "broker.tar.gz", "w:gz") as packed:
            packed.addfile(tarfile.TarInfo("a file"))
            packed.addfile(member)
        with pytest.raises(Unavailable, match=rf"^broker\.tar\.gz: {re.escape(member.name)}: expected a file inside"):
            unpacked(folder)
        assert sorted(path.name for path in folder.parent.rglob("*")) == [
            "a file",
            "artifacts",
            "broker.tar.gz",
            "unpacked",
        ]
