"""Settings: which store, where caches lie, and who asks. Read once, from arguments, environment and one TOML file.

The order for the store is: the argument, ``BRAIN_STORE``, ``BRAIN_DIR``, ``MEMORY_DIR`` with
``AGENT_BRAIN_BACKEND``, the configuration file, ``~/brain``. A relative path is relative to the current
folder, ``~`` is the home folder, and every part of the program sees the same answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from plainbrain.errors import SettingsError
from plainbrain.later import later
from plainbrain.records import record

if TYPE_CHECKING:
    import tomllib

    import platformdirs
else:
    # Only a configuration file needs the one, and only other systems than Linux the other.
    tomllib, platformdirs = later("tomllib"), later("platformdirs")

APP = "plainbrain"
KINDS = ("vault", "sqlite", "json", "jsonl", "ram")
_OFF = frozenset({"off", "false", "0", "no"})
_KEYS = {"store", "brains", "profile", "actor", "pii_mode", "model", "cache", "audit"}


@record(frozen=True, slots=True)
class Settings:
    """Hold what was decided before anything is opened.

    ``store`` is a URL; ``store_source`` says who named it; ``cache`` holds the disposable index, ``data``
    models, ``state`` this machine's own small files; ``brains`` are further stores by name;
    ``audit`` is the URL of the event log that keeps every mutation of the store.
    """

    store: str
    store_source: str
    cache: Path
    data: Path
    state: Path
    config: Path
    actor: str = ""
    pii_strict: bool = True
    profile: str = ""
    model: str = ""
    audit: str = ""
    brains: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def load_settings(environment: Mapping[str, str], *, store: str = "", config: str = "") -> Settings:
    """Read the settings. Raise SettingsError naming the file or variable and what is wrong with it."""
    path = Path(config or environment.get("BRAIN_CONFIG", "") or _user_folder("config") / "config.toml").expanduser()
    if config and not path.exists():
        raise SettingsError(f"there is no configuration file {path}", value=config, hint="write it, or name another")
    table = _read_config(path)
    brains = {str(name): str(url) for name, url in _table(table, "brains", path).items()}
    named, source = _name_store(environment, table, store=store, path=path)
    cache = environment.get("BRAIN_CACHE", "") or _text(table, "cache", path)
    return Settings(
        store=store_url(named, brains),
        store_source=source,
        cache=Path(cache).expanduser() if cache else _user_folder("cache"),
        data=_user_folder("data"),
        state=_user_folder("state"),
        config=path,
        actor=environment.get("BRAIN_ACTOR", "") or _text(table, "actor", path),
        pii_strict=(environment.get("AGENT_BRAIN_PII_MODE") or _text(table, "pii_mode", path)).lower() not in _OFF,
        profile=environment.get("BRAIN_PROFILE", "") or _text(table, "profile", path),
        model=environment.get("BRAIN_MODEL", "") or _text(table, "model", path),
        audit=audit_url(environment.get("BRAIN_AUDIT", "") or _text(table, "audit", path)),
        brains=brains,
        environment=environment,
    )


def settings_of(environment: Mapping[str, str], *, store: str = "", config: str = "", name: str = "") -> Settings:
    """Read the settings for a brain that was named. Raise SettingsError for a name that is not configured."""
    settings = load_settings(environment, store=store or name, config=config)
    if name and name not in settings.brains:
        known = ", ".join(sorted(settings.brains)) or "none"
        raise SettingsError(
            f"no brain is named {name!r} in {settings.config}",
            value=name,
            hint=f'configured: {known}; add it under [brains], as {name} = "vault:/path"',
        )
    return settings


_HOMES = {"config": ".config", "cache": ".cache", "data": ".local/share", "state": ".local/state"}


def _user_folder(what: str) -> Path:
    """Return the folder of this user for our ``config``, ``cache``, ``data`` or ``state``."""
    if not sys.platform.startswith("linux"):
        found: Path = getattr(platformdirs, f"user_{what}_path")(APP)
        return found
    named = os.environ.get(f"XDG_{what.upper()}_HOME", "").strip()
    return Path(named or os.path.expanduser(f"~/{_HOMES[what]}")) / APP


def _name_store(
    environment: Mapping[str, str], table: Mapping[str, object], *, store: str, path: Path
) -> tuple[str, str]:
    if store:
        return store, "--store"
    for variable in ("BRAIN_STORE", "BRAIN_DIR"):
        if value := environment.get(variable, ""):
            return value, variable
    if folder := environment.get("MEMORY_DIR", ""):
        return _agent_brain_store(folder, environment.get("AGENT_BRAIN_BACKEND", "")), "MEMORY_DIR"
    if value := _text(table, "store", path):
        return value, str(path)
    return "vault:~/brain", "default"


def _agent_brain_store(folder: str, backend: str) -> str:
    """Return the URL of agent-brain's store in a folder: JSON when asked for by name, SQLite for every other word."""
    if backend.strip().lower() == "json":
        return f"json:{folder}/memory.json"
    return f"sqlite:{folder}/memory.db"


