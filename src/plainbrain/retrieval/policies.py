"""agent-brain's three retrieval policies: a weighted sum of words, tags, certainty and likeness.

Owns their weights and thresholds (agent-brain's ``fast``, ``balanced``, ``deep``). Differs from the
original where that makes it find more: words count by how telling they are, words and tags meet by
their stems, and use is no evidence: how often and how lately a memory served only puts memories in
order that are otherwise as good as equal, so that a wrong answer does not rise by being shown.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from plainbrain.model.confidence import LIKELY, SURE
from plainbrain.model.hit import Explanation
from plainbrain.model.instants import DAY_MS, Instant
from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.retrieval.fields import Fields
from plainbrain.retrieval.parse import Term

_KEYWORD, _TAG, _CONFIDENCE = 0.40, 0.25, 0.15
#: What use can move a score by, at most: less than any difference in words that a person would see.
_USE = 1e-4
_WORD, _TRIGRAM, _PAIR = 1.0, 0.25, 0.75
#: What a word adds to the square of a memory's length, its trigrams included (six of them on average).
_WORD_SQUARE = _WORD**2 + 6 * _TRIGRAM**2
_SURE_WEIGHT = {SURE: 1.0, LIKELY: 0.7}
_OTHER_WEIGHT = 0.4


@record(frozen=True, slots=True)
class Policy:
    """Weigh words (``lexical``) against likeness (``semantic``).

    A memory without a word in common is a hit from the likeness ``floor`` on. ``limit`` is how many
    results agent-brain prints.
    """

    name: str
    lexical: float
    semantic: float
    floor: float
    limit: int


POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("fast", 0.85, 0.15, 0.30, 10),
        Policy("balanced", 0.65, 0.35, 0.24, 12),
        Policy("deep", 0.45, 0.55, 0.20, 20),
    )
}


@record(frozen=True, slots=True)
class Traces:
    """What a policy looks at: ``text`` and ``labels`` are token texts, ``sure`` the weight of the certainty."""

    text: str
    labels: str
    sure: float
    last_ms: int | None
    accesses: int


def sure_weight(memory: Memory) -> float:
    """Return what the word of a memory's confidence counts."""
    return _SURE_WEIGHT.get(memory.confidence.label.strip().lower(), _OTHER_WEIGHT)


def last_access(memory: Memory) -> int | None:
    """Return when it last served, in milliseconds; None if it never did or the time cannot be read."""
    at = memory.usage.last_accessed
    return None if at is None else at.ms


def traces_of(memory: Memory, fields: Fields) -> Traces:
    """Return what a policy looks at in a memory."""
    text = searched_text(fields)
    return Traces(text, fields[2], sure_weight(memory), last_access(memory), memory.usage.accesses)


def searched_text(fields: Fields) -> str:
    """Return the token text that words and likeness are counted in."""
    title, description, _, body, more = fields
    return " ".join(filter(None, (title, description, body, more)))


class Question:
    """A query made ready to be held against many memories. ``weights`` are its terms' telling weights."""

    def __init__(self, weights: Mapping[Term, float]) -> None:
        total = math.fsum(weights.values())
        share = {term.token: weight / total for term, weight in weights.items()} if total else {}
        self._share = share
        #: A word's weight in the bag: 1 on average, more for a telling one.
        self._words = {token: part * len(share) for token, part in share.items()}
        self._trigrams = Counter(t[i : i + 3] for t in share for i in range(len(t) - 2))
        tokens = list(share)
        self._pairs = [f" {one} {two} " for one, two in pairwise(tokens)]
        square = math.fsum((_WORD * weight) ** 2 for weight in self._words.values())
        square += _TRIGRAM**2 * sum(n * n for n in self._trigrams.values()) + _PAIR**2 * len(self._pairs)
        self._length = math.sqrt(square) or 1.0
        self._prefixes = {term.token for term in weights if term.prefix}

    def explain(self, policy: Policy, traces: Traces, *, now: Instant) -> Explanation | None:
        """Return every factor of a memory's score; None when it is no hit."""
        text, labels = f" {traces.text} ", f" {traces.labels} "
        keyword = self._covered(text)
        tag = self._covered(labels)
        recency, frequency = _recency(traces.last_ms, now), traces.accesses / (traces.accesses + 10.0)
        lexical = 0.0
        if keyword or tag:
            lexical = _KEYWORD * keyword + _TAG * tag + _CONFIDENCE * traces.sure
        semantic = self._likeness(text)
        if not lexical and semantic < policy.floor:
            return None
        score = lexical * policy.lexical + semantic * policy.semantic + _USE * (recency + frequency) / 2
        return Explanation(
            {
                "lexical": lexical,
                "semantic": semantic,
                "keyword": keyword,
                "tag": tag,
                "conf": traces.sure,
                "recency": recency,
                "freq": frequency,
                "score": score,
            },
            {"semantic_mode": "local"},
        )

    def _covered(self, text: str) -> float:
        """Return the share of the question, by weight, whose words stand in ``text``."""
        return math.fsum(part for token, part in self._share.items() if self._mark(token) in text)

    def _mark(self, token: str) -> str:
        return f" {token}" if token in self._prefixes else f" {token} "

    def _likeness(self, text: str) -> float:
        """Return the cosine of two bags of words, trigrams and pairs, the memory's length estimated by its words."""
        dot = math.fsum(weight * text.count(self._mark(token)) for token, weight in self._words.items())
        dot += _TRIGRAM**2 * sum(n * text.count(trigram) for trigram, n in self._trigrams.items())
        dot += _PAIR**2 * sum(text.count(pair) for pair in self._pairs)
        if not dot:
            return 0.0
        words = text.split()
        square = _WORD_SQUARE * sum(n * n for n in Counter(words).values()) + _PAIR**2 * (len(words) - 1)
        return min(1.0, dot / (self._length * math.sqrt(square)))


def _recency(last_ms: int | None, now: Instant) -> float:
    if last_ms is None or now.ms is None:
        return 0.5
    return min(1.0, max(0.0, 1.0 - (now.ms - last_ms) // DAY_MS / 365.0))
