"""The ranking ``auto``: words, context, author and date in one linear model, times what is known of the memory.

Owns the score. Promises that each factor stands in the explanation and that the score is in 0..1, higher is better:
``(body·w + context·w + author·w + date·w + …) / (sum of the weights that apply) × trust × (confidence × freshness)^w``.
Works on what somebody gathered: ``seeds`` are the best by a quick score, ``looked`` they and the turns around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from plainbrain.model.hit import Explanation
from plainbrain.model.instants import Instant
from plainbrain.model.memory import Memory
from plainbrain.model.query import Query
from plainbrain.records import record
from plainbrain.retrieval.context import FULL_LENGTH, Spot, Turns
from plainbrain.retrieval.dates import Span, closeness, spans_of, told_at
from plainbrain.retrieval.fields import WEIGHTS, Fields
from plainbrain.retrieval.freshness import age_days, freshness
from plainbrain.retrieval.kin import NO_KIN, Kin, Kinship
from plainbrain.retrieval.lexical import K1, B, possible_score
from plainbrain.retrieval.parse import Term, parse_query
from plainbrain.retrieval.rank import LEAST_PRIOR, Place, Prior, place_of, prior_of
from plainbrain.retrieval.signals import Signals
from plainbrain.retrieval.voices import author_of, named_authors
from plainbrain.text.tokens import tokens_of

AUTO = "auto"
#: So many memories are looked at closely, with the turns around them.
SEEDS = 200
#: So many more because of their vectors, by each kind.
ALIKE = 100
#: A turn beyond this is no count of turns.
_FARTHEST = 2**53


def seeds_for(query: Query) -> int:
    """Return how many memories are looked at closely for a query: enough for the page that it asks for."""
    return max(SEEDS, max(0, query.offset) + max(0, query.k))


class Words(Protocol):
    """The words of a brain: how telling they are, and which are akin."""

    def telling(self, terms: Sequence[Term]) -> Mapping[Term, float]:
        """Return the terms worth looking for, each with its weight."""
        ...

    def akin(self, weights: Mapping[Term, float]) -> Kinship:
        """Return terms with their weights and their kin."""
        ...


@record(frozen=True, slots=True)
class Asked:
    """A question made ready: ``weights`` are its telling words, ``names`` authors it names, ``spans`` times it names.

    ``kin`` are words akin to those, looked for as well.
    """

    weights: Mapping[Term, float]
    names: tuple[str, ...]
    spans: tuple[Span, ...]
    kin: Mapping[Term, Kin] = NO_KIN

    @property
    def sought(self) -> Mapping[Term, float]:
        """Every term that is looked for, with what it weighs."""
        return {**self.weights, **{term: one.weight for term, one in self.kin.items()}}

    @property
    def possible(self) -> float:
        """The BM25 that no memory can exceed by the words themselves."""
        return possible_score(self.weights.values())


@record(frozen=True, slots=True)
class Looked:
    """What is known of one memory when it is looked at closely.

    ``bm25`` where it stands by itself and its words are counted already: ``fields`` are then not looked at.
    """

    place: Place
    prior: Prior
    spot: Spot | None
    author: str
    told_ms: int | None
    fields: Fields
    bm25: float | None = None


def ask(
    text: str,
    *,
    words: Words,
    known: Callable[[str], Iterable[str]],
    signals: Signals,
    now: Instant,
) -> Asked:
    """Read a question. ``words`` are those of the brain; ``known`` returns authors whose name begins with a token.

    Names of authors are taken out of the words when others remain, whatever the signal weighs: whoever is spoken to is
    named as well.
    """
    terms = parse_query(text)
    names = named_authors(tokens_of(text), known)
    taken = {token for name in names for token in name.split()}
    weights = words.telling([term for term in terms if term.token not in taken]) if taken else {}
    spans = spans_of(text, now=now) if signals.date else ()
    related = words.akin(weights or words.telling(terms))
    return Asked(related.weights, names, spans, related.kin)


def plain_question(text: str, asked: Asked) -> str:
    """Return the question without the authors it names: a name that stands everywhere misleads vectors."""
    taken = {token for name in asked.names for token in name.split()}
    kept = [chunk for chunk in text.split() if not (tokens := tokens_of(chunk)) or not taken.issuperset(tokens)]
    return " ".join(kept) if any(map(tokens_of, kept)) else text


def look_at(memory: Memory, fields: Fields, *, sequence: int) -> Looked:
    """Return what is looked at in a memory."""
    return Looked(
        place_of(memory, sequence), prior_of(memory), spot_of(memory), author_of(memory), told_at(memory), fields
    )


def spot_of(memory: Memory) -> Spot | None:
    """Return the place of a memory in its conversation; None when it does not say both session and turn."""
    said = memory.provenance
    if said.turn is None or abs(said.turn) > _FARTHEST or not said.sessions or not said.sessions[0]:
        return None
    return (said.sessions[0], said.turn)


def certainty(prior: Prior, *, signals: Signals, now: Instant) -> float:
    """Return what a memory is worth before anything is asked, 0..1."""
    fresh = freshness(age_days(prior.since_ms, now), prior.half_life_days)
    return float(prior.trust * max(LEAST_PRIOR, prior.confidence * fresh) ** signals.certainty)


def quick_score(bm25: float, looked: Looked, asked: Asked, *, signals: Signals, now: Instant) -> float:
    """Return the score by a memory's own words alone, to choose the seeds by; an index works it out in its own way."""
    total = bm25 / asked.possible * (signals.body + signals.context)
    total += signals.author * (looked.author in asked.names)
    total += signals.date * (closeness(asked.spans, looked.told_ms) == 1.0)
    return total * certainty(looked.prior, signals=signals, now=now)


