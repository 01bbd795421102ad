"""Single values of an agent-brain entry: times in seconds, words of confidence, corrections, counts.

Owns how one value is written and read as well as it can be; must not know which field it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainbrain.digests import blake2b
from plainbrain.model.confidence import Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.jsontext import as_text
from plainbrain.model.memory import Correction
from plainbrain.notation.entry.extra import Complain, read_number


def mark_content(content: str) -> str:
    """Return a short hash by which to tell that a content is still the same."""
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def write_seconds(at: Instant | None) -> str:
    """Write ``YYYY-MM-DDTHH:MM:SSZ``; nothing for no instant, an unreadable text as it is."""
    return "" if at is None else at.iso_seconds()


def read_seconds(text: str) -> Instant | None:
    """Read a time of any form; the empty text is no instant."""
    return parse_instant(text) if text else None


def is_in_seconds(at: Instant | None, text: str) -> bool:
    """Tell whether ``text``, written by ``write_seconds`` for ``at`` or for no instant, is read as ``at`` again."""
    if at is None or at.ms is None:
        return at == read_seconds(text) if at is not None else not text
    return not at.day and at.ms % 1000 == 0


def read_text(value: object) -> str:
    """Read a text; any other value as its JSON, bytes as well as they can be read."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return as_text(value)


def write_confidence(confidence: Confidence) -> object:
    """Write a confidence that is more than a word: a number, both, or null for one that nobody said."""
    if confidence.number is None or not confidence.word:
        return confidence.number
    return {"number": confidence.number, "word": confidence.word}


def read_confidence(value: object) -> Confidence:
    """Read what ``write_confidence`` wrote."""
    if isinstance(value, Mapping):
        return Confidence(read_number(value.get("number")), read_text(value.get("word")))
    return Confidence(read_number(value))


def write_correction(correction: Correction) -> dict[str, Any]:
    """Write a ``correction_meta`` object."""
    return {
        "wrong_entry_id": correction.wrong_entry_id,
        "wrong_claim": correction.wrong_claim,
        "right_claim": correction.right_claim,
        "reason": correction.reason,
    }


def read_correction(value: object, complain: Complain) -> Correction | None:
    """Read a ``correction_meta`` object; what is none is told to ``complain``."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        complain("correction_meta is no object")
        return None
    reason = value.get("reason")
    return Correction(
        wrong_entry_id=read_text(value.get("wrong_entry_id")),
        wrong_claim=read_text(value.get("wrong_claim")),
        right_claim=read_text(value.get("right_claim")),
        reason=None if reason is None else read_text(reason),
    )


def read_time(value: object, exact: Instant | None) -> Instant | None:
    """Read a time in seconds; return ``exact`` when that is the same time, said more exactly."""
    text = read_text(value)
    if exact is not None and exact.iso_seconds() == text:
        return exact
    return read_seconds(text)


def read_count(found: Mapping[str, Any], name: str, complain: Complain) -> int:
    """Read a counter; one that is no whole number is told to ``complain``."""
    value = found.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if value is None:
        return 1 if name == "access_count" else 0  # what agent-brain takes for an entry that does not say
    complain(f"{name} is no whole number")
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return 0
