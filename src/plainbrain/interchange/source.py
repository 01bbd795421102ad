"""What is to be imported, as it lies on the disk: a file, a folder, or a ZIP file; read in pieces.

Owns opening, decoding and taking JSON apart without holding more than one item of it. Promises that a reader may
go through the source more than once (a file that changes meanwhile is told), and that what cannot be read at all raises ``Unreadable`` in a clear sentence.
Links out of a folder are not followed.
"""

from __future__ import annotations

import json
import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from plainbrain.errors import InputError, Unreadable
from plainbrain.interchange.doubled import doubled_keys

#: One line or one item of a document may have this many bytes.
MAX_ITEM = 64 << 20
#: A document that is not a list of items is read whole, up to here.
MAX_DOCUMENT = 256 << 20
#: A note in a folder.
MAX_NOTE = 8 << 20
#: Hidden folders of tools that keep nothing there that a person wrote down.
_OTHERS = frozenset(
    {".git", ".hg", ".svn", ".brain", ".trash", ".obsidian", ".venv", ".tox", ".nox", ".cache", ".mypy_cache",
     ".pytest_cache", ".ruff_cache", ".idea", ".DS_Store"}
)  # fmt: skip
_CHUNK = 1 << 20
HEAD = 1 << 16
_PACKED = {b"\x1f\x8b": ("gzip", "gunzip -k"), b"BZh": ("bzip2", "bunzip2 -k"), b"\xfd7zXZ": ("xz", "unxz -k"), b"(\xb5/\xfd": ("zstd", "unzstd")}  # fmt: skip


class Source:
    """Read the file, folder or ZIP file at ``path``, ``called`` what a person knows it by. Raise InputError when there is nothing to read."""

    def __init__(self, path: Path, called: str = "") -> None:
        self.path = path
        self.shown = called or str(path)
        self.name = called or path.name
        self.is_folder = path.is_dir()
        self._zip: zipfile.ZipFile | None = None
        self._seen: tuple[int, ...] | None = None
        self.screen: Callable[[dict[str, Any]], str] | None = None  # says why an object is not to be taken, if so
        self._last: tuple[bytes, Any] = (b"", None)  # the line that was read last, and its value
        if not self.is_folder:
            self._check_file()

    def _check_file(self) -> None:
        path = self.path
        try:
            with path.open("rb") as file:
                head = file.read(8)
        except FileNotFoundError:
            raise InputError(f"there is nothing at {path}", value=str(path), hint="name a file or a folder") from None
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}", value=str(path)) from error
        for magic, (name, command) in _PACKED.items():
            if head.startswith(magic):
                piped = f"on the way: {command.partition(' ')[0]} -c"
                hint = f"unpack it {f'first: {command} {path.name}' if self.name == path.name else piped}"
                raise InputError(f"{self.shown} is compressed with {name}", value=self.shown, hint=hint)
        if head.startswith(b"PK\x03\x04"):
            try:
                self._zip = zipfile.ZipFile(path)
            except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
                raise InputError(
                    f"{self.shown} is a ZIP file that is not whole: {error}",
                    value=self.shown,
                    hint="export or copy it again",
                ) from error

    def close(self) -> None:
        """Let go of the file."""
        if self._zip is not None:
            self._zip.close()

    @property
    def doubled(self) -> tuple[str, ...]:
        """Keys that stand twice on the line that was read last."""
        return doubled_keys(*self._last)

    @property
    def is_container(self) -> bool:
        """Whether it holds files rather than being one."""
        return self.is_folder or self._zip is not None

    @property
    def size(self) -> int:
        """Bytes of a single file; 0 for what holds files."""
        return 0 if self.is_container else self.path.stat().st_size

    def names(self) -> list[str]:
        """Return the files in it, by path with ``/``, in order; hidden files and folders and links are left out."""
        if self._zip is not None:
            return sorted(i.filename for i in self._zip.infolist() if not i.is_dir() and not _is_hidden(i.filename))
        return sorted(self._walk(self.path, "")) if self.is_folder else [""]

    def _walk(self, folder: Path, prefix: str) -> Iterator[str]:
        for entry in _entries(folder):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self._walk(folder / entry.name, f"{prefix}{entry.name}/")
            elif entry.is_file(follow_symlinks=False):
                yield f"{prefix}{entry.name}"

    def hidden(self) -> list[str]:
        """Return the hidden files and folders in a folder, by path, a folder with ``/`` at its end; other tools' stores are left out."""
        return sorted(self._walk_hidden(self.path, "")) if self.is_folder else []

    def _walk_hidden(self, folder: Path, prefix: str) -> Iterator[str]:
        for entry in _entries(folder):
            is_folder = entry.is_dir(follow_symlinks=False)
            if entry.name.startswith("."):
                if entry.name not in _OTHERS and not entry.is_symlink():
                    yield f"{prefix}{entry.name}{'/' if is_folder else ''}"
            elif is_folder:
                yield from self._walk_hidden(folder / entry.name, f"{prefix}{entry.name}/")

    @contextmanager
    def open(self, name: str = "") -> Iterator[IO[bytes]]:
        """Open one file of it for reading. Raise InputError."""
        try:
            if self._zip is not None:
                with self._zip.open(name) as file:
                    yield file
            else:
                with (self.path / name if name else self.path).open("rb") as plain:
                    self._check_same(plain, name)
                    yield plain
                    self._check_same(plain, name)
        except (OSError, KeyError, RuntimeError, zipfile.BadZipFile, NotImplementedError) as error:
            where = name or self.shown
            raise InputError(f"{where} cannot be read: {error}", value=where) from error

    def _check_same(self, file: IO[bytes], name: str) -> None:
        """Raise InputError where a single file, which is read more than once, is another now than it was at first."""
        facts = os.fstat(file.fileno())
        if name or not stat.S_ISREG(facts.st_mode):
            return
        now = (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)
        if self._seen not in (None, now):
            raise self.has_changed()
        self._seen = now

    def has_changed(self) -> InputError:
        """Return the error that says that the file is another now than it was at first."""
        return InputError(f"{self.shown} changed while it was read", value=self.shown, hint="import it again")

    def head(self, name: str = "") -> bytes:
        """Return the beginning of a file, without a byte order mark."""
        with self.open(name) as file:
            return file.read(HEAD).removeprefix(b"\xef\xbb\xbf")

    def text(self, name: str = "", *, limit: int = MAX_NOTE) -> str:
        """Return a whole text file. Raise Unreadable when it is too long or not UTF-8."""
        where = name or self.shown
        with self.open(name) as file:
            data = file.read(limit + 1)
        if len(data) > limit:
            raise Unreadable(f"{where} has more than {limit >> 20} MB", value=where, hint="split it", path=where)
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"{where} is not UTF-8 (byte {error.start + 1})"
            raise Unreadable(message, value=where, hint="convert it: iconv -t UTF-8", path=where) from None

    def lines(self, name: str = "") -> Iterator[tuple[int, bytes | None]]:
        """Yield number and bytes of each line that is not blank; None for one that is too long to hold."""
        with self.open(name) as file:
            number = 0
            while data := file.readline(MAX_ITEM):
                number += 1
                if len(data) >= MAX_ITEM and not data.endswith(b"\n"):
                    while (rest := file.readline(MAX_ITEM)) and not rest.endswith(b"\n"):
                        pass
                    yield number, None
                    continue
                if number == 1:
                    data = data.removeprefix(b"\xef\xbb\xbf")
                if data := data.strip():
                    yield number, data

    def objects(self, name: str = "") -> Iterator[tuple[int, dict[str, Any] | str]]:
        """Yield number and object of each line of a JSONL file; a text that says what is wrong for a line that is none."""
        for number, data in self.lines(name):
            if data is None:
                yield number, f"the line has more than {MAX_ITEM >> 20} MB"
                continue
            try:
                value = _parsed(data)
            except UnicodeDecodeError as error:
                yield number, f"the line is not UTF-8 (byte {error.start + 1})"
            except json.JSONDecodeError:
                yield number, "the line is no JSON"
            except ValueError:
                yield number, "the line has a number of more digits than can be read"
            except RecursionError:
                yield number, "the line is nested deeper than can be read"
            else:
                self._last = data, value
                if not isinstance(value, dict):
                    value = "the line is no JSON object"
                elif self.screen is not None:
                    value = self.screen(value) or value
                yield number, value

    def document(self, name: str = "") -> Any:
        """Return a whole JSON document. Raise Unreadable."""
        where = name or self.shown
        text = self.text(name, limit=MAX_DOCUMENT)
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{where} is no JSON: {error}", value=where, path=where) from None

    def items(self, name: str = "") -> Iterator[tuple[int, Any]]:
        """Yield number and value of each item of a JSON list, one at a time. Raise Unreadable where it is not whole."""
        where = name or self.shown
        with self.open(name) as file:
            yield from _items(file, where)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []  # a folder that we may not enter: its notes are not ours to take


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))


