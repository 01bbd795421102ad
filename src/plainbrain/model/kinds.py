"""The kinds of memory that the seeds know, as constants; a kind is open text all the same.

``kind`` is what a memory says (a fact, a decision, a preference …); ``memory_class`` is how it is
kept (episodic, semantic, procedural …). Classes follow from kinds unless somebody wrote another.
"""

from __future__ import annotations

FACT = "fact"
PREFERENCE = "preference"
PROCEDURE = "procedure"
PATTERN = "pattern"
INGESTED = "ingested"
CORRECTION = "correction"
ANTI_PATTERN = "anti-pattern"
POLICY = "policy"
DECISION = "decision"
REFERENCE = "reference"
INCIDENT = "incident"
NOTE = "note"

#: The kinds of agent-brain's entries (its schema v4).
ENTRY_KINDS = (FACT, PREFERENCE, PROCEDURE, PATTERN, INGESTED, CORRECTION, ANTI_PATTERN, POLICY)
#: agent-brain's classes, in alphabetical order as its messages print them.
ENTRY_CLASSES = ("episodic", "policy", "preference", "procedural", "semantic")
#: The classes of cognitive-memory's log.
EVENT_CATEGORIES = ("episodic", "semantic", "procedural", "core")
#: Every class that one of the seeds knows.
CLASSES = tuple(sorted({*ENTRY_CLASSES, *EVENT_CATEGORIES}))

_CLASS_OF_KIND = {
    FACT: "semantic",
    INGESTED: "semantic",
    PREFERENCE: "preference",
    PROCEDURE: "procedural",
    PATTERN: "procedural",
    ANTI_PATTERN: "procedural",
    CORRECTION: "episodic",
    INCIDENT: "episodic",
    POLICY: "policy",
}


def class_of_kind(kind: str) -> str:
    """Return the memory class that a kind stands in; unknown kinds are semantic, as in agent-brain."""
    return _CLASS_OF_KIND.get(kind, "semantic")
