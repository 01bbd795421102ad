"""The labelled lists that judge our rules, and how they are read.

Owns the files in ``evaluation/data``: one JSON object a line, UTF-8. Every text in them is made up; the
credentials open nothing, and single letters of them are written as JSON escapes, so that a scanner that
reads raw bytes stays quiet while any JSON reader sees the plain text.

Promises that each list is split into two halves of the same make-up: ``dev`` to write rules by, ``held``
to be scored on and not to be read by whoever writes rules. Must not know the rules it judges.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, TypeVar

from plainbrain.errors import Unreadable

Half = Literal["dev", "held"]
Label = Literal["conflict", "none", "same"]
Verdict = Literal["positive", "negative", "neutral"]
Record = dict[str, Any]
Case = TypeVar("Case")

#: From here on scripts are written without spaces, or with endings glued on: no word edges to ask for.
_UNSPACED_FROM = "\u2e80"
#: Words of an entry that turn its sense, in the languages of the negative facts.
_NEGATIONS = (
    *("no", "not", "never", "dont", "doesnt", "cant", "without", "against", "cannot", "none", "nor", "skip"),
    *("avoid", "avoids", "avoiding", "stop", "stops", "stopped", "dislike", "dislikes", "hate", "hates", "rejects"),
    *("pas", "jamais", "sans", "arrête", "évite", "éviter", "evita", "evitar", "sin", "nunca"),
)


@dataclass(frozen=True, slots=True)
class SecretCase:
    """A ``text`` that must be refused in ``field``; ``secrets`` are the parts that must not survive redaction."""

    text: str
    secrets: tuple[str, ...]
    kind: str
    field: str
    half: Half


@dataclass(frozen=True, slots=True)
class HarmlessCase:
    """A ``text`` that looks like a secret in ``field`` and must be stored unchanged."""

    text: str
    kind: str
    field: str
    half: Half


@dataclass(frozen=True, slots=True)
class ConflictCase:
    """Two statements: can both be true now (``none``), do they say one thing (``same``), or do they conflict?"""

    a: str
    b: str
    label: Label
    context_a: str | None
    context_b: str | None
    lang: str
    why: str
    half: Half


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a message reveals: the words that one extracted entry ``must`` hold, all of them.

    ``negative`` marks what is avoided or not used: an entry without a word of negation says the opposite.
    """

    kind: str
    must: tuple[str, ...]
    explicit: bool
    negative: bool = False

    def found_in(self, entry: str) -> bool:
        """Tell whether ``entry`` holds every word of the fact, whole and in any letter case."""
        return all(holds_word(entry, word) for word in self.must) and (not self.negative or _negates(entry))


@dataclass(frozen=True, slots=True)
class MessageCase:
    """A message and the ``facts`` worth keeping; with none, ``none_why`` says why; ``known`` is stored already.

    Found is a fact that some extracted entry holds; wrong is an entry that holds no fact.
    One entry may hold several facts.
    """

    text: str
    lang: str
    facts: tuple[Fact, ...]
    none_why: str
    known: tuple[str, ...]
    half: Half


@dataclass(frozen=True, slots=True)
class Rejection:
    """An option that was turned down, and the reason."""

    option: str
    reason: str


@dataclass(frozen=True, slots=True)
class VetoDecision:
    """A decision that tasks are held against; it belongs to both halves."""

    id: str
    decision: str
    rationale: str
    rejected: tuple[Rejection, ...]
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class VetoTask:
    """A task about to repeat the ``option`` that ``decision`` turned down (both None: about to repeat nothing).

    ``direct`` means that the task names the option.
    """

    text: str
    decision: str | None
    option: str | None
    direct: bool
    files: tuple[str, ...]
    half: Half


@dataclass(frozen=True, slots=True)
class VetoMatch:
    """A text and an option: is the option named in it (``hit``)?"""

    text: str
    option: str
    hit: bool
    half: Half


@dataclass(frozen=True, slots=True)
class VetoCases:
    """All that the veto is judged by."""

    decisions: tuple[VetoDecision, ...]
    tasks: tuple[VetoTask, ...]
    matches: tuple[VetoMatch, ...]


@dataclass(frozen=True, slots=True)
class FeedbackCase:
    """What a user said after an answer, and whether it praises, blames or neither."""

    text: str
    label: Verdict
    lang: str
    half: Half


