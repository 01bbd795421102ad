"""Whether a text itself turns down what it names: "we will not use Redis", "Postgres instead of Redis", "drop Redis".

Owns the rule. It is narrow on purpose, since a veto that is missed is worse than one too many: the words that deny stand right
before the name with nothing but words of using between, nothing that takes the denial back stands before them, and what follows
the name ends or goes on without a condition. Pure, and linear in the length of the text.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise


def _set(*words: str) -> frozenset[str]:
    return frozenset(" ".join(words).split())


#: Words that deny what follows them.
_DENYING = _set(
    "not never no without nor neither cannot kein keine keinen keinem keiner keines nicht ohne sans sin senza sem zonder geen utan nunca"
)
#: Words that put something else in a name's place, or put the name away.
_AWAY = _set(
    "avoid avoiding avoids drop dropping dropped remove removing removed ditch ditching ban banning banned abandon abandoning reject "
    "rejecting rejected statt anstatt vermeiden instead_of rather_than in_place_of away_from off_of rid_of stop_using stopped_using "
    "quit_using move_off moving_off switch_from switching_from migrate_from migrating_from decided_against decide_against deciding_against voted_against advise_against advised_against ruled_out "
    "rule_out ruling_out turned_down turn_down turning_down au_lieu_de plutot_que plutôt_que "
    "en_lugar_de en_vez_de an_stelle_von anstelle_von"
)
#: These put away what "with", "by" or "for" then follows.
_SWAPPING = {
    **dict.fromkeys(("replace", "replacing", "replaced", "replaces"), frozenset({"with", "by"})),
    **dict.fromkeys(("swap", "swapping", "swapped"), frozenset({"for", "with"})),
}
#: Words of using that may stand between a denial and the name.
_USING = _set(
    "use using used uses add adding adopt adopting introduce introducing pick picking choose choosing want need take take bring bringing "
    "in go going with depend depending rely relying on run running switch switching move moving migrate migrating to be a an the any our "
    "more some ever again longer new another der die das den dem ein eine einen einem auf mit von zu un une le la les de du des el los "
    "of last trace traces remnants leftovers remaining reference references import imports usage usages "
    "las una uno verwenden nutzen benutzen einsetzen utiliser usar"
)
_WITHOUT = _set("without ohne sans sin senza sem zonder utan")
#: Denials that may only state what is not there.
_LACKING = _WITHOUT | _set("no kein keine keinen keinem keiner keines geen")
_HAVING = _set("have has had got there there's is are haben hat gibt")
#: What takes a denial back when it stands before it in the same clause.
_TAKING_BACK = _set(
    "impossible hard difficult slow slower fail fails break breaks broken worse expensive useless need needs until "
    "why if whether unless only reason forget hesitate sure warum wenn falls ob nur pourquoi si solo seulement should_we shall_we can_we "
    "could_we would_we cannot can't couldn't"
)
#: What may follow the name: anything else might be a condition ("until", "without", "directly"), or make another name of it.
_GOING_ON = _set(
    "and or nor but for here anymore again because since as at in any either we i you they it let let's this that is was so then use "
    "please bitte thanks thank merci whatsoever "
    "und oder aber sondern hier mehr weil da wir et ou mais ici car nous y o pero aqui porque"
)
#: What says of the name before it that it is turned down: a verb, then one of the phrases.
_BEING = _set(
    "is was are were stays stay remains remain has_been have_been will_be ist war sind bleibt bleiben est reste es"
)
_OUT = _set(
    "out not_an_option no_option no_longer_an_option off_the_table off_limits out_of_the_question ruled_out not_allowed forbidden banned rejected "
    "turned_down not_an_alternative keine_option raus vom_tisch tabu verboten ausgeschlossen exclu exclue"
)
#: After such a phrase these tell of what, when or where it is not.
_NARROWING = _set("that in at any either is was")
#: What puts a condition before the name, beside what takes a denial back.
_PROVIDED = _set("nobody none niemand personne when once where while before after sobald solange quand si cuando")
#: A question with these asks why it was turned down; "why not" and "why don't we" propose it.
_ASKED = _set("do does did are is was were have has")
_PASSED = _set("rejected ruled_out turned_down banned not_used not_chosen not_an_option dropped")
_ENDS = '\n.;:!?()[]{}"“”«»。；！？'
_QUOTES = "`*_~'\""
_LINKING = frozenset({"or", "nor", "oder", "noch", "ou", "ni", "o"})
_REACH = 5
#: So many characters before and after a name are looked at.
_LONGEST = 400


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether the name at ``start:end`` of a text is turned down where it stands.

    The text is folded, with single blanks between its words, and a line feed where a paragraph or an item of a list begins.
    """
    before, after, closing = _clause(text, start, end)
    if closing == "?" or before[:1] == ["why"]:
        return _asks_why(before, after)
    if _is_out(before, after):
        return True
    if not before:
        return False
    at = _skip_names(before, _skip_using(before, len(before)))
    cue, length = _cue(before, at)
    if cue in _LACKING and _laments(before[: at - length], cue):
        # "Without Redis." alone is a plan; with anything after it, it may be a complaint
        return cue in _WITHOUT and at == length and not after and _is_alone(text, end)
    if not cue or any(_takes_back(word, cue) for word in _stated(before[: at - length])):
        return False
    following = after[0] if after else ""
    if cue in _SWAPPING:
        return at == len(before) and following in _SWAPPING[cue]
    return following in ("", ",") or following in _GOING_ON or (following == "to" and cue.endswith("_from"))


