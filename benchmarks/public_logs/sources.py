"""Places of public source code with a broker's words: `tidegate why` should answer none of them.

    python sources.py FOLDER...

FOLDER is a git directory of a public repository. Each place is a line of a program with the words of a known line, with
twelve lines before and after, as a person may paste it. None of it is kept.
"""

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from tidegate.why.answer import Asked, answer
from tidegate.why.lines import FORMS
from tidegate.why.reading import read
from tidegate.why.retyped import CODES

ENDINGS = (
    "java",
    "erl",
    "ex",
    "exs",
    "py",
    "go",
    "js",
    "ts",
    "cs",
    "rb",
    "sh",
    "kt",
    "scala",
    "c",
    "cpp",
    "groovy",
    "php",
)
AROUND = 12
LEAST = 7
"""The fewest characters of the words; shorter ones stand in programs of every kind."""
LONGEST = 2000
WORDS = sorted(
    {form.mark for form in FORMS if not form.common and len(form.mark) >= LEAST} | {code for code, _ in CODES}
)
PLACE = re.compile("|".join(map(re.escape, WORDS)))


def places(repository: str) -> Iterator[str]:
    """The text of each place in a repository; of overlapping places only the first counts."""
    for name in _git(
        repository, "grep", "-lF", "-I", *_each("-e", WORDS), "HEAD", "--", *(f"*.{end}" for end in ENDINGS)
    ):
        lines = _git(repository, "show", name)
        free = 0
        for number, line in enumerate(lines):
            if number >= free and len(line) <= LONGEST and PLACE.search(line):
                free = number + 2 * AROUND + 1
                yield "\n".join(lines[max(0, number - AROUND) : number + AROUND + 1])


def said(text: str) -> str:
    """The kind of the answer: nothing, a conditional answer, or a claim."""
    found = answer(read([("-", io.BytesIO(text.encode()))]), Asked())
    if found.held is not None or found.let_go:
        return "for certain"
    return "with an if" if found.quoted is not None else "cannot be told"


def main(repositories: list[str]) -> None:
    """Print the kinds of answers to the places of each repository."""
    for repository in repositories:
        print(repository, dict(sorted(Counter(map(said, set(places(repository)))).items())))


def _each(flag: str, words: list[str]) -> Iterator[str]:
    for word in words:
        yield from (flag, word)


def _git(repository: str, *command: str) -> list[str]:
    done = subprocess.run(["git", "--git-dir", repository, *command], capture_output=True, check=False)
    return done.stdout.decode("utf-8", "replace").splitlines()


if __name__ == "__main__":
    main(sys.argv[1:])
