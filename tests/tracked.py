"""The files of the repository, as git knows them: tracked, or new and not ignored."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def files() -> list[Path]:
    """Each file that is there, relative to the root. CalledProcessError outside of a repository of git."""
    # whoever runs the tests need not own the checkout
    git = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
    listed = subprocess.run(
        [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True, capture_output=True
    ).stdout.decode("utf-8")
    return [Path(name) for name in sorted(set(listed.split("\0"))) if name and (ROOT / name).is_file()]


def ignored(*paths: Path) -> set[Path]:
    """Which of these paths the rules of the repository keep out of git, whether or not they are there."""
    names = "\0".join(path.as_posix() for path in paths)
    git = ("git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT))
    found = subprocess.run(
        [*git, "check-ignore", "--no-index", "-z", "--stdin"], input=names, capture_output=True, text=True
    )
    return {Path(name) for name in found.stdout.split("\0") if name}


def text_of(file: Path) -> str:
    """The text of a file; of one that holds no text, what of it can be read as such."""
    return (ROOT / file).read_text(encoding="utf-8", errors="replace")


def copied(folder: Path) -> Path:
    """A copy of the checkout without what builds and runs leave behind."""
    for file in files():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / file, folder / file)
    return folder
