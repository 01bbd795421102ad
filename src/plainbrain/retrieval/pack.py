"""Fitting hits into an agent's budget: near-duplicates folded into the first of them, no more characters than allowed.

Owns what counts as the same said twice. Promises to keep the order of the hits, never to fold a memory whose figures differ (a port,
a version, a date), to give live memories the room before those that are no longer in effect, and to name what was left out, so that it can be
read by its id. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plainbrain.model.hit import Hit
from plainbrain.text.tokens import tokens_of

#: Shared words, of all words of two memories, from which they say the same.
SAME = 0.9
#: What a cut text ends with.
CUT = "…"
#: A text is not cut shorter than this: it is left out and named instead.
_LEAST = 80


@dataclass(frozen=True, slots=True)
class Packed:
    """The hits that fit, ``folded`` ids by the id of the hit that speaks for them, ids ``left`` to read on, and characters used."""

    hits: tuple[Hit, ...]
    folded: Mapping[str, tuple[str, ...]]
    left: tuple[str, ...]
    used: int


def pack(hits: Sequence[Hit], *, max_chars: int) -> Packed:
    """Return what of ``hits`` fits into ``max_chars`` characters of id, title and text; the last text may be cut."""
    kept, folded = _fold(hits)
    live = [hit for hit in kept if hit.memory.is_live]
    chosen: dict[str, Hit] = {}
    left: list[str] = []
    used = 0
    for hit in [*live, *(hit for hit in kept if not hit.memory.is_live)]:
        fitted = _fit(hit, max_chars - used)
        if fitted is None:
            left.append(hit.id)
        else:
            chosen[hit.id] = fitted
            used += _size(fitted)
    return Packed(tuple(chosen[hit.id] for hit in kept if hit.id in chosen), folded, tuple(left), used)


def _fold(hits: Sequence[Hit]) -> tuple[list[Hit], dict[str, tuple[str, ...]]]:
    kept: list[tuple[Hit, frozenset[str]]] = []
    folded: dict[str, tuple[str, ...]] = {}
    for hit in hits:
        words = frozenset(tokens_of(f"{hit.memory.title} {hit.memory.content}"))
        twin = next((other for other, known in kept if _alike(hit, words, other, known)), None)
        if twin is None:
            kept.append((hit, words))
        else:
            folded[twin.id] = (*folded.get(twin.id, ()), hit.id)
    return [hit for hit, _ in kept], folded


def _alike(hit: Hit, words: frozenset[str], other: Hit, known: frozenset[str]) -> bool:
    if not words or hit.memory.is_live != other.memory.is_live:
        return False
    apart = words ^ known
    return len(words & known) >= SAME * len(words | known) and not any(c.isdigit() for word in apart for c in word)


def _size(hit: Hit) -> int:
    return len(hit.id) + len(hit.memory.title) + len(hit.memory.content)


def _fit(hit: Hit, room: int) -> Hit | None:
    """Return the hit, its text cut at a word if need be; None when there is no room for a useful part.

    What is kept is the beginning, or, where the passage that matched best would be lost, what begins with that.
    """
    content = hit.memory.content
    over = _size(hit) - room
    if over <= 0:
        return hit
    length = len(content) - over - 2 * len(CUT)
    if length < _LEAST:
        return None
    start = max(0, content.find(hit.passage)) if hit.passage else 0
    start = min(start, len(content) - length) if start + len(hit.passage) > length else 0
    text = content[start : start + length]
    if start and not content[start - 1].isspace() and " " in text[: _LEAST // 2]:
        text = text[text.find(" ") + 1 :]
    if start + length < len(content):
        text = text[: text.rfind(" ")] if " " in text[_LEAST // 2 :] else text
        text = text.rstrip() + CUT
    return replace(hit, memory=replace(hit.memory, content=f"{CUT}{text}" if start else text))
