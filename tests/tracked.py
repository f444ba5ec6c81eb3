"""The files of the repository by git: tracked, or new and not ignored."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def files() -> list[Path]:
    """Each existing file, relative to the root. CalledProcessError outside of a git repository."""
    # the user who runs the tests need not own the checkout
    git = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True
    ).stdout.decode("utf-8")
    return [Path(name) for name in sorted(set(listed.split("\0"))) if name and (ROOT / name).is_file()]


def ignored(*paths: Path) -> set[Path]:
    """The paths that the repository's rules keep out of git, whether or not the files exist."""
    names = "\0".join(path.as_posix() for path in paths)
    git = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
    found = subprocess.run(
        [*git, "check-ignore", "--no-index", "-z", "--stdin"], input=names, capture_output=True, text=True
    )
    return {Path(name) for name in found.stdout.split("\0") if name}


def text_of(file: Path) -> str:
    """The text of a file; bytes that are no UTF-8 are replaced."""
    return (ROOT / file).read_text(encoding="utf-8", errors="replace")


def copied(folder: Path) -> Path:
    """A copy of the checkout without the files that builds and runs leave behind."""
    for file in files():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, folder / file)
    return folder
