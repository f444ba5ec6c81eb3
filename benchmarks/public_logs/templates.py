"""Texts about limits in the sources of brokers and clients, and the share that `tidegate why` reads.

    python templates.py [--revisions N] [--unknown] FOLDER...

FOLDER is a git directory of a public repository; its newest commit and up to N of its tags are searched. A text is a
literal of a program that writes a log, raises an exception or is a message bundle, and has a word of flow control. With
its placeholders filled in, it is read if a line with it says that a party is blocked, refused or released. None of it
is kept.
"""

import argparse
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from tidegate.why.reading import read

ENDINGS = (
    "java", "properties", "erl", "hrl", "ex", "py", "go", "js", "ts", "cs", "rb", "php", "rs", "c", "cpp", "cc", "h",
    "scala", "cr", "kt", "resx", "pyx",
)  # fmt: skip
WORDS = re.compile(
    r"\bblock(?:ed|ing|s)\b|flow.?control|\bis full\b|store full|memory limit|\bpaging\b|overfull|watermark|\balarm"
    r"|throttl|\bcredits?\b|disk (?:usage|space)|storage space|quota|limit (?:is )?(?:reached|exceeded)"
    r"|\bfull\b|\btoo (?:many|much)\b|\boverflow|slow consumer|outstanding|backlog|over.?quota|out of (?:memory|disk)"
    r"|\bOOM\b|max(?:imum)?[ _-](?:number|size|messages|bytes|pending|length|memory)|not enough (?:space|room|memory)"
    r"|insufficient (?:resources|storage|space|credit)|resource.?exhausted|receive.?maximum|\bstalled\b|paused"
    r"|exceed(?:s|ed|ing)?\b|overload|flooding|back.?pressure|being dropped|queue limits|publishes in progress"
    r"|in.flight|resource (?:limit|alarm)|no space|depth|nospace|congest|\bbusy\b"
    r"|\bnack(?:ed)?\b|unconfirmed|publisher confirm"
    r"|waiting for (?:\w+ ){0,2}(?:confirm|settlement|outcome|disposition)|timeout when writing|error sending data"
    r"|rejected by",
    re.IGNORECASE,
)
WRITES = re.compile(
    r"log\b|log[._(]|logger|\btrace|debug|info|warn|error|severe|fatal|exception|throw|raise|panic|message|value ?="
    r"|format|print|reject|fail|puts\b",
    re.IGNORECASE,
)
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){1,600})\"|'((?:[^'\\\n]|\\.){8,600})'|`([^`\n]{8,600})`")
JOINED = re.compile(r"\s*(?:[+.&]|<<|<>)?\s*(?:(?P<value>[\w.()\[\] /*-]{1,80})\s*(?:[+.&]|<<|<>))?\s*")
"""The source between two literals that make one text: a plus, and perhaps a value; in Erlang and C nothing."""
PLACEHOLDER = re.compile(
    r"#?\$?\{[^{}\n]{0,60}\}|%[-+ 0#]{0,3}\d{0,3}(?:\.\d+)?l{0,2}[a-zA-Z](?![a-zA-Z])|~[0-9.*]{0,4}t?[a-zA-Z]\b"
)
CODED = re.compile(r"\bid ?= ?(?P<code>\d{6})\b(?!.*\bid ?=)", re.DOTALL)
"""The number of a text in a message bundle of JBoss Logging, which precedes the text in the log."""
VALUES = (
    "7000",
    "orders",
    "queue://orders",
    "ID:host-1:1:1:1",
    "orders; size=7000 bytes (7 messages); maxSize=7000 bytes (-1 messages); globalSize=7000 bytes (7 messages); "
    "globalMaxSize=90000 bytes (-1 messages)",
)
"""Values that are tried for a placeholder; a text is known if it is read with one of them."""
SHORTEST = 12
BEFORE = 160
NO_SOURCE = re.compile(
    r"(?:^|/)(?:[\w.-]*tests?|spec|examples?|docs?|samples?|node_modules|target|perftests|doc)(?:/|$)"
    r"|(?:_test|_SUITE|[.]spec|[.]test|Tests?|IT|_unittest|-min|[.]min)\.\w{1,5}$|(?:^|/)test_[^/]*$"
)
FRONT = "2024-05-01 10:00:00,123 WARN  [main] [org.example.Program] "
AFTER = ". "