@record(frozen=True, slots=True)
class Like:
    """How like a question a memory is by its vectors, cosines -1..1, and from where to where the nearest passage stands."""

    own: float
    context: float
    start: int = 0
    stop: int = 0


NOT_LIKE = Like(0.0, 0.0)


def words_are_enough(asked: Asked, *, signals: Signals) -> bool:
    """Tell whether a memory that stands by itself need not be looked into: no author is sought, and its BM25 is known."""
    return not asked.names and not asked.spans and signals.body + signals.context > 0.0


def rank(
    looked: Sequence[Looked],
    seeds: Sequence[int],
    asked: Asked,
    *,
    average_length: float,
    signals: Signals,
    now: Instant,
    likeness: Mapping[int, Like] | None = None,
) -> list[tuple[Place, Explanation]]:
    """Score the seeds (numbers in ``looked``) and what stands near them; return all that has something to it, best first.

    ``likeness`` is by number; None where there are no vectors.
    """
    scorer = _Scorer(looked, asked, average_length, signals, now, likeness)
    scored = [(number, *found) for number in scorer.turns.near(seeds) if (found := scorer.score(number))]
    scored.sort(key=lambda one: (-round(one[1], 12), looked[one[0]].place.key()))
    return [(looked[number].place, Explanation(factors, scorer.notes(number))) for number, _, factors in scored]


