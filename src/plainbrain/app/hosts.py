"""The hooks in the settings of an agent's host: put in, brought up to date, taken out, and nothing else touched.

Owns where each host keeps its hooks and in which form. Promises that a file which is not understood is refused and left as
it is, that what others wrote stays byte for byte, and that putting in twice is putting in once.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plainbrain.errors import InputError
from plainbrain.files.outcome import told
from plainbrain.later import later
from plainbrain.records import record

if TYPE_CHECKING:
    import shlex
    import shutil

    from plainbrain.files import atomic, beneath
    from plainbrain.notation import json_edit
else:
    # The names of the hosts are asked for at every hook, the rest once.
    shlex, shutil = later("shlex"), later("shutil")
    atomic, beneath = later("plainbrain.files.atomic"), later("plainbrain.files.beneath")
    json_edit = later("plainbrain.notation.json_edit")

CLAUDE_CODE, CODEX, CURSOR = "claude-code", "codex", "cursor"
#: Folder and file of each host, in the home folder or in the project.
PLACES = {
    CLAUDE_CODE: (".claude", "settings.json"),
    CODEX: (".codex", "hooks.json"),
    CURSOR: (".cursor", "hooks.json"),
}
SCOPES = ("user", "project")
_OURS = re.compile(r"(?:brain(?:\.exe)?[\"']?|main\(\)[\"']) hook (session-start|user-prompt|pre-compact|stop)(?=\s|$)")
#: Our event by the host's name for it, with what limits it and how long the host waits.
_EVENTS = {
    "SessionStart": ("session-start", {"matcher": "startup|resume|clear|compact"}, 10),
    "UserPromptSubmit": ("user-prompt", {}, 5),
    "PreCompact": ("pre-compact", {}, 5),
    "Stop": ("stop", {}, 10),
}


@record(frozen=True, slots=True)
class Settled:
    """What became of a host's settings: the file, its text now, and whether it differs from before."""

    path: Path
    text: str
    is_changed: bool


def settings_path(host: str, scope: str, *, home: Path, project: Path) -> Path:
    """Return the file in which a host keeps its hooks. Raise InputError for a host or scope that is none."""
    if host not in PLACES:
        raise InputError(f"there is no host {host!r}", value=host, hint="hosts: " + ", ".join(PLACES))
    if scope not in SCOPES:
        raise InputError(f"there is no scope {scope!r}", value=scope, hint="scopes: " + ", ".join(SCOPES))
    return Path(home if scope == "user" else project, *PLACES[host])


def command_line(*, scope: str, options: list[str]) -> str:
    """Return how a host is to call us, but for the event: by a whole path in a person's own settings, by name in a project's."""
    if scope == "project":
        program = ["brain"]
    else:
        found = shutil.which("brain") or _beside_python()
        program = (
            [os.path.abspath(found)]
            if found
            else [sys.executable, "-c", "from plainbrain.faces.cli.main import main; main()"]
        )
    return " ".join([shlex.join(program), "hook", "EVENT", *map(shlex.quote, options)])


def _beside_python() -> str:
    found = Path(sys.executable).with_name("brain")
    return str(found) if found.exists() else ""


def install(path: Path, host: str, command: str, *, writes: bool = True) -> Settled:
    """Put our hooks into the settings at ``path``. Raise InputError for a file that is not understood, else as writing does."""
    wanted = _wanted(host, command)

    def change(text: str, settings: dict[str, Any]) -> str:
        if _ours(settings, host) == {name: [entry] for name, entry in wanted.items()}:
            return text
        text = _without_ours(text, settings)
        if host == CURSOR and "version" not in settings:
            text = json_edit.put_in(text, (), 1, key="version")
        if "hooks" not in json.loads(text):
            text = json_edit.put_in(text, (), {}, key="hooks")
        for name, entry in wanted.items():
            if name not in json.loads(text)["hooks"]:
                text = json_edit.put_in(text, ("hooks",), [], key=name)
            text = json_edit.put_in(text, ("hooks", name), entry)
        return text

    return _edit(path, change, writes=writes)


def remove(path: Path, *, writes: bool = True) -> Settled:
    """Take our hooks out of the settings at ``path``, and nothing else. Raise as ``install``."""
    return _edit(path, _without_ours, writes=writes)


