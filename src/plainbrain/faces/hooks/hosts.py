"""The forms of the hosts: what each says of an event on standard input, and how it wants to be answered.

Owns the keys and the envelopes. Promises that any bytes are read as an event, an empty one at worst, and that an answer is
nothing at all, a text, or one JSON object that the host knows; never one that blocks. Knows nothing of memories.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from plainbrain.app.hosts import CLAUDE_CODE, CODEX, CURSOR
from plainbrain.records import record

SESSION_START, USER_PROMPT, PRE_COMPACT, STOP = "session-start", "user-prompt", "pre-compact", "stop"
#: What each event is called in the envelopes of Claude Code and Codex.
EVENTS = {
    SESSION_START: "SessionStart",
    USER_PROMPT: "UserPromptSubmit",
    PRE_COMPACT: "PreCompact",
    STOP: "Stop",
}
#: Bytes of an event that are read; no host sends so many.
MOST_BYTES = 32 * 1024 * 1024
#: UTF-16 units that a host takes in one text: what is longer goes to a file that the agent may never open.
MOST_UNITS = 10_000
_PROMPTS = ("prompt", "user_prompt")
_REPLIES = ("last_assistant_message", "text")


@record(frozen=True, slots=True)
class Event:
    """What a host told, whatever it calls it; every text may be empty. ``problem`` says why nothing could be read."""

    host: str = CLAUDE_CODE
    session: str = ""
    folder: str = ""
    source: str = ""
    prompt: str = ""
    reply: str = ""
    in_stop_hook: bool = False
    problem: str = ""


def read_event(data: bytes, *, host: str = "") -> Event:
    """Read what a host wrote; ``host`` names it where the caller knows."""
    if not data.strip():
        return Event(host or CLAUDE_CODE)
    if len(data) > MOST_BYTES:
        return Event(host or CLAUDE_CODE, problem=f"the event is over {MOST_BYTES} bytes")
    try:
        found = json.loads(data.decode(json.detect_encoding(data), "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        return Event(host or CLAUDE_CODE, problem=f"standard input is no JSON: {error}")
    if not isinstance(found, dict):
        return Event(host or CLAUDE_CODE, problem="standard input is no JSON object")
    folders = found.get("workspace_roots")
    first = folders[0] if isinstance(folders, list) and folders else ""
    return Event(
        host=host or detect(found),
        session=_text(found, "session_id", "conversation_id"),
        folder=_text(found, "cwd") or (_clean(first) if isinstance(first, str) else ""),
        source=_text(found, "source"),
        prompt=_text(found, *_PROMPTS),
        reply=_text(found, *_REPLIES),
        in_stop_hook=found.get("stop_hook_active") is True,
    )


def detect(event: Mapping[str, Any]) -> str:
    """Tell the host by the keys of its event."""
    if {"conversation_id", "workspace_roots", "cursor_version"} & event.keys():
        return CURSOR
    # Claude Code names the model at the start of a session only, and always names the event.
    if "turn_id" in event or ("model" in event and "hook_event_name" not in event):
        return CODEX
    return CLAUDE_CODE


def _text(event: Mapping[str, Any], *keys: str) -> str:
    return next((_clean(value) for key in keys if isinstance(value := event.get(key), str) and value), "")


def _clean(text: str) -> str:
    """Return the text without halves of characters, which no file and no database takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def takes_context(host: str, event: str) -> bool:
    """Tell whether a host puts what its hook answers into the conversation."""
    return event == SESSION_START or (event == USER_PROMPT and host != CURSOR)


def write_answer(text: str, *, host: str, event: str) -> str:
    """Return what to print so that ``host`` puts ``text`` into the conversation; nothing where there is nothing to say."""
    if not text or not takes_context(host, event):
        return ""
    if host == CURSOR:
        return json.dumps({"additional_context": text})
    if host == CODEX:
        return json.dumps({"hookSpecificOutput": {"hookEventName": EVENTS[event], "additionalContext": text}})
    return text


def units(text: str) -> int:
    """Return the length of a text as hosts count it, in UTF-16 units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2
