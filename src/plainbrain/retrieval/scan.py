"""The plain scan: every memory looked at, nothing kept. What an index must agree with.

Owns the order of the steps: parse, count words, filter, compare vectors where there are some, score, sort. Promises the same answers as an
index over the same memories, in the same order, to the last digits of rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.retrieval.auto import (
    AUTO,
    Asked,
    Like,
    ask,
    look_at,
    plain_question,
    quick_score,
    rank,
    seeds_for,
    words_are_enough,
)
from plainbrain.retrieval.fields import Fields, fields_of
from plainbrain.retrieval.filters import passes
from plainbrain.retrieval.fusion import RRF, Scored, depth_for, fuse, most_like
from plainbrain.retrieval.kin import Kinship, akin_to
from plainbrain.retrieval.lexical import Corpus, possible_score
from plainbrain.retrieval.parse import Term, parse_query
from plainbrain.retrieval.policies import POLICIES, Policy, Question, traces_of
from plainbrain.retrieval.rank import Place, best_first, explain_blueprint, in_order, place_of, prior_of
from plainbrain.retrieval.signals import SHIPPED
from plainbrain.retrieval.vector import Meanings, most_alike
from plainbrain.retrieval.voices import author_of, begins_with, named_authors
from plainbrain.text.family import family
from plainbrain.text.tokens import tokens_of

Answers = tuple[list[tuple[str, float, Explanation]], int]


def search_plainly(
    memories: Sequence[Memory], query: Query, *, now: Instant, meanings: Meanings | None = None
) -> Answers:
    """Return ``(id, score, why)`` of the best for ``query``, best first, and how many matched in all.

    The order of ``memories`` decides between equals of one creation time. ``meanings`` know their vectors, in the same order.
    """
    fields = [fields_of(memory) for memory in memories]
    corpus = Corpus(fields)
    if query.profile == AUTO:
        return _by_signals(memories, fields, corpus, query=query, now=now, meanings=meanings)
    weights = corpus.telling(parse_query(query.text))
    if not weights:
        return [], 0
    policy = POLICIES.get(query.profile)
    if policy is None:
        scored = _by_words(memories, corpus.score(weights), query, now=now, possible=possible_score(weights.values()))
    else:
        scored = _by_policy(policy, memories, fields, query=query, weights=weights, now=now)
    total = len(scored)
    if query.profile == RRF:
        alike = None if meanings is None else _by_likeness(memories, query, meanings, now=now)
        scored = fuse(in_order(scored)[: depth_for(query)], alike)
        total = max(total, len(scored))
    return best_first(scored, start=max(0, query.offset), count=max(0, query.k)), total


class CorpusWords:
    """The words of all memories, and the families they make."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.telling = corpus.telling

    def akin(self, weights: Mapping[Term, float]) -> Kinship:
        """Return terms with their weights and their kin."""
        return akin_to(weights, members=self._members, held=self._corpus.held, total=self._corpus.total)

    def _members(self, families: Sequence[str]) -> list[tuple[str, str]]:
        return [(name, token) for token in self._corpus.words if (name := family(token)) in families]


def _authors(memories: Sequence[Memory]) -> Callable[[str], list[str]]:
    """Return what tells the authors whose name begins with a word."""
    authors = sorted({author_of(memory) for memory in memories})
    return lambda token: [author for author in authors if begins_with(author, token)]


def _by_likeness(memories: Sequence[Memory], query: Query, meanings: Meanings, *, now: Instant) -> list[Scored] | None:
    names = named_authors(tokens_of(query.text), _authors(memories))
    likeness = meanings.likeness(plain_question(query.text, Asked({}, names, ())))
    if likeness is None:
        return None
    shown = [number for number, memory in enumerate(memories) if passes(memory, query, now=now)]
    nearest = most_alike(likeness, shown, depth_for(query))
    found = [(place_of(memories[n], n), prior_of(memories[n]), likeness[n]) for n in nearest]
    return most_like(found, now=now)[: depth_for(query)]


def _by_signals(
    memories: Sequence[Memory],
    fields: Sequence[Fields],
    corpus: Corpus,
    *,
    query: Query,
    now: Instant,
    meanings: Meanings | None,
) -> Answers:
    signals = SHIPPED.without(query.without)
    asked = ask(query.text, words=CorpusWords(corpus), known=_authors(memories), signals=signals, now=now)
    if not asked.weights:
        return [], 0
    shown = [number for number, memory in enumerate(memories) if passes(memory, query, now=now)]
    looked = [look_at(memories[number], fields[number], sequence=number) for number in shown]
    scores = corpus.score(asked.sought)
    matched = [at for at, number in enumerate(shown) if number in scores]
    quick = {at: quick_score(scores[shown[at]], looked[at], asked, signals=signals, now=now) for at in matched}
    for at in matched:
        if looked[at].spot is None and words_are_enough(asked, signals=signals):
            looked[at] = replace(looked[at], bm25=scores[shown[at]])
    seeds = sorted(matched, key=lambda at: (-quick[at], looked[at].place.key()))[: seeds_for(query)]
    likeness: dict[int, Like] | None = None
    if meanings is not None and signals.use_vectors:
        told = meanings.likeness(plain_question(query.text, asked))
        likeness = None if told is None else {at: told[number] for at, number in enumerate(shown) if number in told}
        seeds = list(dict.fromkeys([*seeds, *most_alike(likeness or {}, range(len(shown)))]))
    ranked = rank(
        looked,
        seeds,
        asked,
        average_length=corpus.average_length,
        signals=signals,
        now=now,
        likeness=likeness,
    )
    found = best_first(ranked, start=max(0, query.offset), count=max(0, query.k))
    return found, max(len(matched), len(ranked))


def _by_words(
    memories: Sequence[Memory], scores: dict[int, float], query: Query, *, now: Instant, possible: float
) -> list[tuple[Place, Explanation]]:
    return [
        (place_of(memory, number), explain_blueprint(bm25, possible=possible, prior=prior_of(memory), now=now))
        for number, bm25 in scores.items()
        if passes(memory := memories[number], query, now=now)
    ]


def _by_policy(
    policy: Policy,
    memories: Sequence[Memory],
    fields: Sequence[Fields],
    *,
    query: Query,
    weights: dict[Term, float],
    now: Instant,
) -> list[tuple[Place, Explanation]]:
    question = Question(weights)
    scored = []
    for number, memory in enumerate(memories):
        if passes(memory, query, now=now):
            why = question.explain(policy, traces_of(memory, fields[number]), now=now)
            if why is not None:
                scored.append((place_of(memory, number), why))
    return scored
