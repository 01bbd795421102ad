"""One JSON-RPC message, read from the bytes of a line or of a body; what to answer where it is none.

Promises that half a surrogate, which JSON can write and UTF-8 cannot carry, becomes U+FFFD and spoils nothing else, and
that an error names the id of the request wherever that can be read: who waits for it would else wait for ever.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from pydantic import ValidationError

from plainbrain.model.jsontext import json_text

Message = types.JSONRPCRequest | types.JSONRPCNotification | types.JSONRPCResponse | types.JSONRPCError
#: Bytes at each end of a text that are looked through for an id.
END = 4096
_NAME = re.compile(r'[\s{,]*"([^"\\]{0,40})"\s*:\s*')
_LAST_ID = re.compile(r',\s*"id"\s*:\s*(-?\d{1,20}|"[^"\\]{0,200}")\s*\}\s*$')
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class NoMessage:
    """Say what is wrong with a text that is no message, and which request it was; ``id`` is None where nobody can tell."""

    code: int
    text: str
    id: object = None

    def answer(self) -> str:
        """Return the JSON-RPC error to send."""
        error = {"code": self.code, "message": self.text}
        return json_text({"jsonrpc": "2.0", "id": self.id, "error": error}, ascii=True)


def read_message(data: bytes, *, called: str) -> Message | NoMessage:
    """Return the message in a text; ``called`` is what to call the text where it holds none."""
    text = data.decode("utf-8", "replace")
    try:
        message: Message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except (ValidationError, ValueError, RecursionError):
        return _read_again(text, called)
    # A request whose id the protocol does not know would pass for a notification, and never be answered.
    if isinstance(message, types.JSONRPCNotification) and '"id"' in text and "id" in (found := json.loads(text)):
        return _wrong_id(found["id"])
    return message


def _read_again(text: str, called: str) -> Message | NoMessage:
    """Read what the strict reader refused: with half surrogates replaced it may be a message."""
    try:
        found = clean(json.loads(text))
    except (ValueError, RecursionError):
        return NoMessage(types.PARSE_ERROR, f"The {called} is not JSON.", find_id(text))
    id = found.get("id") if isinstance(found, dict) else None
    try:
        message: Message = types.jsonrpc_message_adapter.validate_python(found, by_name=False)
    except ValidationError:
        text = f"The {called} is JSON, but not one JSON-RPC message."
        return NoMessage(types.INVALID_REQUEST, text, id if _is_id(id) else None)
    if isinstance(message, types.JSONRPCNotification) and "id" in found:
        return _wrong_id(id)
    return message


def _wrong_id(id: object) -> NoMessage:
    text = "The id of a request is a text or a whole number."
    return NoMessage(types.INVALID_REQUEST, text, id if _is_id(id) else None)


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def find_id(head: str, tail: str = "") -> object:
    """Return the id that stands among the first members of a broken or overlong text, or last in it; None without one."""
    at = 0
    while name := _NAME.match(head, at):
        try:
            value, at = _DECODER.raw_decode(head, name.end())
        except (ValueError, RecursionError):
            break  # it goes on beyond what we have, or is broken here
        if name[1] == "id" and at < len(head):
            return clean(value) if _is_id(value) else None
    last = _LAST_ID.search((tail or head)[-END:])
    return json.loads(last[1]) if last else None


def clean(value: Any) -> Any:
    """Return the value with half surrogates, which no UTF-8 line can carry, as U+FFFD."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {clean(key): clean(item) for key, item in value.items()}
        case list() | tuple():
            return [clean(item) for item in value]
    return value