def load_secrets(half: Half | None = None) -> tuple[SecretCase, ...]:
    """Read the made-up secrets, of one half or of both."""

    def build(r: Record) -> SecretCase:
        return SecretCase(r["text"], tuple(r["secrets"]), r["kind"], r["field"], r["half"])

    return _load("secrets", build, half=half)


def load_harmless(half: Half | None = None) -> tuple[HarmlessCase, ...]:
    """Read the harmless sentences that look like secrets, of one half or of both."""
    return _load("harmless", lambda r: HarmlessCase(r["text"], r["kind"], r["field"], r["half"]), half=half)


def load_conflicts(half: Half | None = None) -> tuple[ConflictCase, ...]:
    """Read the pairs of statements, of one half or of both."""

    def build(r: Record) -> ConflictCase:
        contexts = r.get("context_a"), r.get("context_b")
        return ConflictCase(r["a"], r["b"], r["label"], *contexts, r["lang"], r["why"], r["half"])

    return _load("conflicts", build, half=half)


def load_messages(half: Half | None = None) -> tuple[MessageCase, ...]:
    """Read the messages for extraction, of one half or of both."""

    def build(r: Record) -> MessageCase:
        facts = tuple(Fact(f["kind"], tuple(f["must"]), f["explicit"], f.get("negative", False)) for f in r["facts"])
        return MessageCase(
            r["text"], r["lang"], facts, r.get("none_why", ""), tuple(r.get("known", ())), half=r["half"]
        )

    return _load("messages", build, half=half)


def load_vetoes(half: Half | None = None) -> VetoCases:
    """Read all decisions, and the tasks and matches of one half or of both."""
    loaded = _load("vetoes", _veto, half=half)
    return VetoCases(
        tuple(c for c in loaded if isinstance(c, VetoDecision)),
        tuple(c for c in loaded if isinstance(c, VetoTask)),
        tuple(c for c in loaded if isinstance(c, VetoMatch)),
    )


def load_feedback(half: Half | None = None) -> tuple[FeedbackCase, ...]:
    """Read the feedback lines, of one half or of both."""
    return _load("feedback", lambda r: FeedbackCase(r["text"], r["label"], r["lang"], r["half"]), half=half)


def holds_word(text: str, word: str) -> bool:
    """Tell whether ``word`` stands in ``text`` whole, whatever the letter case and the form of apostrophes."""
    text, word = _plain(text), _plain(word)
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (_glued(text[start - 1 : start], word[:1]) or _glued(word[-1:], text[end : end + 1])):
            return bool(word)
        start = text.find(word, start + 1)
    return False


def _negates(entry: str) -> bool:
    return "n't" in _plain(entry) or any(holds_word(entry, word) for word in _NEGATIONS)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("\u2019", "'").casefold()


def _glued(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and max(left, right) < _UNSPACED_FROM


def _veto(r: Record) -> VetoDecision | VetoTask | VetoMatch:
    match r["what"]:
        case "decision":
            rejected = tuple(Rejection(x["option"], x["reason"]) for x in r["rejected"])
            return VetoDecision(r["id"], r["decision"], r["rationale"], rejected, tuple(r["files"]))
        case "task":
            return VetoTask(r["text"], r["decision"], r["option"], r["direct"], tuple(r["files"]), half=r["half"])
        case "match":
            return VetoMatch(r["text"], r["option"], r["hit"], r["half"])
        case other:
            raise KeyError(f"what={other!r}")


def _load(name: str, build: Callable[[Record], Case], *, half: Half | None) -> tuple[Case, ...]:
    found = []
    for number, line in _lines(name):
        try:
            record = json.loads(line)
            if half in (None, record.get("half", half)):
                found.append(build(record))
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as wrong:
            raise Unreadable(
                f"a labelled case has a wrong form: {wrong}",
                value=line,
                hint="reinstall the package, or compare the line with its neighbours",
                path=f"evaluation/data/{name}.jsonl",
                line=number,
            ) from wrong
    return tuple(found)


def _lines(name: str) -> Iterator[tuple[int, str]]:
    # Not splitlines(): that would also cut at the Unicode line separators a text may hold.
    text = (files("plainbrain.evaluation") / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line)
