"""The artifacts of brokers, by Maven coordinates, through the machine's own Maven and its settings, in a cache."""

import hashlib
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from tidegate.adapters.process.brokers import Coordinates
from tidegate.adapters.process.progress import progress
from tidegate.record.cache import cache_folder
from tidegate.record.errors import Unavailable
from tidegate.record.releases import may_change

FETCH_SECONDS = 600
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
EVERYTHING = ("*:*",)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NETWORK = re.compile(
    r"Unknown host|Connection refused|Connection timed out|timed out|Network is unreachable|"
    r"Could not transfer|Temporary failure in name resolution|in offline mode"
)
UNREACHED = re.compile(r"Could not transfer artifact (\S+)")
MISSING = re.compile(r"Could not find artifact (\S+)|(\S+:jar:\S+) was not found in")


def fetched(wanted: Coordinates) -> Path:
    """A folder with the jars of these coordinates (and, if wanted, of their dependencies), or the unpacked archive.

    It comes from the cache if present. `Unavailable` without Maven, a network or one of the artifacts.
    """
    name, version = wanted.broker, wanted.version
    asked = [*wanted.jars, wanted.archive or "", "" if wanted.transitive else "alone", *wanted.without]
    digest = hashlib.sha256("\n".join(asked).encode()).hexdigest()[:12]
    kept = cache_folder(f"{name}-{version}-{digest}")
    if kept.is_dir():
        return kept
    once = "" if may_change(version) else " (once)"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with (
        progress(f"fetching {name} {version} through Maven{once}"),
        tempfile.TemporaryDirectory(dir=kept.parent, prefix=f".{name}-") as folder,
    ):
        copied = Path(folder) / "artifacts"
        _copy_dependencies(Path(folder), copied, f"{name} {version}", wanted)
        if may_change(version):
            # kept by its content, since the next build has the same version
            kept = kept.with_name(f"{kept.name}-{_digest(copied)}")
            if kept.is_dir():
                return kept
        return _keep(unpacked(copied) if wanted.archive else copied, kept)


def _digest(folder: Path) -> str:
    """A digest of the names and contents of the files in a folder."""
    total = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        with file.open("rb") as content:
            total.update(file.name.encode() + hashlib.file_digest(content, "sha256").digest())
    return total.hexdigest()[:12]


def unpacked(copied: Path) -> Path:
    """The folder with the content of the folder's only archive; `Unavailable` for a member outside of it."""
    (archive,) = copied.iterdir()
    inside = copied.with_name("unpacked").resolve()
    with tarfile.open(archive) as packed:
        # one by one, because extractall is safe from Python 3.11.4 on only
        for member in packed:
            target = (inside / member.name).resolve()
            if not (member.isfile() or member.isdir()) or not target.is_relative_to(inside):
                raise Unavailable(f"{archive.name}: {member.name}: expected a file inside the archive's own folder")
            if content := packed.extractfile(member):
                target.parent.mkdir(parents=True, exist_ok=True)
                with content, target.open("wb") as file:
                    shutil.copyfileobj(content, file)
    return inside


def _keep(fetched: Path, kept: Path) -> Path:
    """Move a whole folder to its place, so that an incomplete one is never used."""
    try:
        return fetched.rename(kept)
    except OSError:
        if kept.is_dir():
            return kept  # another run was faster, with the same jars
        raise


def _copy_dependencies(folder: Path, target: Path, what: str, wanted: Coordinates) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise Unavailable(f"Maven is needed to fetch {what}: no mvn on the PATH")
    (folder / "pom.xml").write_text(_pom(wanted), encoding="utf-8")
    command = [maven, "-q", "-B", COPY, f"-DoutputDirectory={target}"]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=FETCH_SECONDS)
    except subprocess.TimeoutExpired:
        raise Unavailable(f"{what} could not be fetched: Maven hung for {FETCH_SECONDS} s") from None
    if ended.returncode != 0 or not any(target.glob("*")):
        output = COLOUR.sub("", ended.stdout + ended.stderr)
        raise Unavailable(f"{what} could not be fetched: {_reason(output)}")


def _reason(output: str) -> str:
    """Maven's complaint in half a sentence."""
    if "JAVA_HOME" in output:
        return "Maven finds no JDK; set JAVA_HOME"
    if NETWORK.search(output):
        asked = UNREACHED.search(output)
        return f"Maven reaches no repository{f' with {asked[1]}' if asked else ''}; is there a network?"
    if missing := MISSING.search(output):
        return f"Maven finds no artifact {missing[1] or missing[2]}"
    errors = (line for line in output.splitlines() if line.startswith("[ERROR]"))
    return next(errors, "Maven gave nothing and no reason").removeprefix("[ERROR]").strip()


def _pom(wanted: Coordinates) -> str:
    # Maven would still look for an artifact that is only excluded from the copy
    without = wanted.without if wanted.transitive and not wanted.archive else EVERYTHING
    left_out = "".join(_element("exclusion", ("groupId", "artifactId"), each) for each in without)
    names = ("groupId", "artifactId", "version", "type", "classifier")
    dependencies = "".join(
        _element("dependency", names, each, f"<exclusions>{left_out}</exclusions>")
        for each in [*wanted.jars, *filter(None, [wanted.archive])]
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
        "<groupId>tidegate</groupId><artifactId>fetch</artifactId><version>1</version>"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )


def _element(kind: str, names: tuple[str, ...], coordinate: str, further: str = "") -> str:
    fields = zip(names, coordinate.split(":"), strict=False)  # most coordinates end with the version
    return f"<{kind}>{''.join(f'<{name}>{escape(value)}</{name}>' for name, value in fields)}{further}</{kind}>"
