"""The token that opens our servers on this machine: 256 random bits in a file that only its owner can read.

The server makes it, our own clients read it. Fails closed: without a sound token nothing is served.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from plainbrain.app.settings import Settings
from plainbrain.errors import SettingsError

_BYTES = 32
_LEAST_CHARACTERS = 43


def token_path(settings: Settings) -> Path:
    """Return where the token lies."""
    return settings.state / "mcp-token"


def read_token(settings: Settings) -> str:
    """Return the token that is there. Raise SettingsError when there is none, or when others could have read it."""
    path = token_path(settings)
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            text = file.read(4_096).decode("ascii", "replace").strip()
    except OSError as error:
        raise SettingsError(
            f"there is no token at {path}: {error.strerror}", value=str(path), hint="start a server: brain mcp --http"
        ) from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise SettingsError(
            f"others can read the token {path} (mode {stat.S_IMODE(mode):04o})",
            value=str(path),
            hint="remove the file: the next start makes a new token",
        )
    if len(text) < _LEAST_CHARACTERS or not text.isprintable() or " " in text:
        raise SettingsError(f"{path} holds no token", value=str(path), hint="remove the file: the next start makes one")
    return text


def make_token(settings: Settings) -> str:
    """Return the token, making it first if there is none; two servers that start at once get the same."""
    path = token_path(settings)
    if not path.exists():
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _create(path, secrets.token_urlsafe(_BYTES))
        except OSError as error:
            raise SettingsError(
                f"no token can be kept at {path}: {error.strerror}", value=str(path), hint="set XDG_STATE_HOME"
            ) from error
    return read_token(settings)


def _create(path: Path, token: str) -> None:
    """Make the file whole or not at all: a reader never sees half a token."""
    draft = path.with_name(f".{path.name}-{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(token.encode("ascii") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        # Another server may have been faster: then its token counts.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
