"""robrain-memory/v1: one decision a line, from its JSON object to a Memory and back.

Where the fields go: ``decision`` is the content (with the title before it where it does not say what that says), ``rationale``, ``rejected``, ``scope`` have their own names,
``files_affected`` are the files; ``lifecycle`` is created, invalidated, reviewed and the link ``supersedes``;
``provenance`` is the first session, the turn and the excerpt; ``quality`` is the usage. The kind is ``decision``.
A plain line has no room for anything else. An extended line has one more key, ``plainbrain``, with what the
memory says beyond v1, and the keys of others that were there when it came in (kept in ``extra`` under ``robrain``).

Promises: every line has every key, in the order of the format, unsaid values as nulls; ``created_at``,
``scope`` and ``session_id`` are never null; an excerpt has at most 300 UTF-16 units and ends with a whole
character. Pure: must not know files, stores or the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.model.instants import Instant, from_ms, parse_instant
from plainbrain.model.jsontext import as_text, json_text
from plainbrain.model.kinds import DECISION
from plainbrain.model.links import SUPERSEDES, Link
from plainbrain.model.memory import ACTIVE, INVALIDATED, Memory, Rejected, Usage
from plainbrain.model.provenance import IMPORT_MARK, Provenance
from plainbrain.notation.whole import read_whole, write_whole
from plainbrain.records import changed, record
from plainbrain.text.headed import headed
from plainbrain.text.quoted import quoted

FORMAT = "robrain-memory/v1"
#: The key of an extended line that holds what v1 has no field for.
OWN = "plainbrain"
#: Where foreign keys of a line are kept in ``Memory.extra``.
FOREIGN = "robrain"
MAX_EXCERPT = 300
DEFAULT_SCOPE = "local"
#: What neither ends nor confirms a decision unless it is a time, and what then holds. The value is kept among the foreign keys.
_UNTIMELY = {"invalidated_at": ": it stays in effect", "reviewed_at": ": it counts as unreviewed"}
#: From here on a number is milliseconds since 1970, below it seconds (those of the year 5138).
_LEAST_MS, _MOST_MS = 1e11, 1e15
_TOP = ("format", "id", "decision", "rationale", "rejected", "files_affected", "scope")
_NESTED = {
    "lifecycle": ("created_at", "invalidated_at", "reviewed_at", "supersedes_id"),
    "provenance": ("session_id", "source_turn_sequence", "source_excerpt"),
    "quality": ("historical_relevance", "injected_count", "used_count"),
}
_KNOWN = frozenset((*_TOP, *_NESTED, OWN))
_WHOLE = {"": frozenset(_TOP), **{name: frozenset(keys) for name, keys in _NESTED.items()}}


@record(frozen=True, slots=True)
class Decision:
    """A line as it was read: the memory, and what was missing or amiss, in words."""

    memory: Memory
    complaints: tuple[str, ...] = ()


# writing


def write_decision(memory: Memory, *, supersedes: str = "") -> dict[str, Any]:
    """Return the line's object; ``supersedes`` is the predecessor where only that one knows of it."""
    usage, source = memory.usage, memory.provenance
    return {
        "format": FORMAT,
        "id": memory.id,
        "decision": headed(memory.title, memory.content),
        "rationale": memory.rationale or None,
        "rejected": [{"option": r.option, "reason": r.reason} for r in memory.rejected],
        "files_affected": list(memory.files),
        "scope": memory.scope or DEFAULT_SCOPE,
        "lifecycle": {
            "created_at": created_at(memory).iso_ms(),
            "invalidated_at": _ended(memory),
            "reviewed_at": None if memory.reviewed is None else memory.reviewed.iso_ms(),
            "supersedes_id": next(iter(memory.supersedes), supersedes) or None,
        },
        "provenance": {
            "session_id": source.sessions[0] if source.sessions else "",
            "source_turn_sequence": source.turn,
            "source_excerpt": cut_excerpt(source.excerpt) or None,
        },
        "quality": {
            "historical_relevance": usage.relevance,
            "injected_count": usage.injected,
            "used_count": usage.used,
        },
    }


def write_extended(memory: Memory, *, supersedes: str = "") -> dict[str, Any]:
    """Return the line's object with the keys of others put back, and what v1 cannot say under ``plainbrain``."""
    line = write_decision(memory, supersedes=supersedes)
    if IMPORT_MARK in memory.extra:  # how it came in here is nobody else's matter
        memory = changed(memory, extra={key: value for key, value in memory.extra.items() if key != IMPORT_MARK})
    plain, whole = write_whole(read_decision(line).memory), write_whole(memory)
    own = {key: value for key, value in whole.items() if plain.get(key) != value}
    # None says that a plain reading would put something there that the memory does not say
    own |= {key: None for key in plain if key not in whole}
    foreign = memory.extra.get(FOREIGN)
    if isinstance(foreign, Mapping):
        _put_back(line, foreign)
    if own:
        line[OWN] = own
    return line


