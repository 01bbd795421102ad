"""The forms that are read, and which of them something is: told by what it holds, never by its name alone.

Owns the table of forms. A form is read by its module here, or (agent-brain's files, event logs) by the store of
that kind, since a store opens them as they lie.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from plainbrain.errors import InputError
from plainbrain.interchange.item import Item
from plainbrain.interchange.source import Source
from plainbrain.text.encoding import wide_encoding

Reader = Callable[[Source], Iterator[Item]]


@dataclass(frozen=True, slots=True)
class Form:
    """A form: its name, what it is, and how it is read: a function of a module here, or the kind of a store."""

    name: str
    title: str
    module: str = ""
    function: str = "read"
    store: str = ""

    def reader(self) -> Reader:
        """Load what reads it."""
        found: Reader = getattr(import_module(f"plainbrain.interchange.{self.module}"), self.function)
        return found


FORMS = {
    form.name: form
    for form in (
        Form("archive", "Plainbrain's archive", "archive"),
        Form("interchange", "robrain-memory/v1", "robrain"),
        Form("agent-brain", "agent-brain's memory.db, memory.json or export", store="sqlite"),
        Form("event-log", "a cognitive-memory log, any of its three forms", store="jsonl"),
        Form("mcp-memory", "the MCP memory server's graph", "mcp_memory"),
        Form("basic-memory", "Basic Memory's notes", "basic_memory", "read_folder"),
        Form("claude-code", "Claude Code's memory folder", "claude_code", "read_folder"),
        Form("markdown", "Markdown notes", "markdown"),
        Form("mem0", "a mem0 export", "mem0"),
        Form("chatgpt", "a ChatGPT export", "chatgpt"),
        Form("claude", "a Claude export", "claude_export"),
    )
}
_EVENTS = frozenset(
    {"meta", "memory", "memory_delete", "link", "link_delete", "create", "update", "delete", "unlink", "clear", "use",
     "touch", "migrate_to_cold", "migrate_to_hot", "convert_to_stub"}
)  # fmt: skip
#: Endings of files that are imported one by one.
_FILES = (".json", ".jsonl", ".ndjson", ".db")
#: Forms of which every line is an object.
_OF_LINES = ("interchange", "archive")
#: Lines that are looked at before giving up.
_LINES = 50


def detect(source: Source) -> Form:
    """Tell the form of a source. Raise InputError in a clear sentence when it is none that is read."""
    name = _of_container(source) if source.is_container else _of_file(source)
    if not name:
        hint = "say which with --from: " + ", ".join(FORMS)
        raise InputError(f"{source.shown} is of no form that is known", value=source.shown, hint=hint)
    return FORMS[name]


def form_of(name: str) -> Form:
    """Return a form by its name. Raise InputError naming those there are."""
    if name not in FORMS:
        raise InputError(f"there is no form {name!r} to import", value=name, hint="forms: " + ", ".join(FORMS))
    return FORMS[name]


def store_kind(source: Source, form: Form) -> str:
    """Return the kind of store that opens the file: for agent-brain, by what the file is."""
    if form.name != "agent-brain":
        return form.store
    return "sqlite" if source.head().startswith(b"SQLite format 3\0") else "json"


def _of_container(source: Source) -> str:
    names = source.names()
    notes = [name for name in names if name.lower().endswith((".md", ".markdown", ".mdc"))]
    for name in names:
        if name.lower().endswith(".json") and (form := _of_json(source.head(name))) in ("chatgpt", "claude"):
            return form
    if any(name.rpartition("/")[2] == "MEMORY.md" for name in notes):
        return "claude-code"
    if any(b"\npermalink:" in source.head(name) for name in notes[:200]):
        return "basic-memory"
    if notes:
        return "markdown"
    if files := [name for name in names if name.lower().endswith(_FILES)]:
        what = "the file in it" if len(files) == 1 else f"one of the {len(files):,} files in it"
        hint = f"name {what}: {source.path / files[0]}"
        raise InputError(f"{source.shown} is a folder without notes", value=source.shown, hint=hint)
    what = "holds no notes and no export" if names else "is empty"
    raise InputError(f"the folder {source.shown} {what}", value=source.shown, hint="name another folder, or a file")


def _of_file(source: Source) -> str:
    head = source.head()
    if not head.strip():
        return "interchange" if not source.size else _blank(source)
    if head.startswith(b"SQLite format 3\0"):
        return "agent-brain"
    if wide := wide_encoding(head):
        hint = f"save it as UTF-8, or on the way: iconv -f {wide} -t UTF-8 FILE | brain import -"
        raise InputError(f"{source.shown} is not UTF-8 but {wide}", value=source.shown, hint=hint)
    # One line with a NUL in it is one bad line: the others tell the form.
    if name := _of_json(head):
        return _by_lines(source, head, name)
    if b"\0" in head:
        raise InputError(f"{source.shown} is binary", value=source.shown, hint="text and SQLite files are read")
    if source.path.name == "MEMORY.md" and not source.is_container:
        return "claude-code"
    if head.startswith(b"---"):
        return "mem0" if head.count(b"\n---") > 2 else "basic-memory" if b"\npermalink:" in head else "markdown"
    return "markdown" if source.path.suffix.lower() in (".md", ".markdown", ".mdc") else ""


def _by_lines(source: Source, head: bytes, name: str) -> str:
    """Return the form. Raise InputError for one of JSON lines that was made a list, or set over several lines."""
    text = head.lstrip()
    if name not in _OF_LINES or not (text.startswith(b"[") or text[1:].lstrip(b" \t")[:1] in (b"\n", b"\r")):
        return name
    hint = "one object a line is read: jq -c 'if type == \"array\" then .[] else . end' FILE | brain import -"
    raise InputError(f"{source.shown} is JSON, but not one object a line", value=source.shown, hint=hint)


def _blank(source: Source) -> str:
    raise InputError(f"{source.shown} holds nothing but blanks", value=source.shown, hint="name another file")


def _of_json(head: bytes) -> str:
    """Tell the form of JSON or JSON lines by the beginning."""
    text = head.decode("utf-8", "ignore").lstrip("\ufeff \t\r\n")
    if text.startswith("["):
        return _of_list(text)
    if not text.startswith("{"):
        return ""
    for line in text.split("\n")[:_LINES]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and (name := _of_object(value)):
            return name
    return _of_keys(text)


def _of_object(value: Mapping[str, Any]) -> str:
    form, kind = str(value.get("format") or ""), value.get("type")
    if form.startswith("robrain-memory/"):
        return "interchange"
    if form.startswith("plainbrain-archive/"):
        return "archive"
    if kind in ("entity", "relation"):
        return "mcp-memory"
    if isinstance(value.get("entries"), list):
        return "agent-brain"
    if "mapping" in value:
        return "chatgpt"
    if "chat_messages" in value or "conversations_memory" in value or "prompt_template" in value:
        return "claude"
    if isinstance(value.get("results"), list) or isinstance(value.get("memory"), str):
        return "mem0"
    if kind in _EVENTS or ("id" in value and ("content" in value or "deleted" in value)):
        return "event-log"
    return "mcp-memory" if "entityName" in value or ("name" in value and "observations" in value) else ""


def _of_list(text: str) -> str:
    """Tell a list by its first item, by the keys in it where the item is longer than what was looked at."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text[1:].lstrip())
    except (ValueError, RecursionError):
        return _of_keys(text)
    return _of_object(value) if isinstance(value, dict) else ""


def _of_keys(text: str) -> str:
    """Tell a document that does not end within the head by the keys in it."""
    for key, name in (
        ('"mapping"', "chatgpt"),
        ('"chat_messages"', "claude"),
        ('"conversations_memory"', "claude"),
        ('"prompt_template"', "claude"),
        ('"entries"', "agent-brain"),
        ('"results"', "mem0"),
        ('"observations"', "mcp-memory"),
        ('"robrain-memory/', "interchange"),
        ('"plainbrain-archive/', "archive"),
    ):
        if key in text:
            return name
    return ""
