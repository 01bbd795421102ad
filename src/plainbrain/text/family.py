"""Words of one family: fail and failure, decide and decision, database and db.

Owns the endings and changes by which English makes a word of another, the words that only look like kin, and the short
forms in use. Works on stems (``text.stem``), and so never parts what a stem has joined. Kin are near to a word, not the same:
whoever looks for them as well counts them for less. Promises one family for a stem, whatever was asked before; a stem that no
rule knows is a family of its own.
"""

from __future__ import annotations

from functools import lru_cache

from plainbrain.text.stem import ends_short, measure, stem, undouble

#: A shorter stem has no ending to lose.
_SHORTEST = 5
#: An ending that a stem still has; the letters and the vowel-to-consonant passages that must stand before it.
_ENDINGS = (
    ("ment", 3, 1), ("ship", 4, 1), ("less", 4, 1), ("hood", 4, 1), ("anc", 4, 1), ("abl", 4, 1), ("ibl", 4, 1), ("ion", 4, 1),
    ("ist", 4, 2), ("ous", 4, 2), ("ag", 4, 1), ("ur", 4, 1), ("er", 4, 1), ("or", 4, 1), ("iv", 4, 1), ("al", 4, 2),
    ("li", 4, 1), ("i", 4, 2),
)  # fmt: skip
#: Endings before which another may stand: deliver-y, clear-er-ly.
_ONCE_MORE = ("li", "i")
#: How a Latin noun ends, and its verb.
_CHANGES = (
    ("cept", "ceiv"), ("ceipt", "ceiv"), ("olut", "olv"), ("cript", "crib"), ("duct", "duc"), ("orpt", "orb"), ("miss", "mit"),
    ("cis", "cid"), ("vis", "vid"), ("clus", "clud"), ("trus", "trud"), ("tens", "tend"), ("pans", "pand"), ("pons", "pond"),
    ("pens", "pend"), ("vers", "vert"), ("lys", "lyz"), ("lyst", "lyz"), ("lyt", "lyz"),
)  # fmt: skip
_ALONE = """
adverse author better bitter bother brother butter buffer career center chapter charter comment companion corner counter creature
directory diverse docker expense factor factory fashion father flower former general hammer intense latter letter litter
manner master matter mature mention message mission moment mother number offer overall paper passage passion pepper portion poster
potter pottery probable proper quarter really restore revolution scatter section sentence session shower station successor summer supper
temper underlying version
"""
#: Words that end like kin of another and are none.
_NO_KIN = frozenset(map(stem, _ALONE.split()))
#: Words that change more than a rule says.
_CHANGED = """
act action; choose choice chosen chose; deny denial; destroy destruction; explain explanation; grow growth; high height; long
length; maintain maintenance; prove proof; retain retention; succeed success; use usage; wide width
"""
#: Words and how they are written short.
_SHORT = """
accessibility a11y; address addr; administrator admin; advertisement ad advert; apartment apt; application app; argument arg;
array arr; asynchronous async; attribute attr; authentication auth authn; average avg; bicycle bike; button btn; certificate
cert; character char; command cmd; configuration config cfg conf; connection conn; credential cred; database db; dependency dep;
description desc; destination dest dst; development dev; difference diff; directory dir; document doc; environment env; error
err; evaluation eval; examination exam; exception exc; execute exec; expression expr; father dad; favourite favorite fave fav;
frequency freq; function func fn; golang go; grandfather grandpa; grandmother grandma; image img; implementation impl;
information info; infrastructure infra; initialize init; integer int; internationalization i18n; introduction intro; javascript
js; kubernetes k8s kube; laboratory lab; language lang; library lib; localization l10n; management mgmt mgr; mathematics math;
maximum max; memory mem; message msg; middleware mw; minimum min; mongodb mongo; mother mom mum; number num; object obj;
observability o11y; operation op; organization org; package pkg; parameter param; password passwd pwd; performance perf;
photograph photo; postgresql postgres pg psql; preference pref; previous prev; production prod; property prop; python py;
quantity qty; reference ref; refrigerator fridge; regexp regex; repository repo; request req; response resp; schedule sched;
sequence seq; service svc; source src; specification spec; standard std; statistics stat; string str; synchronize sync; system
sys; table tbl; telephone phone; television tv; temporary temp tmp; terraform tf; timestamp ts; timezone tz; transaction txn tx;
typescript ts; university uni; utility util; variable var; vector vec; veterinarian vet
"""


def family(token: str) -> str:
    """Return the name of a token's family: two tokens are kin when theirs is the same."""
    return _known().get(token) or _derived(token)


def is_short_for(one: str, other: str) -> bool:
    """Tell whether two tokens are one word, written long and short."""
    return one in _short() and _short()[one] == _short().get(other)


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    return {**_read(_CHANGED), **_short()}


@lru_cache(maxsize=1)
def _short() -> dict[str, str]:
    return _read(_SHORT)


def _read(sets: str) -> dict[str, str]:
    """Return the family of every word of some sets, which is that of the first of its set."""
    found: dict[str, str] = {}
    for said in sets.split(";"):
        stems = [stem(word) for word in said.split()]
        found |= {one: _derived(stems[0]) for one in stems}
    return found


def _derived(token: str) -> str:
    if len(token) < _SHORTEST or not (token.isascii() and token.isalpha() and token.islower()):
        return token
    return token if token in _NO_KIN else _as_verb(_without_ending(token))


def _without_ending(token: str) -> str:
    for ending, letters, passages in _ENDINGS:
        if token.endswith(ending):
            before = token[: -len(ending)]
            if len(before) < letters or measure(before) < passages:
                return token
            if ending in _ONCE_MORE:
                return before if before in _NO_KIN else _without_ending(before)
            short = undouble(before)
            # As a stem is written: store, not stor.
            return f"{short}e" if short == before and measure(short) == 1 and ends_short(short) else short
    return token


def _as_verb(token: str) -> str:
    for noun, verb in _CHANGES:
        if token.endswith(noun) and len(token) > len(noun):
            return token[: -len(noun)] + verb
    return token
