"""LoCoMo conversations (Maharana et al., 2024) as trials: one memory for each turn.

Owns the reading of the public layout (``locomo10.json``). A turn becomes a memory with what was said as content, the
caption of a picture that was shown below it, the speaker under ``metadata.speaker``, its session and turn as
provenance, and the time of its session as creation. Evidence that names no turn of the conversation is left out, and a question left with
none is left out too, but for category 5, which has no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from plainbrain.errors import Unreadable
from plainbrain.evaluation.trial import Question, Trial
from plainbrain.model.instants import DAY_MS, Instant, from_ms
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import Provenance

#: The published names of the categories.
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
UNANSWERABLE = CATEGORIES[5]
_SESSION = re.compile(r"session_(\d+)\Z")
_TURN = re.compile(r"D\d+:\d+")
_TIME = "%I:%M %p on %d %B, %Y"


def read_locomo(path: Path) -> list[Trial]:
    """Return a trial for each conversation in a file. Raise Unreadable with what is wrong where."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Unreadable(
            f"{path} cannot be read: {error}", value=str(path), hint="give a file like locomo10.json"
        ) from error
    if not isinstance(data, list) or not all(isinstance(one, dict) and "conversation" in one for one in data):
        raise Unreadable(f"{path} is no list of conversations", value=str(path), hint="give a file like locomo10.json")
    try:
        return [_trial(one, name=str(one.get("sample_id") or f"conversation-{n}")) for n, one in enumerate(data, 1)]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Unreadable(
            f"{path} is not in the layout of LoCoMo: {error!r}", value=str(path), hint="give a file like locomo10.json"
        ) from error


def _trial(sample: Mapping[str, Any], *, name: str) -> Trial:
    memories = tuple(_turns(sample["conversation"], name))
    times = [memory.created.ms for memory in memories if memory.created is not None and memory.created.ms is not None]
    known = {memory.id: memory.provenance.sessions[0] for memory in memories}
    questions = tuple(q for one in sample.get("qa", ()) if (q := _question(one, name, known)))
    # Asked the day after the last session.
    return Trial(name, memories, questions, Instant(max(times, default=0) + DAY_MS))


def _turns(conversation: Mapping[str, Any], name: str) -> Iterator[Memory]:
    for number in sorted(int(found[1]) for key in conversation if (found := _SESSION.match(key))):
        created = _time(conversation.get(f"session_{number}_date_time"))
        for place, turn in enumerate(conversation[f"session_{number}"], 1):
            caption = turn.get("blip_caption")
            yield Memory(
                id=f"{name}/{turn['dia_id']}",
                content="\n".join(filter(None, (turn.get("text"), f"[picture: {caption}]" if caption else ""))),
                created=created,
                provenance=Provenance(sessions=(f"{name}/{number}",), turn=place),
                metadata={"speaker": turn["speaker"]},
            )


def _time(text: object) -> Instant | None:
    if not isinstance(text, str):
        return None
    at = datetime.strptime(text.strip(), _TIME).replace(tzinfo=UTC)
    return from_ms(at.timestamp() * 1000)


def _question(one: Mapping[str, Any], name: str, known: Mapping[str, str]) -> Question | None:
    category = CATEGORIES.get(int(one["category"]), str(one["category"]))
    said = [f"{name}/{turn}" for place in one.get("evidence") or () for turn in _TURN.findall(str(place))]
    evidence = tuple(id for id in dict.fromkeys(said) if id in known)
    if category == UNANSWERABLE:
        return Question(str(one["question"]), category)
    sessions = tuple(dict.fromkeys(known[id] for id in evidence))
    return Question(str(one["question"]), category, evidence, sessions=sessions) if evidence else None