def _asks_why(before: list[str], after: list[str]) -> bool:
    """Tell whether a question asks why the name was turned down: "why do we not use Redis?", "why was Redis rejected?"."""
    if before[:1] != ["why"] or before[1:2] == [] or before[1] not in _ASKED or "," in before:
        return False
    if len(before) == 2 and before[1] in _BEING:
        return any("_".join(after) == phrase for phrase in _PASSED)
    at = _skip_using(before, len(before))
    cue, length = _cue(before, at)
    subject = before[2 : at - length]
    plain = not any(_takes_back(word, cue) for word in _stated(subject))
    return (
        bool(cue) and cue not in _SWAPPING and 0 < len(subject) <= 2 and plain and (not after or after[0] in _GOING_ON)
    )


def _is_out(before: list[str], after: list[str]) -> bool:
    """Tell whether the words after a name turn it down: "Redis is off the table", and nothing before takes that back."""
    if after[:1] and after[0].endswith("n't"):
        after = [after[0][:-3], "not", *after[1:]]
    verb = next((size for size in (1, 2) if "_".join(after[:size]) in _BEING), 0)
    if not verb:
        return False
    said = next((size for size in (4, 3, 2, 1) if "_".join(after[verb : verb + size]) in _OUT), 0)
    if not said:
        return False
    following = after[verb + said] if len(after) > verb + said else ""
    ends = following in ("", ",") or (following in _GOING_ON and following not in _NARROWING)
    return ends and not any(_takes_back(word, "") or word in _PROVIDED for word in _stated(before))


def _is_alone(text: str, end: int) -> bool:
    """Tell whether nothing but a closing sign stands between a name and the end of its paragraph or item."""
    return text[end : end + _LONGEST].split("\n", 1)[0].strip(" .!" + _QUOTES) == ""


def _laments(words: list[str], cue: str) -> bool:
    """Tell whether the lack of something is only stated: "we have no Redis", "without Redis, it is slow"."""
    return not words if cue in _WITHOUT else bool(_HAVING & set(words[-_REACH:]))


def _takes_back(word: str, cue: str) -> bool:
    """Tell whether a word before a denial takes it back, or is a denial that makes it the opposite ("do not drop")."""
    return word in _TAKING_BACK or (_denies(word) and cue != "nor")


def _clause(text: str, start: int, end: int) -> tuple[list[str], list[str], str]:
    """Return the words before and after a name in its clause, commas for themselves, and the sign that ends it."""
    far = max(0, start - _LONGEST)
    first = max(max(text.rfind(sign, far, start) for sign in _ENDS) + 1, far)
    last, farthest = end, min(len(text), end + _LONGEST)
    while last < farthest and not _closes(text, last):
        last += 1
    return _words(text[first:start]), _words(text[end:last]), text[last : last + 1]


def _closes(text: str, at: int) -> bool:
    """Tell whether a sign ends a clause: not a dot within a name or a number."""
    return text[at] in _ENDS and (text[at] != "." or not text[at + 1 : at + 2].isalnum())


def _words(text: str) -> list[str]:
    found = []
    for chunk in text.replace("\u2019", "'").split():
        bare = chunk.strip(_QUOTES + "–—-")
        if bare.endswith(","):
            found += [bare.rstrip("," + _QUOTES), ","]
        elif bare or chunk.strip(_QUOTES):
            found.append(bare or chunk)
    return [word for word in found if word]


def _skip_using(words: list[str], at: int) -> int:
    while at > 0 and words[at - 1] in _USING and not _away_at(words, at)[0]:
        at -= 1
    return at


def _skip_names(words: list[str], at: int) -> int:
    """Go back over "Kafka or" before the name: what denies one denies both."""
    while at > 1 and words[at - 1] in _LINKING and not _denies(words[at - 1]) and not _denies(words[at - 2]):
        at = _skip_using(words, at - 2)
    return at


def _cue(words: list[str], at: int) -> tuple[str, int]:
    """Return what denies right before ``at``, and how many words it has."""
    cue, length = _away_at(words, at)
    if cue:
        return cue, length
    if at > 0 and (words[at - 1] in _SWAPPING or _denies(words[at - 1])):
        return words[at - 1], 1
    return "", 0


def _away_at(words: list[str], at: int) -> tuple[str, int]:
    for length in (3, 2, 1):
        if at >= length and "_".join(words[at - length : at]) in _AWAY:
            return "_".join(words[at - length : at]), length
    return "", 0


def _denies(word: str) -> bool:
    return word in _DENYING or word.endswith("n't") or word in ("dont", "wont", "doesnt", "shouldnt")


def _stated(words: list[str]) -> list[str]:
    """Return the last words before a denial, in pairs as well, up to a comma."""
    near = words[-_REACH:]
    if "," in near:
        near = near[len(near) - near[::-1].index(",") :]
    pairs = [f"{one}_{other}" for one, other in pairwise(near)]
    return [*near, *pairs]


def is_mark(character: str) -> bool:
    """Tell whether a character belongs to the letter before it."""
    return bool(character) and not character.isascii() and unicodedata.category(character)[0] == "M"