def _wanted(host: str, command: str) -> dict[str, dict[str, Any]]:
    """Return the entry of each event, by the host's name for it."""
    if host == CURSOR:  # it takes context at the start of a session only
        return {"sessionStart": {"command": _call(command, "session-start", host), "timeout": 10}}
    found: dict[str, dict[str, Any]] = {}
    for name, (event, limits, seconds) in _EVENTS.items():
        handler: dict[str, Any] = {"type": "command", "command": _call(command, event, host), "timeout": seconds}
        if event == "stop" and host == CLAUDE_CODE:
            handler["async"] = True
        found[name] = {**limits, "hooks": [handler]}
    return found


def _call(command: str, event: str, host: str) -> str:
    rest = command if event == "user-prompt" else command.replace(" --learn", "")
    return rest.replace("EVENT", event, 1) + f" --host {host}"


def _is_ours(handler: object) -> bool:
    return isinstance(handler, dict) and isinstance(said := handler.get("command"), str) and bool(_OURS.search(said))


def _places(settings: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of each entry that is ours: the whole group where nothing else is in it."""
    for name, entries in settings.get("hooks", {}).items():
        for number, entry in enumerate(entries):
            handlers = entry.get("hooks") if isinstance(entry, dict) else None
            if _is_ours(entry):
                yield ("hooks", name, number)
            elif isinstance(handlers, list):
                ours = [at for at, handler in enumerate(handlers) if _is_ours(handler)]
                if ours and len(ours) == len(handlers):
                    yield ("hooks", name, number)
                else:
                    yield from (("hooks", name, number, "hooks", at) for at in ours)


def _ours(settings: dict[str, Any], host: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for path in _places(settings):
        value: Any = settings
        for step in path:
            value = value[step]
        found.setdefault(str(path[1]), []).append(value)
    return found


def _without_ours(text: str, settings: dict[str, Any]) -> str:
    touched: dict[str, None] = {}
    for path in reversed(list(_places(settings))):
        text = json_edit.take_out(text, path)
        touched[str(path[1])] = None
    for name in touched:
        if not json.loads(text)["hooks"][name]:
            text = json_edit.take_out(text, ("hooks", name))
    if touched and not json.loads(text)["hooks"]:
        text = json_edit.take_out(text, ("hooks",))
    return text


def _edit(path: Path, change: Callable[[str, dict[str, Any]], str], *, writes: bool) -> Settled:
    path = Path(os.path.realpath(path))  # settings that are kept elsewhere and linked to stay so
    data = _read(path)
    mark = "\ufeff" if data.startswith("\ufeff") else ""
    text = data.removeprefix("\ufeff") or "{}\n"
    settings = _understand(text, path)
    after = mark + change(text, settings)
    if after == mark + text or (not data and json.loads(after.removeprefix("\ufeff")) == {}):
        return Settled(path, data, False)
    if writes:
        _write(path, after)
    return Settled(path, after, True)


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path} is not UTF-8 (byte {error.start + 1})", value=str(path), hint="it was left as it is"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", value=str(path)) from error


def _understand(text: str, path: Path) -> dict[str, Any]:
    """Return the settings. Raise InputError where they are not what a host reads."""
    hint = "mend it, then repeat; it was left as it is"
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}", value=str(path), hint=hint) from error
    except RecursionError as error:
        raise InputError(f"{path} is nested too deep", value=str(path), hint=hint) from error
    if not isinstance(settings, dict):
        raise InputError(f"{path} holds no JSON object", value=str(path), hint=hint)
    hooks = settings.get("hooks", {})
    if not isinstance(hooks, dict) or not all(isinstance(entries, list) for entries in hooks.values()):
        raise InputError(f'{path}: "hooks" is not a list of hooks for each event', value=str(path), hint=hint)
    return settings


def _write(path: Path, text: str) -> None:
    with told(str(path), "write"):
        path.parent.mkdir(parents=True, exist_ok=True)
        with beneath.Beneath(path.parent).root() as folder:
            like = folder.stat(path.name) if folder.has(path.name) else None
            temp = atomic.write_temp(folder, text.encode("utf-8"), like=like)
            try:
                folder.rename(temp, path.name)
            except BaseException:
                atomic.discard(folder, temp)
                raise
            folder.sync()
