"""What ChatGPT itself keeps of its user: the memories it saved, and the custom instructions she gave it.

Owns the shapes in which they lie among the messages: ``recipient: "bio"``, ``model_editable_context`` and
``user_editable_context``. Each text comes once, from the first conversation that holds it; of custom instructions, which
every conversation repeats as they were then, the newest. Must not know the tree of messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plainbrain.interchange.conversations import Facts
from plainbrain.interchange.item import Item, Noted
from plainbrain.model.confidence import LIKELY, SURE, Confidence
from plainbrain.model.instants import Instant, parse_instant
from plainbrain.model.kinds import FACT, PREFERENCE
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance
from plainbrain.notation.decision import cut_excerpt

CONTEXTS = frozenset({"user_editable_context", "model_editable_context"})
_SAVED, _ABOUT, _HOW = ("chatgpt.memory",), ("identity.personal", "personal"), ("style", "preferences")
#: "3. [2024-05-05]. User prefers tabs." is how saved memories are listed.
_LISTED = re.compile(r"^\s*(?:\d+\.\s*)?(?:[-*]\s+)?(?:\[(\d{4}-\d\d-\d\d)\]\.?\s*)?(.*?)\s*$")
_TASTE = re.compile(
    r"(?i)^(?:the )?user (?:strongly |generally |usually )?(?:prefers|likes|dislikes|wants|hates|would like|does not (?:like|want)|doesn't (?:like|want))\b"
)
_FORGETTING = re.compile(r"(?i)^(?:please )?(?:forget|delete|remove)\b")
_FENCED = re.compile(r"(?s)```(?:\w*\n)?(.*?)```")
#: Lines of a profile: what the form asked for, and how it reads here.
_ASKED = {
    "preferred name": ("The user's name is {}", ("identity.name", "personal")),
    "name": ("The user's name is {}", ("identity.name", "personal")),
    "nickname": ("The user's name is {}", ("identity.name", "personal")),
    "role": ("The user's role: {}", ("identity.role", "work")),
    "occupation": ("The user's role: {}", ("identity.role", "work")),
}
_REST = re.compile(r"(?i)^(?:other information|more about (?:you|me|the user))\s*:\s*")


@dataclass(frozen=True, slots=True)
class Talk:
    """The conversation in which something lies."""

    session: str
    title: str
    at: Instant | None
    where: str


@dataclass(slots=True)
class Saved:
    """Collect over many conversations what ChatGPT saved, and the newest custom instructions."""

    facts: Facts
    _newest: dict[str, tuple[float, list[Memory], str]] = field(default_factory=dict)
    _wordings: dict[str, set[str]] = field(default_factory=dict)

    def of(self, message: Mapping[str, Any], *, at: Instant | None, talk: Talk) -> Iterator[Item]:
        """Yield the memories that a message saves or lists; keep custom instructions for ``instructions``."""
        content = message.get("content")
        content = content if isinstance(content, Mapping) else {}
        kind = content.get("content_type")
        if message.get("recipient") == "bio":
            yield from self._listed(_text_of(content), at=at or talk.at, talk=talk)
        elif kind == "model_editable_context":
            yield from self._listed(_said(content, "model_set_context"), at=at or talk.at, talk=talk)
        elif kind == "user_editable_context":
            self._keep(message, content, at=at or talk.at, talk=talk)

    def instructions(self) -> Iterator[Item]:
        """Yield the newest custom instructions, and how many earlier wordings they took the place of."""
        for name, (_, made, where) in self._newest.items():
            for memory in made:
                yield from self.facts.first(memory, where)
            earlier = len(self._wordings[name]) - 1
            if earlier:
                word = "wording was" if earlier == 1 else "wordings were"
                yield Noted(f"{earlier} earlier {word} left out: the newest custom instructions came over", where)

    def _listed(self, text: str, *, at: Instant | None, talk: Talk) -> Iterator[Item]:
        for line in text.splitlines():
            read = _LISTED.match(line)
            day, said = read.groups() if read else (None, "")
            if not said:
                continue
            if _FORGETTING.match(said):
                yield Noted(
                    f"ChatGPT was asked: {said[:80]}",
                    talk.where,
                    "look whether what was to go came over: brain review list",
                )
                continue
            kind = PREFERENCE if _TASTE.match(said) else FACT
            made = _memory(said, kind, _SAVED, at=(parse_instant(day) if day else None) or at, talk=talk)
            yield from self.facts.first(made, f"{talk.where}, ChatGPT's memory")

    def _keep(self, message: Mapping[str, Any], content: Mapping[str, Any], *, at: Instant | None, talk: Talk) -> None:
        metadata = message.get("metadata")
        data = metadata.get("user_context_message_data") if isinstance(metadata, Mapping) else None
        plain = data if isinstance(data, Mapping) else {}
        about = _said(plain, "about_user_message") or _unfenced(_said(content, "user_profile"))
        how = _said(plain, "about_model_message") or _unfenced(_said(content, "user_instructions"))
        for name, text in (("about", about), ("how", how)):
            if not text:
                continue
            self._wordings.setdefault(name, set()).add(text)
            when = float(at.ms or 0) if at else 0.0
            if name not in self._newest or when > self._newest[name][0]:
                how_told = [_memory(text, PREFERENCE, _HOW, at=at, talk=talk, sure=True)]
                made = _profile(text, at=at, talk=talk) if name == "about" else how_told
                self._newest[name] = (when, made, f"{talk.where}, custom instructions")


def _profile(text: str, *, at: Instant | None, talk: Talk) -> list[Memory]:
    """Return what a profile says: name and role each as a fact, the rest as one."""
    made, rest = [], []
    for line in text.splitlines():
        label, colon, value = line.partition(":")
        asked = _ASKED.get(label.strip().lower()) if colon and value.strip() else None
        if asked:
            made.append(_memory(asked[0].format(value.strip()), FACT, asked[1], at=at, talk=talk, sure=True))
        else:
            rest.append(_REST.sub("", line))
    if other := "\n".join(rest).strip():
        made.append(_memory(other, FACT, _ABOUT, at=at, talk=talk, sure=True))
    return made


def _memory(
    content: str, kind: str, tags: tuple[str, ...], *, at: Instant | None, talk: Talk, sure: bool = False
) -> Memory:
    return Memory(
        id="",
        content=content,
        kind=kind,
        tags=tags,
        confidence=Confidence(word=SURE if sure else LIKELY),
        source="user" if sure else "inferred",
        created=at,
        provenance=Provenance(sessions=(talk.session,) if talk.session else (), excerpt=cut_excerpt(content)),
        extra={"conversation": talk.title} if talk.title else {},
    )


def _unfenced(text: str) -> str:
    """Return what the person wrote, without the words to the model that stand around it."""
    fenced = _FENCED.search(text)
    return (fenced.group(1) if fenced else text).strip()


def _text_of(content: Mapping[str, Any]) -> str:
    parts: Iterable[Any] = content["parts"] if isinstance(content.get("parts"), list) else [content.get("text")]
    return "\n".join(part for part in parts if isinstance(part, str))


def _said(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value.strip() if isinstance(value, str) else ""
