"""Files in folders and in storage: a place is a path or the URI of a file in storage; both have the same methods.

Storage has neither reliable renames nor reliable locks: readers see a written file whole or not at all; where a file
system shows a file before it is whole, another file, written later, marks it as whole.
"""

import errno
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from os import environ
from pathlib import Path
from typing import Any, NamedTuple

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

SCHEMES = ("s3", "gs", "hdfs", "abfss")
URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<root>[^/]*)(?P<rest>.*)", re.DOTALL)
OF_S3 = ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3")
"""The variables that say where a bucket is; where none is set, the bucket itself is asked."""
AHEAD = 1 << 20
"""The bytes that one request reads."""


class Looked(NamedTuple):
    """The size of a file in bytes, and the time of its last change in ns."""

    st_size: int
    st_mtime_ns: int


class Remote(NamedTuple):
    """A file or folder in storage, by its URI, with the methods of a path that the pipeline uses."""

    uri: str

    def __str__(self) -> str:
        return self.uri

    def __truediv__(self, name: str) -> "Remote":
        return Remote(f"{self.uri.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        """The text after the last slash."""
        return self.uri.rstrip("/").rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return Path(self.name).stem

    @property
    def parents(self) -> tuple["Remote", ...]:
        """The folders above, the nearest first."""
        found = URI.fullmatch(self.uri)
        assert found is not None
        parts = found["rest"].strip("/").split("/")
        root = f"{found['scheme']}://{found['root']}"
        return tuple(Remote("/".join([root, *parts[:count]])) for count in range(len(parts) - 1, -1, -1))

    def stat(self) -> Looked:
        """The size and time of the file. FileNotFoundError if it does not exist."""
        info = self._info()
        if info.type.name == "NotFound":
            raise FileNotFoundError(errno.ENOENT, "No such file or folder", self.uri)
        return Looked(info.size or 0, info.mtime_ns or 0)

    def exists(self) -> bool:
        """Whether there is a file of this name, or any file below it."""
        return bool(self._info().type.name != "NotFound")

    def is_dir(self) -> bool:
        """Whether files are below it."""
        return bool(self._info().type.name == "Directory")

    def is_file(self) -> bool:
        """Whether it is a file."""
        return bool(self._info().type.name == "File")

    def open(self, mode: str = "rb") -> io.BufferedReader:
        """The file, to be read."""
        assert mode == "rb"
        with _said(self.uri):
            system, path = _located(self.uri)
            return io.BufferedReader(_Reading(system.open_input_file(path), self.uri), AHEAD)

    def read_bytes(self) -> bytes:
        """The whole file."""
        with self.open() as file:
            return file.read()

    def write_bytes(self, content: bytes) -> None:
        """Write the whole file."""
        with _said(self.uri):
            system, path = _located(self.uri)
            with system.open_output_stream(path) as file:
                file.write(content)

    def iterdir(self) -> Iterator["Remote"]:
        """The files directly in the folder; none if the folder does not exist."""
        yield from (each for each, _ in self.below(recursive=False))

    def below(self, *, recursive: bool = True) -> Iterator[tuple["Remote", int]]:
        """The files in the folder and, if recursive, below it, by name, each with its size in bytes."""
        from pyarrow import fs  # type: ignore[import-untyped]  # it comes without types

        with _said(self.uri):
            system, path = _located(self.uri)
            infos = system.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=recursive))
        for info in sorted(infos, key=lambda each: each.path):
            if info.type is fs.FileType.File:
                yield self / info.path[len(path.rstrip("/")) + 1 :], info.size

    def unlink(self, missing_ok: bool = False) -> None:
        """Remove the file."""
        with _said(self.uri):
            system, path = _located(self.uri)
            try:
                system.delete_file(path)
            except FileNotFoundError:
                if not missing_ok:
                    raise

    def mkdir(self, parents: bool = True, exist_ok: bool = True) -> None:
        """Make the folder where the storage has folders; the keys of an object store need none."""
        if not self.uri.startswith(("s3:", "gs:")):
            with _said(self.uri):
                system, path = _located(self.uri)
                system.create_dir(path, recursive=True)

    def _info(self) -> Any:
        with _said(self.uri):
            system, path = _located(self.uri)
            (info,) = system.get_file_info([path])
            return info


Place = Path | Remote


def place_of(name: str | Path) -> Place:
    """The place of this name. Raises BadInput for a URI of an unknown kind of storage."""
    found = URI.fullmatch(str(name))
    if found is None:
        return Path(name)
    if found["scheme"] == "file" and found["root"] == "":
        return Path(found["rest"])
    if found["scheme"] not in SCHEMES or not found["root"]:
        known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
        raise BadInput(f"expected a path, or a URI of storage that begins with one of {known}", file=str(name))
    return Remote(str(name).rstrip("/"))


def files_in(folder: Place) -> list[Place]:
    """The files and folders directly in a folder, by name."""
    return sorted(folder.iterdir(), key=str)


@cache
def _system(scheme: str, root: str) -> tuple[Any, str]:
    """The file system of a URI's root, and the path of that root in it."""
    from pyarrow import fs

    if scheme == "s3" and any(environ.get(name) for name in OF_S3):
        endpoint = environ.get("AWS_ENDPOINT_URL_S3") or environ.get("AWS_ENDPOINT_URL")
        return fs.S3FileSystem(endpoint_override=endpoint), root
    system, path = fs.FileSystem.from_uri(f"{scheme}://{root}/")
    return system, path.rstrip("/")


def _located(uri: str) -> tuple[Any, str]:
    found = URI.fullmatch(uri)
    assert found is not None
    system, root = _system(found["scheme"], found["root"])
    return system, root + found["rest"]


@contextmanager
def storage_answers() -> Iterator[None]:
    """Raise BadInput, in the storage's own words, where storage fails within the block."""
    try:
        yield
    except OSError as error:
        if isinstance(error.filename, str) and URI.match(error.filename):
            raise BadInput(f"expected storage that can be used, but {in_words(error)}", file=error.filename) from error
        raise


@contextmanager
def _said(uri: str) -> Iterator[None]:
    """Raise a failure of storage as an OSError with a number and a sentence, like a failure of a local file."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(errno.ENOENT, "No such file or folder", uri) from error
    except (OSError, ValueError) as error:
        sentence, _, _ = str(error).partition("\n")
        raise OSError(errno.EIO, f"the storage said: {sentence}", uri) from error


class _Reading(io.RawIOBase):
    """A file in storage with Python's interface of files."""

    def __init__(self, file: Any, uri: str):
        self._file, self._uri = file, uri

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _said(self._uri):
            return int(self._file.readinto(buffer))

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _said(self._uri):
            self._file.seek(offset, whence)
            return int(self._file.tell())

    def tell(self) -> int:
        return int(self._file.tell())

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()