def store_url(text: str, brains: Mapping[str, str] | None = None) -> str:
    """Return ``kind:absolute-path`` for a URL, a configured name, or a path (told by what lies there).

    Raise SettingsError for an unknown kind or an empty path.
    """
    if brains and text in brains:
        text = brains[text]
    kind, colon, place = text.partition(":")
    if colon and kind in KINDS:
        if kind == "ram":
            return text
        if not place.strip():
            raise SettingsError(f"the store {text!r} names no place", value=text, hint=f"write {kind}:PATH")
    elif colon and len(kind) > 1 and "/" not in kind and "\\" not in kind and not Path(text).exists():
        raise SettingsError(f"{kind!r} is no kind of store", value=text, hint="kinds: " + ", ".join(KINDS[:-1]))
    else:
        kind, place = "", text
    if place.strip() == ":memory:":
        hint = "name a file; to try something, write nothing: --dry-run"
        raise SettingsError(f"the store {text!r} would be gone with the command", value=text, hint=hint)
    if "\0" in place:
        raise SettingsError("a path cannot hold a NUL character", value=text)
    path = Path(os.path.realpath(os.path.expanduser(place)))
    return f"{kind or detect_kind(path)}:{path}"


def audit_url(text: str) -> str:
    """Return the URL of an audit log for a URL or a path; an empty text stays empty. Raise SettingsError for another kind."""
    if not text:
        return ""
    url = store_url(text)
    if not url.startswith("jsonl:"):
        raise SettingsError(f"the audit log {text!r} is no event log", value=text, hint="write jsonl:FILE")
    return url


_KIND_OF_NAME = {".db": "sqlite", ".sqlite": "sqlite", ".sqlite3": "sqlite", ".json": "json", ".jsonl": "jsonl"}


def detect_kind(path: Path) -> str:
    """Tell the kind of store at a path by what it holds; by its name only where nothing is there yet or it is damaged.

    Raise SettingsError for a file that is something else: nothing is ever appended to it.
    """
    if path.is_dir():
        return "vault"
    try:
        with path.open("rb") as file:
            head = file.read(4096)
    except OSError:
        return _KIND_OF_NAME.get(path.suffix.lower(), "vault")
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    first = text.split(b"\n", 1)[0].rstrip()
    if text.startswith(b"{") and first.endswith(b"}") and len(first) > 2:
        return "jsonl" if not _is_dump(first) else "json"
    if text.startswith((b"{", b"[")):
        return "json"
    kind = _KIND_OF_NAME.get(path.suffix.lower(), "" if text else "jsonl")
    if not kind:
        hint = "name a folder of notes, or say what it is: jsonl:PATH"
        raise SettingsError(f"{path} is no store: it holds neither SQLite nor JSON", value=str(path), hint=hint)
    return kind


def _is_dump(line: bytes) -> bool:
    return b'"entries"' in line and b'"version"' in line


def _read_config(path: Path) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}", value=str(path), hint="mend the file, or move it away") from error
    except OSError as error:
        raise SettingsError(f"{path} cannot be read: {error.strerror}", value=str(path)) from error
    if unknown := sorted(set(table) - _KEYS):
        raise SettingsError(
            f"{path}: unknown setting {unknown[0]!r}", value=unknown[0], hint="settings: " + ", ".join(sorted(_KEYS))
        )
    return table


def _text(table: Mapping[str, object], key: str, path: Path) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise SettingsError(f"{path}: {key} must be a text", value=value, hint=f'write {key} = "…"')
    return value


def _table(table: Mapping[str, object], key: str, path: Path) -> Mapping[str, object]:
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise SettingsError(f"{path}: {key} must be a table", value=value, hint=f"write a section [{key}]")
    return value