def _put_back(line: dict[str, Any], foreign: Mapping[str, Any]) -> None:
    for key, value in foreign.items():
        if key in _NESTED and isinstance(value, Mapping):
            line[key] |= {name: item for name, item in value.items() if name not in line[key]}
        elif key not in line:
            line[key] = value


def created_at(memory: Memory) -> Instant:
    """Return when a memory was made, or the first time that is known of it, or the beginning of 1970."""
    known = (memory.created, memory.valid_from, memory.updated, memory.last_validated, memory.reviewed)
    return next((at for at in known if at is not None and at.ms is not None), from_ms(0))


def _ended(memory: Memory) -> str | None:
    """Return when it stopped being in effect; for what is over without a date, the last time known of it."""
    if memory.invalidated is not None and memory.invalidated.ms is not None:
        return memory.invalidated.iso_ms()
    if memory.is_live:
        return None
    known = (memory.updated, memory.last_validated)
    return next((at for at in known if at is not None and at.ms is not None), created_at(memory)).iso_ms()


def cut_excerpt(text: str) -> str:
    """Return the first 300 UTF-16 units of ``text``, never half a character."""
    if len(text) <= MAX_EXCERPT // 2:
        return text
    return text.encode("utf-16-le", "surrogatepass")[: 2 * MAX_EXCERPT].decode("utf-16-le", "ignore")


def render_line(line: Mapping[str, Any]) -> str:
    """Return the line of an object, compact, with its line feed."""
    return json_text(line, compact=True) + "\n"


# reading


def read_decision(line: Mapping[str, Any]) -> Decision:
    """Read a line's object. Raise Unreadable for another format, or without an id or a decision."""
    found = line.get("format")
    if found != FORMAT:
        what = "no format" if found is None else f"the format {quoted(found)}"
        raise Unreadable(f"the line has {what}, not {FORMAT!r}", value=found, hint="only lines of v1 are read")
    id, content = line.get("id"), line.get("decision")
    if id is not None and not isinstance(id, str):
        hint = "write the id in quotes"
        raise Unreadable(f"the id of the line is no text: {quoted(as_text(id))}", value=id, hint=hint)
    if id is None or not id.strip():
        raise Unreadable("the line has no id", value=id, hint="give it an id of its own")
    if not isinstance(content, str):
        raise Unreadable(f"the line {id!r} has no decision", value=id, hint="write what was decided")
    complaints: list[str] = []
    if not line.keys() >= _WHOLE[""]:
        complaints += [f"{key} is missing" for key in _TOP if key not in line]
    parts = {name: _part(line, name, complaints) for name in _NESTED}
    memory = _build(id, content, line, parts, complaints)
    if isinstance(own := line.get(OWN), Mapping):
        memory = _overlay(memory, own, complaints)
    if foreign := _foreign(line, parts):
        memory = changed(memory, extra={**memory.extra, FOREIGN: foreign})
    return Decision(memory, tuple(complaints))


def _build(
    id: str, content: str, line: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]], complaints: list[str]
) -> Memory:
    lifecycle, source = parts["lifecycle"], parts["provenance"]
    ended = _instant(lifecycle, "invalidated_at", complaints)
    supersedes = _text(lifecycle, "supersedes_id", complaints)
    session = _text(source, "session_id", complaints)
    return Memory(
        id=id,
        content=content,
        kind=DECISION,
        status=ACTIVE if ended is None else INVALIDATED,
        links=(Link(supersedes, SUPERSEDES),) if supersedes else (),
        created=_instant(lifecycle, "created_at", complaints),
        invalidated=ended,
        reviewed=_instant(lifecycle, "reviewed_at", complaints),
        rationale=_text(line, "rationale", complaints),
        rejected=_rejected(line.get("rejected"), complaints),
        files=_texts(line, "files_affected", complaints),
        scope=_text(line, "scope", complaints),
        provenance=Provenance(
            sessions=(session,) if session else (),
            turn=_whole_number(source, "source_turn_sequence", complaints),
            excerpt=_text(source, "source_excerpt", complaints),
        ),
        usage=_usage(parts["quality"], complaints),
    )


def _part(line: Mapping[str, Any], name: str, complaints: list[str]) -> Mapping[str, Any]:
    part = line.get(name)
    if isinstance(part, Mapping):
        if not part.keys() >= _WHOLE[name]:
            complaints += [f"{name}.{key} is missing" for key in _NESTED[name] if key not in part]
        return part
    complaints.append(f"{name} is missing" if part is None else f"{name} is no object")
    return {}


