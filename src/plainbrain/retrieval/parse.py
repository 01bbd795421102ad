"""What a query asks for, in tokens. Any text is a query; there is no syntax that could be wrong.

Owns stop words and which words of a query count. Promises never to raise, and to give the same terms
for the same text. Knows nothing of how terms are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from plainbrain.records import record
from plainbrain.text.stem import stem
from plainbrain.text.tokens import is_unspaced, tokens_of

#: More words than this do not make a question clearer, and cost time.
MAX_TERMS = 64
#: From this many memories on, words that more than a tenth of them hold are passed over.
LARGE_BRAIN, COMMON_SHARE = 1000, 0.10

NO_WORDS = "no searchable words in the query"

_STOP = """
a about above after again all also am an and any are arent as at be because been before being below between both
but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each ever few for from further
get gets got had hadnt has hasnt have havent having he her here hers herself him himself his how i id if ill im in
into is isnt it its itself ive just like let lets may me might more most much must my myself no nor not of off on
once only or other our ours ourselves out over own please re same shall she should shouldnt so some such than that
thats the their theirs them themselves then there theres these they theyre this those through to too under until up
us very was wasnt we were werent what whats when where which while who whom whose why will with wont would wouldnt
you youre your yours yourself yourselves
"""
#: Words that say nothing about the matter, as tokens. "id", "us" and the like stay findable on their own.
STOP_WORDS = frozenset(stem(word) for word in _STOP.split())


@record(frozen=True, slots=True)
class Term:
    """One token to look for; ``prefix`` looks for every token that begins with it."""

    token: str
    prefix: bool = False


def parse_query(text: str) -> tuple[Term, ...]:
    """Return the terms that ``text`` asks for, each once, at most 64; empty when it has no searchable word.

    Stop words go when other words remain. A single character of a script without spaces is a prefix,
    as every character begins a token there.
    """
    asked = list(dict.fromkeys(_terms(tokens_of(text))))
    telling = [term for term in asked if term.token not in STOP_WORDS]
    return tuple((telling or asked)[:MAX_TERMS])


def drop_common(terms: Sequence[Term], count: Callable[[Term], int], *, total: int) -> tuple[Term, ...]:
    """Leave out terms that more than a tenth of a large brain holds, when others remain that it holds at all.

    ``count`` tells in how many of the ``total`` memories a term stands.
    """
    if total <= LARGE_BRAIN:
        return tuple(terms)
    counts = [count(term) for term in terms]
    rare = {term for term, held in zip(terms, counts, strict=True) if not is_common(held, total=total)}
    if not any(held for term, held in zip(terms, counts, strict=True) if term in rare):
        return tuple(terms)
    return tuple(term for term in terms if term in rare)


def is_common(held: int, *, total: int) -> bool:
    """Tell whether a word that ``held`` memories hold is passed over in a brain of ``total``."""
    return total > LARGE_BRAIN and held > total * COMMON_SHARE


def _terms(tokens: list[str]) -> list[Term]:
    found: list[Term] = []
    before = ""
    for token in tokens:
        single = len(token) == 1 and is_unspaced(token)
        if not (single and len(before) == 2 and before[1] == token and is_unspaced(before)):
            found.append(Term(token, prefix=single))
        before = token
    return found