_BLANKS = " \t\r\n"
_decode = json.JSONDecoder().raw_decode


def _parsed(line: bytes) -> Any:
    """Return what ``json.loads`` does, for an object in UTF-8 without its asking for the encoding and the blanks around it."""
    if line[:1] == b"{" and line[1:2] != b"\0":
        text = line.decode("utf-8", "surrogatepass")
        value, end = _decode(text)
        if end == len(text):
            return value
    return json.loads(line)


def _items(file: IO[bytes], where: str) -> Iterator[tuple[int, Any]]:
    decoder, buffer, number, want = json.JSONDecoder(), "", 0, _CHUNK
    decode = _Decoding(where)
    buffer = decode.more(file, want).lstrip(_BLANKS)
    if not buffer.startswith("["):
        raise Unreadable(f"{where} is no JSON list", value=where, path=where)
    buffer = buffer[1:]
    while True:
        buffer = buffer.lstrip(_BLANKS + ("," if number else ""))
        if buffer.startswith("]"):
            return
        try:
            value, end = decoder.raw_decode(buffer)
            if end == len(buffer):
                raise ValueError  # a number may go on in the next piece
        except (ValueError, RecursionError):
            more = decode.more(file, want)
            if not more or len(buffer) > MAX_ITEM:
                raise Unreadable(
                    f"{where} is not whole after item {number}",
                    value=where,
                    hint="export it again; the items before were read",
                    path=where,
                ) from None
            buffer += more
            want = max(_CHUNK, len(buffer))  # doubling: a long item is tried few times
            continue
        number += 1
        buffer = buffer[end:]
        yield number, value


class _Decoding:
    """Decode a file piece by piece, a character never cut."""

    def __init__(self, where: str) -> None:
        self._rest = b""
        self._where = where
        self._begun = False

    def more(self, file: IO[bytes], size: int) -> str:
        data = self._rest + file.read(size)
        if not self._begun:
            data, self._begun = data.removeprefix(b"\xef\xbb\xbf"), True
        try:
            self._rest = b""
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            if error.end == len(data) and len(data) - error.start < 4 and "unexpected end" in error.reason:
                self._rest = data[error.start :]
                return data[: error.start].decode("utf-8")
            raise Unreadable(f"{self._where} is not UTF-8", value=self._where, path=self._where) from None
