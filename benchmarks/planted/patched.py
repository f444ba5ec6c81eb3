"""Run the suite on a broker some of whose classes are compiled anew from changed sources.

    patched.py artemis:2.44.0 FILE.java... [--tidegate PATH] [--options OPTION OF tidegate run...]

The jars of the broker must be in the cache of fetched brokers, where any run of its adapter puts them. Each source has
the name and package of a class in one of these jars. The classes replace the broker's own in a copy of its folder, and
only this run sees the copy.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tidegate.record.cache import cache_folder

PACKAGE = re.compile(r"^package ([\w.]+);", re.MULTILINE)
SIGNATURES = (".SF", ".RSA", ".DSA")
"""The ends of the names of files that sign a jar; a changed jar would not match these."""


def folders(adapter: str) -> list[Path]:
    """The folders of the cache with the jars of an adapter's broker, given as NAME:VERSION."""
    return sorted(cache_folder(".").resolve().glob(f"{adapter.replace(':', '-')}-*"))


def class_of(source: Path) -> str:
    """The path in a jar of the class of a source file; SystemExit if the file names no package."""
    package = PACKAGE.search(source.read_text(encoding="utf-8"))
    if package is None:
        raise SystemExit(f"{source}: expected a line with the package of the class")
    return f"{package.group(1).replace('.', '/')}/{source.stem}.class"


def jar_of(name: str, jars: Sequence[Path]) -> Path:
    """The jar that has the class; SystemExit if none has it."""
    for jar in jars:
        with zipfile.ZipFile(jar) as packed:
            if name in packed.namelist():
                return jar
    raise SystemExit(f"{name}: expected in one of {len(jars)} jars of the broker, and found in none")


def compiled(sources: Sequence[Path], jars: Sequence[Path], to: Path) -> dict[str, bytes]:
    """The classes of some sources, by their path in a jar; SystemExit if they do not compile."""
    path = os.pathsep.join(map(str, jars))
    command = ["javac", "-proc:none", "-nowarn", "-d", str(to), "-cp", path, *map(str, sources)]
    if subprocess.run(command, check=False).returncode:
        raise SystemExit("the sources do not compile against the jars of the broker")
    return {str(each.relative_to(to)): each.read_bytes() for each in to.rglob("*.class")}


def replace_in(jar: Path, classes: dict[str, bytes]) -> None:
    """Write a jar anew with these classes instead of its own of the same names, or beside them."""
    whole = jar.with_suffix(".new")
    with zipfile.ZipFile(jar) as old, zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in classes and not name.endswith(SIGNATURES):
                new.writestr(name, old.read(name))
        for name, content in classes.items():
            new.writestr(name, content)
    whole.replace(jar)


def patched(folder: Path, sources: Sequence[Path], cache: Path) -> None:
    """Fill a cache of its own with a changed copy of a broker's folder, and links to everything else."""
    cache.mkdir(parents=True)
    for other in folder.parent.iterdir():
        if other != folder:
            (cache / other.name).symlink_to(other)
    shutil.copytree(folder, cache / folder.name)
    jars = sorted((cache / folder.name).rglob("*.jar"))
    for jar, some in by_jar(sources, jars):
        with tempfile.TemporaryDirectory() as classes:
            replace_in(jar, compiled(some, jars, Path(classes)))


def by_jar(sources: Sequence[Path], jars: Sequence[Path]) -> Iterator[tuple[Path, list[Path]]]:
    """The sources of each jar that they change."""
    place = {source: jar_of(class_of(source), jars) for source in sources}
    for jar in dict.fromkeys(place.values()):
        yield jar, [source for source in sources if place[source] == jar]


def main() -> int:
    """Compile, run and give the exit code of the run."""
    parser = argparse.ArgumentParser(description="Run the suite on a broker with some classes compiled anew.")
    parser.add_argument("adapter", help="NAME:VERSION of a broker that was fetched before")
    parser.add_argument("sources", nargs="+", type=Path, metavar="FILE.java", help="changed sources of its classes")
    parser.add_argument("--tidegate", default="tidegate", metavar="PATH", help="the executable")
    parser.add_argument("--options", nargs=argparse.REMAINDER, default=[], help="last: options of `tidegate run`")
    asked = parser.parse_args()
    found = folders(asked.adapter)
    if len(found) != 1:
        parser.error(f"{asked.adapter}: expected one folder in the cache of fetched brokers, found {len(found)}")
    with tempfile.TemporaryDirectory() as home:
        patched(found[0], asked.sources, Path(home) / "tidegate")
        command = [asked.tidegate, "run", "--adapter", asked.adapter, *asked.options]
        return subprocess.run(command, env=os.environ | {"XDG_CACHE_HOME": home}, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
