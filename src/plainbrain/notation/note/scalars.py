"""Text as YAML that every reader sees alike: quoting, numbers, and the lines of one key.

Owns the writing of values. Promises that a reader of YAML 1.1 and one of 1.2 both see the text that was
meant, and that ``typed`` of what was written is the value. Knows nothing of memories.

A *node* is what stands behind a key: ``Plain`` (text without quotes), ``str`` (text in quotes, or text to be
quoted as need be), a list or a mapping of nodes; when writing also the numbers, booleans and None of JSON.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

Node = Any


class Plain(str):
    """Text that stands in a block without quotes; when writing, text that is to stand as it is."""

    __slots__ = ()


#: Everything that YAML cannot hold as it is, and its exotic line ends.
ODD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "none"])
#: Letters that no number and no date holds in any YAML.
_WORDY = re.compile("[g-np-su-wyG-NP-SU-WY]")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z", re.ASCII)
_MAX_NUMBER = 400
_SPECIAL: dict[str, object] = {
    "": None,
    "null": None,
    "true": True,
    "false": False,
    ".nan": math.nan,
    ".inf": math.inf,
    "-.inf": -math.inf,
}


def quote(text: str) -> str:
    """Write ``text`` on one line, in quotes unless no reader of a block could take it for anything else."""
    if _is_plain(text) and ": " not in text and " #" not in text and text[-1] != ":":
        return text
    return _in_quotes(text)


def quote_in_flow(text: str) -> str:
    """Write ``text`` for a place between brackets, where commas and braces mean something too."""
    if _is_plain(text) and not any(c in ",[]{}:#?\"'" for c in text):
        return text
    return _in_quotes(text)


def _is_plain(text: str) -> bool:
    if not text or text[-1] == " " or "\n" in text or ODD.search(text):
        return False
    first = text[0]
    if not first.isalnum():
        return False
    if not first.isascii() and first.isalpha():
        return True
    return text.lower() not in _WORDS if first.isalpha() else _WORDY.search(text) is not None


def _in_quotes(text: str) -> str:
    if ('"' in text or "\\" in text) and "'" not in text and "\n" not in text and not ODD.search(text):
        return f"'{text}'"
    return double_quote(text)


def double_quote(text: str) -> str:
    """Write ``text`` between double quotes, with escapes that YAML 1.1 and 1.2 share."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    escaped = escaped.replace("\r", "\\r")
    return f'"{ODD.sub(lambda found: _escape(found[0]), escaped)}"'


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def number_text(number: float) -> str:
    """Write a number so that every reader sees a number, and the same one."""
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return ".nan" if math.isnan(number) else ".inf" if number > 0 else "-.inf"
    text = repr(float(number))
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def typed(node: Node) -> Node:
    """Return the JSON value of a node: unquoted text in the one written form of a number, a boolean or null is that."""
    if isinstance(node, dict):
        return {str(key): typed(item) for key, item in node.items()}
    if isinstance(node, list):
        return [typed(item) for item in node]
    if not isinstance(node, Plain):
        return node
    if node in _SPECIAL:
        return _SPECIAL[node]
    if len(node) <= _MAX_NUMBER and _NUMBER.match(node):
        number = json.loads(node)
        if number_text(number) == node:
            return number
    return str(node)


def key_lines(key: str, node: Node, *, indent: str = "") -> list[str]:
    """Return the lines, without line ends, of ``key`` with the value ``node``."""
    name = f"{indent}{quote_in_flow(key)}:"
    if isinstance(node, str) and not isinstance(node, Plain) and "\n" in node:
        header, lines = _literal(node)
        if header:
            return [f"{name} {header}", *(f"{indent}  {line}" if line else "" for line in lines)]
    if isinstance(node, Mapping) and node:
        return [name, *(line for k, v in node.items() for line in key_lines(str(k), v, indent=indent + "  "))]
    if isinstance(node, (list, tuple)) and node and all(isinstance(item, Mapping) and item for item in node):
        return [name, *(line for item in node for line in item_lines(item, indent=indent + "  "))]
    return [f"{name} {inline(node)}"]


def item_lines(node: Node, *, indent: str) -> list[str]:
    """Return the lines of one item of a list that has an item on each line."""
    if not isinstance(node, Mapping) or not node:
        return [f"{indent}- {inline(node)}"]
    pairs = [f"{quote_in_flow(str(key))}: {inline(item)}" for key, item in node.items()]
    return [f"{indent}{'  ' if i else '- '}{pair}" for i, pair in enumerate(pairs)]


def inline(node: Node) -> str:
    """Return a value on one line, as it may stand after ``key: ``."""
    return quote(node) if isinstance(node, str) and not isinstance(node, Plain) else in_flow(node)


def in_flow(node: Node) -> str:
    """Return a value on one line, as it may stand between brackets."""
    match node:
        case Plain():
            return str(node)
        case str():
            return quote_in_flow(node)
        case None:
            return "null"
        case bool():
            return "true" if node else "false"
        case int() | float():
            return number_text(node)
        case Mapping():
            return "{" + ", ".join(f"{quote_in_flow(str(k))}: {in_flow(v)}" for k, v in node.items()) + "}"
        case _:
            return "[" + ", ".join(in_flow(item) for item in node) + "]"


def _literal(text: str) -> tuple[str, list[str]]:
    """Return the header and the lines of a block scalar that reads back exactly, or ``""`` where none would."""
    body = text[:-1] if text[-1] == "\n" else text
    lines = body.split("\n")
    odd = ODD.search(text) is not None or body[:1] in ("", " ", "\n") or body[-1] == "\n"
    if odd or any(line and line.isspace() for line in lines):
        return "", []
    return "|" if text[-1] == "\n" else "|-", lines