@dataclass(frozen=True)
class Text:
    """A text of a program: the file, and the literal with a space in place of each value."""

    file: str
    text: str


def texts(source: str, name: str) -> Iterator[Text]:
    """The texts with a word of flow control in a source file."""
    if name.endswith(".properties"):
        lines = re.sub(r"\\\n\s*", "", source).splitlines()
        found = (line.partition("=")[2].strip() for line in lines if not line.lstrip().startswith("#"))
        yield from (Text(name, text) for text in found if WORDS.search(text))
        return
    start, parts, end = 0, list[str](), 0
    for literal in LITERAL.finditer(source):
        inner = next(group for group in literal.groups() if group is not None)
        gap = JOINED.fullmatch(source, end, literal.start()) if parts else None
        if gap is None:
            yield from _whole(source, name, start, parts)
            start, parts = literal.start(), []
        elif gap["value"]:
            parts.append("{}")
        parts.append(inner)
        end = literal.end()
    yield from _whole(source, name, start, parts)


def _whole(source: str, name: str, start: int, parts: list[str]) -> Iterator[Text]:
    text = "".join(parts)
    front = source[max(0, start - BEFORE) : start]
    if len(text) >= SHORTEST and " " in text.strip() and WORDS.search(text) and WRITES.search(front):
        coded = CODED.search(front)
        yield Text(name, f"AMQ{coded['code']}: {text}" if coded else text)


def known(text: str) -> bool:
    """Whether a line with this text has a meaning with any of the values."""
    plain = text.replace("''", "'").replace('\\"', '"').replace("\\n", " ").replace("~n", " ")
    return any(_heard(PLACEHOLDER.sub(value, plain)) for value in VALUES)


def _heard(text: str) -> bool:
    log = read([("-", io.BytesIO(f"{FRONT}{text}{AFTER}\n".encode()))])
    return bool(log.heard or log.quoted)


def sources(repository: str, revisions: int) -> Iterator[tuple[str, str]]:
    """Each different file, at the newest commit and at tags spread over the history: its name and its blob."""
    tags = _git(repository, "tag", "--sort=creatordate")
    step = max(1, len(tags) // revisions) if revisions else 0
    seen = set[str]()
    for revision in ["HEAD", *(tags[::step] if step else [])]:
        for line in _git(repository, "ls-tree", "-r", revision):
            mark, _, name = line.partition("\t")
            blob = mark.split()[2]
            path = PurePosixPath(name)
            if path.suffix[1:] in ENDINGS and blob not in seen and NO_SOURCE.search(name) is None:
                seen.add(blob)
                yield name, blob


def main() -> None:
    """Print how many texts of each repository are known, and on demand the unknown ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--revisions", type=int, default=0, help="how many tags are looked through")
    parser.add_argument("--unknown", action="store_true", help="print the texts that are not read")
    parser.add_argument("folders", nargs="+")
    asked = parser.parse_args()
    for repository in asked.folders:
        found = dict[str, Text]()
        blobs = {blob: name for name, blob in sources(repository, asked.revisions)}
        for blob, source in _contents(repository, list(blobs)):
            if WORDS.search(source):
                found |= {each.text: each for each in texts(source, blobs[blob])}
        read_too = {text for text in found if known(text)}
        print(f"{repository}: {len(read_too):,} of {len(found):,} texts are read")
        if asked.unknown:
            for text in sorted(found.keys() - read_too):
                print(f"  {PurePosixPath(found[text].file).name}: {text}")


def _contents(repository: str, blobs: list[str]) -> Iterator[tuple[str, str]]:
    """The text of each blob."""
    command = ["git", "--git-dir", repository, "cat-file", "--batch"]
    done = subprocess.run(command, input="\n".join(blobs).encode(), capture_output=True, check=False)
    stream = io.BytesIO(done.stdout)
    for line in iter(stream.readline, b""):
        head = line.split()
        if len(head) != 3:
            continue  # a file that the snapshot lacks
        yield head[0].decode(), stream.read(int(head[2])).decode("utf-8", "replace")
        stream.read(1)


def _git(repository: str, *command: str) -> list[str]:
    done = subprocess.run(["git", "--git-dir", repository, *command], capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"templates: expected a git directory, not {repository}: {done.stderr.decode().strip()}")
    return done.stdout.decode("utf-8", "replace").splitlines()


if __name__ == "__main__":
    main()
