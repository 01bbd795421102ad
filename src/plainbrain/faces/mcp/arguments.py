"""What a client sends as arguments, read once: texts stand for numbers, booleans and lists, null and "" for nothing.

Owns the kinds of parameters, their flat JSON schemas and the reading of loose values. Promises that a value
is either understood or refused with what to send instead; a text parameter stays text, whatever it looks like.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from plainbrain.errors import InvalidField
from plainbrain.model.identity import bare_id

TEXT, INTEGER, NUMBER, BOOLEAN, LIST = "string", "integer", "number", "boolean", "array"
_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})
#: Lists whose items may be objects.
_OF_OBJECTS = frozenset({"links", "supersedes", "rejected"})
_NULL = frozenset({"null", "none", "undefined"})

#: What other tools call a parameter, and the names that it may have here, first come first served.
_ALSO_CALLED: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = tuple(
    (frozenset(theirs.split()), tuple(ours.split()))
    for theirs, ours in (
        ("content text note message markdown details value memory", "body text query"),
        ("q query search search_query question keywords text task prompt proposal plan", "query text"),
        ("limit n top_k topk max count num size max_results num_results", "k"),
        ("theme category folder topic namespace project path", "cortex"),
        ("kind category class", "type"),
        ("name subject heading headline key slug", "title id"),
        ("note_id memory_id note key name title uuid", "id"),
        ("summary abstract", "description"),
        ("labels tag keywords", "tags"),
        ("certainty score sure", "confidence"),
        ("link related relations relates_to", "links"),
        ("replaces supersede superseded old", "supersedes"),
        ("why reason because", "rationale reason"),
        ("alternatives rejected_alternatives", "rejected"),
        ("file paths", "files"),
        ("from source from_id id1 first", "a"),
        ("to target to_id id2 second", "b"),
        ("relation relationship type link_type", "rel"),
        ("old_id id previous", "old"),
        ("new_id by successor superseded_by replacement", "new"),
        ("start skip cursor page", "offset"),
        ("all history superseded include_old", "include_superseded"),
    )
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """Describe one parameter of a tool. ``low`` and ``high`` bound an integer: what lies beyond is brought to the bound."""

    name: str
    kind: str
    description: str
    required: bool = False
    default: object = None
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    names_note: bool = False
    may_be_empty: bool = False

    def schema(self) -> dict[str, Any]:
        """Return its JSON schema: one type, no references, no unions."""
        found: dict[str, Any] = {"type": self.kind, "description": self.description}
        if self.kind == LIST:
            found["items"] = {"type": "string"}
        if self.kind == INTEGER:
            found |= {"minimum": self.low, "maximum": self.high}
        if self.choices:
            found["enum"] = list(self.choices)
        if self.default is not None:
            found["default"] = self.default
        return found


def schema_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the input schema of a tool, flat, in the order of its parameters."""
    return {
        "type": "object",
        "properties": {parameter.name: parameter.schema() for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
        "additionalProperties": False,
    }


def read_arguments(parameters: Sequence[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every parameter's value. Raise InvalidField naming the parameter, what came and what would do."""
    known = {parameter.name: parameter for parameter in parameters}
    unknown = [name for name, value in given.items() if name not in known and value is not None]
    if unknown:
        raise _unknown(unknown, list(known))
    missing = [one for one in parameters if one.required and _is_nothing(one, given.get(one.name))]
    if missing:
        raise _missing(missing)
    return {name: _read(parameter, given.get(name)) for name, parameter in known.items()}


def _unknown(names: Sequence[str], known: list[str]) -> InvalidField:
    meant = {name: near for name in names if (near := _meant(name, known))}
    guesses = ", ".join(repr(near) if len(names) == 1 else f"{near!r} by {name!r}" for name, near in meant.items())
    what = "there is no parameter " + " and no ".join(map(repr, names))
    guess = f"did you mean {guesses}? " if meant else ""
    return InvalidField(what, value=", ".join(names), hint=f"{guess}parameters: {', '.join(known)}")


def _meant(name: str, known: list[str]) -> str:
    """Return the parameter that a name is probably meant for: what others call it, else what is spelled alike."""
    asked = name.strip().lower().replace("-", "_")
    if asked in known:
        return asked
    for names, meant in _ALSO_CALLED:
        if asked in names:
            for one in meant:
                if one in known:
                    return one
    near = get_close_matches(asked, known, 1, 0.7)
    return near[0] if near else ""


def _missing(parameters: Sequence[Parameter]) -> InvalidField:
    names = " and ".join(one.name for one in parameters)
    return InvalidField(
        f"{names} {'is' if len(parameters) == 1 else 'are'} missing",
        value=names,
        hint="send " + "; ".join(f"{one.name}: {one.description}" for one in parameters),
    )


def _read(parameter: Parameter, value: object) -> object:
    if _is_nothing(parameter, value):
        return parameter.default
    match parameter.kind:
        case "integer":
            return _read_integer(parameter, value)
        case "boolean":
            return _read_boolean(parameter, value)
        case "number":
            return _read_number(parameter, value)
        case "array":
            return _read_list(parameter, value)
    return _read_text(parameter, value)


def _is_nothing(parameter: Parameter, value: object) -> bool:
    if value is None or value == "" or value == []:
        return not (parameter.may_be_empty and value == "")
    return parameter.kind != TEXT and isinstance(value, str) and value.strip().lower() in {"", *_NULL}


def _wrong(parameter: Parameter, value: object, what: str) -> InvalidField:
    shown = json.dumps(value, ensure_ascii=False, default=str)[:80]
    return InvalidField(f"{parameter.name} must be {what}, not {shown}", value=value, hint=parameter.description)


def _read_integer(parameter: Parameter, value: object) -> int:
    number = _number(value)
    what = f"a whole number from {parameter.low} to {parameter.high}"
    if number is None or number != math.floor(number):
        raise _wrong(parameter, value, what)
    return max(min(int(number), parameter.high), parameter.low)


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        found = float(min(max(value, -1e15), 1e15))
    elif isinstance(value, str):
        try:
            found = float(value.strip())
        except ValueError:
            return None
    else:
        return None
    return None if math.isnan(found) or math.isinf(found) else found


def _read_boolean(parameter: Parameter, value: object) -> bool:
    word = str(value).strip().lower() if isinstance(value, (str, int, float)) else ""
    word = {"1.0": "1", "0.0": "0"}.get(word, word)
    if word not in _TRUE | _FALSE:
        raise _wrong(parameter, value, "true or false")
    return word in _TRUE


def _read_number(parameter: Parameter, value: object) -> float | str:
    number = _number(value)
    if number is not None:
        return number
    if isinstance(value, str):
        return value.strip()
    raise _wrong(parameter, value, "a number")


def _read_list(parameter: Parameter, value: object) -> object:
    """Return a list as it came, an object as a list of one, a text as it is: its reader knows JSON and commas."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [json.dumps(value)]
    if isinstance(value, str) or parameter.name in _OF_OBJECTS:
        return value
    if isinstance(value, list) and all(one is None or isinstance(one, (str, int, float)) for one in value):
        return [one for one in value if one is not None]
    raise _wrong(parameter, value, "a list of texts")


def _read_text(parameter: Parameter, value: object) -> str:
    """Return a text as it is. A host that took a text for JSON and unpacked it gets its JSON back as text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, Mapping)) and parameter.name != "body":
        raise _wrong(parameter, value, "a text")
    if parameter.names_note:
        return bare_id(text)
    if parameter.choices and text not in parameter.choices:
        raise _wrong(parameter, value, f"one of {', '.join(parameter.choices)}")
    return text