def _text(found: Mapping[str, Any], name: str, complaints: list[str]) -> str:
    value = found.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    complaints.append(f"{name} is no text")
    return as_text(value)


def _texts(found: Mapping[str, Any], name: str, complaints: list[str]) -> tuple[str, ...]:
    value = found.get(name)
    if isinstance(value, list):
        texts = tuple(item for item in value if isinstance(item, str))
        if len(texts) < len(value):
            complaints.append(f"{name} holds {len(value) - len(texts)} that are no text: left out")
        return texts
    if isinstance(value, str) and value:
        complaints.append(f"{name} is no list: taken as a list of one")
        return (value,)
    if value is not None:
        complaints.append(f"{name} is no list")
    return ()


def _instant(found: Mapping[str, Any], name: str, complaints: list[str]) -> Instant | None:
    value = found.get(name)
    at = _time(value)
    if at is not None and not isinstance(value, str):
        complaints.append(f"{name} is a number: taken as {at.iso_ms()}")
    if value in (None, "") or (at is not None and at.ms is not None):
        return at
    text = as_text(value)
    complaints.append(f"{name} {quoted(text)} is no time{_UNTIMELY.get(name, '')}")
    return None if name in _UNTIMELY else Instant(None, text=text)


def _time(value: object) -> Instant | None:
    """Read a text, or the seconds or milliseconds since 1970; None where it is neither."""
    if isinstance(value, str):
        return parse_instant(value) if value else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -_MOST_MS < value < _MOST_MS:
        return None
    at = from_ms(value if abs(value) >= _LEAST_MS else value * 1000)
    return None if at.ms is None else at


def _rejected(value: object, complaints: list[str]) -> tuple[Rejected, ...]:
    if isinstance(value, str) and value:
        complaints.append("rejected is no list: taken as a list of one")
        value = [value]
    if not isinstance(value, list):
        if value is not None:
            complaints.append("rejected is no list")
        return ()
    found = []
    for item in value:
        if isinstance(item, Mapping) and isinstance(item.get("option"), str):
            reason = item.get("reason")
            if reason is not None and not isinstance(reason, str):
                complaints.append("a reason is no text: taken as one")
            if more := item.keys() - {"option", "reason"}:
                complaints.append(f"a rejected alternative says more, which is left out: {', '.join(sorted(more))}")
            found.append(Rejected(item["option"], None if reason is None else as_text(reason)))
        elif isinstance(item, str):
            found.append(Rejected(item))
        else:
            complaints.append("a rejected alternative has no option: left out")
    return tuple(found)


def _is_time(value: object) -> bool:
    return (at := _time(value)) is not None and at.ms is not None


def _usage(found: Mapping[str, Any], complaints: list[str]) -> Usage:
    counts = [_count(found, name, complaints) for name in ("injected_count", "used_count")]
    return Usage(injected=counts[0], used=counts[1], relevance=_share(found, "historical_relevance", complaints))


def _share(found: Mapping[str, Any], name: str, complaints: list[str]) -> float | None:
    value = found.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:  # NaN is not itself
        complaints.append(f"{name} is no number: left out")
        return None
    share = float(min(1, max(0, value)))
    if share != value:
        complaints.append(f"{name} is not from 0 to 1: taken as {share:g}")
    return share


def _whole_number(found: Mapping[str, Any], name: str, complaints: list[str]) -> int | None:
    value = found.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is not None:
        complaints.append(f"{name} is no whole number: left out")
    return None


def _count(found: Mapping[str, Any], name: str, complaints: list[str]) -> int:
    value = _whole_number(found, name, complaints)
    if value is not None and value < 0:
        complaints.append(f"{name} is less than nothing: left out")
    return max(0, value or 0)


def _foreign(line: Mapping[str, Any], parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the keys that are not of the format, each in its place."""
    found = {} if line.keys() <= _KNOWN else {key: value for key, value in line.items() if key not in _KNOWN}
    for name, part in parts.items():
        if not part.keys() <= _WHOLE[name]:
            found[name] = {key: value for key, value in part.items() if key not in _NESTED[name]}
    untimely = {
        name: as_text(value) for name in _UNTIMELY if (value := parts["lifecycle"].get(name)) and not _is_time(value)
    }
    if untimely:
        found["lifecycle"] = {**found.get("lifecycle", {}), **untimely}
    return found


def _overlay(memory: Memory, own: Mapping[str, Any], complaints: list[str]) -> Memory:
    """Return the memory with what an extended line says beyond v1."""
    whole = write_whole(memory) | dict(own)
    whole = {key: value for key, value in whole.items() if value is not None} | {"id": memory.id}
    found, said = read_whole(whole)
    complaints += said
    return found
