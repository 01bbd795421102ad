"""Words akin to those of a question: looked for as well, each for a part of its weight.

Owns what kin count. Promises that a memory with the asked word stands above the same memory with a kin in its place, and that a
word which only its kin hold is measured as they are: it is there, in another form. Pure; whoever counts words brings the families.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from plainbrain.records import record
from plainbrain.retrieval.lexical import idf
from plainbrain.retrieval.parse import STOP_WORDS, Term, is_common
from plainbrain.text.family import family, is_short_for

#: What a kin counts of what the asked word would, and what the same word does that is written short, or long.
SHARE, SHORT_SHARE = 0.35, 0.8
#: Kin that are looked for at most.
MOST_KIN = 12


@record(frozen=True, slots=True)
class Kin:
    """How much a kin weighs, and what share that is of its own telling weight."""

    weight: float
    share: float


@record(frozen=True, slots=True)
class Kinship:
    """The words of a question with their weights, and their kin."""

    weights: Mapping[Term, float]
    kin: Mapping[Term, Kin]


NO_KIN: Mapping[Term, Kin] = MappingProxyType({})


def akin_to(
    weights: Mapping[Term, float],
    *,
    members: Callable[[Sequence[str]], Iterable[tuple[str, str]]],
    held: Callable[[Term], int],
    total: int,
) -> Kinship:
    """Return the words of a question with their kin.

    ``members`` returns ``(family, token)`` of the tokens of some families, ``held`` in how many of the ``total`` memories a term stands.
    """
    families = {term: family(term.token) for term in weights if not term.prefix}
    there: dict[str, list[Term]] = {}
    for name, token in members(list(dict.fromkeys(families.values()))):
        there.setdefault(name, []).append(Term(token))
    own, kin = dict(weights), dict[Term, Kin]()
    for term, name in families.items():
        others = {
            other: held(other) for other in there.get(name, ()) if other != term and other.token not in STOP_WORDS
        }
        counts = {other: count for other, count in others.items() if count and not is_common(count, total=total)}
        if counts and not held(term):
            own[term] = idf(total, max(counts.values()))
        for other, count in counts.items():
            telling = idf(total, count)
            share = SHORT_SHARE if is_short_for(term.token, other.token) else SHARE
            weight = share * min(telling, own[term])
            if other not in weights and (other not in kin or kin[other].weight < weight):
                kin[other] = Kin(weight, weight / telling)
    best = sorted(kin, key=lambda term: (-kin[term].weight, term.token))[:MOST_KIN]
    return Kinship(own, {term: kin[term] for term in best})
