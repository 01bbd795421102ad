"""Letting a new memory in: what somebody wants kept becomes a ``Memory``, or a clear error.

Owns the limits on what we write (never on what we find), the normal forms of titles, tags, kinds and
confidence, and the choice of a title and description where none was given. Knows nothing of stores.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from plainbrain.errors import InvalidField
from plainbrain.lifecycle.relate import check_relation
from plainbrain.model.confidence import LIKELY, SURE, UNCERTAIN, Confidence
from plainbrain.model.instants import Instant
from plainbrain.model.kinds import ENTRY_KINDS, NOTE
from plainbrain.model.links import Link
from plainbrain.model.memory import Memory, Rejected
from plainbrain.model.provenance import Provenance
from plainbrain.records import record

MAX_TITLE = 300
MAX_DESCRIPTION = 1_000
MAX_CONTENT = 2**20
MAX_TAGS, MAX_TAG = 100, 100
INBOX = "inbox"
_SENTENCE_ENDS = (". ", "! ", "? ", "。", "！", "？", "\n")
_UNSAFE_IN_FOLDERS = set('<>:"|?*\\\0')
_RESERVED = {"con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))}


@record(frozen=True, slots=True)
class Draft:
    """Hold what somebody wants kept, as it was said. Only ``title`` or ``body`` is needed.

    ``confidence`` is a number, a word, or a text of either; ``id`` is only for callers that bring their own.
    """

    title: str = ""
    body: str = ""
    cortex: str = ""
    kind: str = ""
    description: str = ""
    tags: Sequence[str] | str = ()
    confidence: float | str | None = None
    links: Sequence[Link] = ()
    supersedes: Sequence[str] = ()
    rationale: str = ""
    rejected: Sequence[Rejected] = ()
    files: Sequence[str] = ()
    scope: str = ""
    context: str = ""
    source: str = ""
    source_url: str = ""
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    id: str = ""


def admit(draft: Draft, *, at: Instant, provenance: Provenance) -> Memory:
    """Make the memory that ``draft`` asks for, created ``at``, with an id still to be chosen where it brings none.

    Raise InvalidField naming the field, what is wrong with it, and what would do.
    """
    body = check_content(draft.body)
    title = check_line("title", draft.title, MAX_TITLE) or first_sentence(body)
    if not title:
        raise InvalidField("there is nothing to keep: title and body are empty", hint="give a title or a body")
    return Memory(
        id=draft.id,
        content=body,
        title=title,
        description=check_line("description", draft.description, MAX_DESCRIPTION),
        kind=check_line("type", draft.kind, 60).lower() or NOTE,
        cortex=check_cortex(draft.cortex) or INBOX,
        tags=check_tags(draft.tags),
        confidence=check_confidence(draft.confidence),
        links=tuple(replace(link, rel=check_relation(link.rel)) for link in draft.links),
        created=at,
        last_validated=at,
        valid_from=draft.valid_from,
        valid_until=draft.valid_until,
        rationale=clean(draft.rationale),
        rejected=check_rejected(draft.rejected),
        files=tuple(clean(f) for f in draft.files),
        scope=check_line("scope", draft.scope, 60),
        context=clean(draft.context),
        source=check_line("source", draft.source, 60),
        source_url=check_line("source_url", draft.source_url, 2_000),
        provenance=provenance,
    )


def on_a_day(memory: Memory) -> Memory:
    """Return the memory with its dates as calendar days, the way notes write them."""
    return replace(memory, created=_day(memory.created), last_validated=_day(memory.last_validated))


def _day(at: Instant | None) -> Instant | None:
    if at is None or at.ms is None or at.day:
        return at
    return Instant(at.ms - at.ms % 86_400_000, day=True)


def clean(text: str) -> str:
    """Repair what no file can hold: half surrogates become U+FFFD, NUL and other control bytes go.

    Tabs, line feeds and carriage returns stay.
    """
    if text.isascii() and text.isprintable():
        return text
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(c for c in text if c in "\t\n\r" or unicodedata.category(c) != "Cc")


def check_content(text: str, limit: int = MAX_CONTENT) -> str:
    """Return the cleaned text; raise InvalidField when it is longer than ``limit`` bytes."""
    return check_size(clean(text), limit)


def check_size(text: str, limit: int = MAX_CONTENT) -> str:
    """Return the text as it is; raise InvalidField when it is longer than ``limit`` bytes."""
    size = len(text.encode("utf-8"))
    if size > limit:
        raise InvalidField(
            f"the text has {size:,} bytes, and a memory holds at most {limit:,}",
            value=size,
            hint="keep one idea in one memory: split it, or keep a summary with a link to the source",
        )
    return text


def check_line(field: str, text: str, limit: int) -> str:
    """Return the text on one line, white space folded; raise InvalidField when it is longer than ``limit``."""
    text = " ".join(clean(text).split())
    if len(text) > limit:
        raise InvalidField(
            f"{field} has {len(text)} characters, and holds at most {limit}",
            value=text[:40] + "…",
            hint=f"shorten the {field}; the body holds long text",
        )
    return text


def check_kind(text: str) -> str:
    """Return the type on one line; raise InvalidField where there is none."""
    kind = check_line("type", text, 60)
    if not kind:
        raise InvalidField(
            "the type is empty", value=text, hint=f"say what it is: {', '.join(ENTRY_KINDS)}, or a word of your own"
        )
    return kind


def check_tags(tags: Sequence[str] | str) -> tuple[str, ...]:
    """Read tags from a list, a comma-separated text or a JSON list; fold doubles without looking at case.

    A leading ``#`` goes, and ``/`` becomes the dot that we write. Raise InvalidField for one that is too long.
    """
    found: dict[str, str] = {}
    for raw in split_list(tags):
        tag = check_line("tag", raw, MAX_TAG).lstrip("#").replace("/", ".").strip(". ")
        if tag:
            found.setdefault(tag.casefold(), tag)
    if len(found) > MAX_TAGS:
        raise InvalidField(f"{len(found)} tags are too many", hint=f"keep at most {MAX_TAGS}")
    return tuple(found.values())


def check_rejected(rejected: Sequence[Rejected]) -> tuple[Rejected, ...]:
    """Return rejected alternatives as they can be written; raise InvalidField for one that names no option."""
    # An option is named in lines of its own, and looked for in texts that break them elsewhere.
    found = tuple(Rejected(" ".join(clean(r.option).split()), clean(r.reason or "").strip() or None) for r in rejected)
    if any(not one.option for one in found):
        raise InvalidField(
            "a rejected alternative names no option",
            value="rejected",
            hint="write what was turned down: npm: lockfile drift",
        )
    return found


def split_list(values: Sequence[str] | str) -> list[str]:
    """Return the items of a list, of a JSON list in a text, or of a text with commas."""
    if not isinstance(values, str):
        return [str(value) for value in values]
    text = values.strip()
    if text.startswith("["):
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None  # a text in brackets that is no JSON: its commas decide below
        if isinstance(parsed, list):
            return [str(item) for item in parsed]
        text = text.strip("[]")
    return [part.strip().strip("\"'") for part in text.split(",") if part.strip()]


#: The words for how sure one is, and others that are used for them.
_CONFIDENCE = {SURE: SURE, LIKELY: LIKELY, UNCERTAIN: UNCERTAIN} | {
    "certain": SURE, "high": SURE, "very high": SURE, "checked": SURE, "verified": SURE,
    "medium": LIKELY, "moderate": LIKELY, "probable": LIKELY, "probably": LIKELY, "fairly sure": LIKELY,
    "low": UNCERTAIN, "very low": UNCERTAIN, "unsure": UNCERTAIN, "guess": UNCERTAIN, "a guess": UNCERTAIN,
}  # fmt: skip


def check_confidence(value: float | str | None) -> Confidence:
    """Read a number in 0..1, a percentage, or one of the words; raise InvalidField for anything else."""
    if value is None or value == "":
        return Confidence()
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _CONFIDENCE:
            return Confidence(word=_CONFIDENCE[word])
        try:
            value = float(word[:-1]) / 100 if word.endswith("%") else float(word)
        except ValueError:
            raise _bad_confidence(word) from None
    if not 0 <= value <= 1:
        raise _bad_confidence(value)
    return Confidence(number=float(value))


def check_said(value: float | str) -> Confidence:
    """Read a confidence that somebody sets: as ``check_confidence``, and nothing is no answer."""
    if isinstance(value, str) and not value.strip():
        raise _bad_confidence(value)
    return check_confidence(value)


def _bad_confidence(value: object) -> InvalidField:
    return InvalidField(
        f"confidence {value!r} is neither a number from 0 to 1 nor a word",
        value=value,
        hint="say 0.9, or one of: sure, likely, uncertain",
    )


def check_cortex(text: str) -> str:
    """Return the theme as folders joined by ``/``, safe on every system; raise InvalidField where it would leave the brain."""
    text = check_line("cortex", text, 200).strip()
    if not text:
        return ""
    parts = text.replace("\\", "/").split("/")
    if text.startswith(("/", "\\", "~")) or ".." in parts or (text[1:2] == ":" and text[2:3] in ("", "/", "\\")):
        raise InvalidField(
            f"cortex {text!r} would leave the brain", value=text, hint="name a theme, such as infra or infra/node"
        )
    safe = [_safe_folder(part) for part in parts if part not in ("", ".")]
    return "/".join(part for part in safe if part)


def _safe_folder(name: str) -> str:
    name = "".join("-" if c in _UNSAFE_IN_FOLDERS else c for c in name).strip(" .")
    stem, dot, rest = name.partition(".")
    # A device's name stays one with any ending, so the hyphen stands before the dot.
    return f"{stem}-{dot}{rest}" if stem.casefold().strip() in _RESERVED else name


def first_sentence(text: str, limit: int = 120) -> str:
    """Return the first sentence of a text on one line, cut at a word when it is longer than ``limit``."""
    line = next((line for line in text.splitlines() if line.strip(" #>-*")), "").strip(" #>-*\t")
    for end in _SENTENCE_ENDS:
        at = line.find(end)
        if at > 0:
            line = line[: at + 1].strip()
            break
    line = " ".join(line.split())
    if len(line) <= limit:
        return line.rstrip(".") if not line.endswith("..") else line
    return line[:limit].rsplit(" ", 1)[0].rstrip(",;:") + "…"