class _Scorer:
    """Score memories for one question."""

    def __init__(
        self,
        looked: Sequence[Looked],
        asked: Asked,
        average_length: float,
        signals: Signals,
        now: Instant,
        likeness: Mapping[int, Like] | None,
    ) -> None:
        self._likeness = likeness
        self._looked, self._asked, self._signals, self._now = looked, asked, signals, now
        self._average = average_length or 1.0
        self._possible = asked.possible or 1.0
        sought = asked.sought
        self._weights = list(sought.values())
        self._marks = [f" {term.token}" if term.prefix else f" {term.token} " for term in sought]
        self._counted = [(None, 0) if one.bm25 is not None else self._count(one.fields) for one in looked]
        self.turns = Turns([one.spot for one in looked])
        self._telling = signals.body + signals.context
        self._telling += (signals.likeness + signals.likeness_context) * (likeness is not None)
        self._most = self._telling + signals.author * bool(asked.names) + signals.date * bool(asked.spans)

    def _count(self, fields: Fields) -> tuple[tuple[float, ...] | None, int]:
        """Return how often each term stands in a memory (None: no term at all), weighted by column, and its length."""
        length = 0
        total: list[float] | None = None
        for text, weight in zip(fields, WEIGHTS, strict=True):
            if not text:
                continue
            length += text.count(" ") + 1
            padded = f" {text} "
            found = [padded.count(mark) for mark in self._marks]
            if any(found):
                total = total or [0.0] * len(found)
                for at, count in enumerate(found):
                    total[at] += count * weight
        return (tuple(total) if total else None), length

    def _relevance(self, counts: Sequence[float] | None, length: float, usual: float) -> float:
        if counts is None:
            return 0.0
        damping = K1 * (1.0 - B + B * length / usual)
        found = sum(w * n * (K1 + 1.0) / (n + damping) for w, n in zip(self._weights, counts, strict=True) if n)
        return min(1.0, found / self._possible)

    def _context(self, number: int) -> float | None:
        """Return how well a memory and the turns around it fit; None for one that stands by itself."""
        if self._looked[number].spot is None:
            return None
        total: list[float] | None = None
        length = 0.0
        for other, share in self.turns.around(number):
            counts, long = self._counted[other]
            length += share * long
            if counts is not None:
                total = total or [0.0] * len(counts)
                for at, count in enumerate(counts):
                    if count:
                        total[at] += share * count
        return self._relevance(total, length, self._average * FULL_LENGTH)

    def score(self, number: int) -> tuple[float, dict[str, float]] | None:
        """Return the score of a memory and every factor; None when neither it nor what stands around it has a word."""
        one, signals, asked = self._looked[number], self._signals, self._asked
        if one.bm25 is None:
            body = self._relevance(*self._counted[number], self._average)
        else:
            body = min(1.0, one.bm25 / self._possible)
        around = self._context(number)
        context = body if around is None else around
        like = NOT_LIKE if self._likeness is None else self._likeness.get(number, NOT_LIKE)
        if not body and not context and like.own <= 0:
            return None
        author = self._voice(one)
        date = closeness(asked.spans, one.told_ms) if asked.spans else 0.0
        told = signals.body * body + signals.context * context
        told += signals.likeness * max(0.0, like.own) + signals.likeness_context * max(0.0, like.context)
        fit = told + signals.author * author + signals.date * date
        sure = certainty(one.prior, signals=signals, now=self._now)
        score = fit / self._most * sure if self._most else 0.0
        age = age_days(one.prior.since_ms, self._now)
        factors = {"body": body, "context": context, "author": author, "date": date}
        if self._likeness is not None:
            factors |= {"likeness": like.own, "likeness_context": like.context}
        factors["evidence"] = told / (self._telling or 1.0)
        factors["relevance"] = fit / (self._most or 1.0)
        factors |= {"confidence": one.prior.confidence, "freshness": freshness(age, one.prior.half_life_days)}
        return score, factors | {"trust": one.prior.trust, "certainty": sure, "age_days": age, "score": score}

    def notes(self, number: int) -> dict[str, str]:
        """Return where the passage stands that is most like the question, where vectors tell."""
        like = (self._likeness or {}).get(number)
        return {} if like is None or like.stop <= like.start else {"passage": f"{like.start}-{like.stop}"}

    def _voice(self, one: Looked) -> float:
        """Return 1 for a memory by an author that is named, and for one by nobody that names him."""
        if not self._asked.names:
            return 0.0
        if one.author:
            return float(one.author in self._asked.names)
        words = set().union(*(text.split() for text in one.fields if text))
        return float(any(name.split()[0] in words for name in self._asked.names))
