"""The rules by which two statements conflict, say the same, or have nothing to do with each other.

Each rule looks at what is left on either side when the shared words are taken out, and at where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainbrain.lifecycle.conflicts.case import Case, Decision, has_role, leads, open_case
from plainbrain.lifecycle.conflicts.figures import WHEN
from plainbrain.lifecycle.conflicts.match import Pairing, is_light, pair_up
from plainbrain.lifecycle.conflicts.reading import Item, Statement
from plainbrain.lifecycle.conflicts.replaced import decide_replaced, decide_rivals

_MAX_EXTRA = 4
_TRADES = frozenset({"front", "back", "mobile", "ios", "android", "web", "desktop"})
_THERE = frozenset({"USE", "HAVE", "LIKE", "DO", "PREFER", "HOST", "STORE", "WORK", "LIVE"})
_SEVERAL = frozenset({"support", "accept"})
_STATIVE = frozenset({"USE", "PREFER", "BE", "ATTR", "HOST", "BUILD", "need", "requir"})


def decide(one: Statement, other: Statement) -> Decision:
    """Decide on two statements."""
    case = open_case(pair_up(one, other))
    ours, theirs = _scopes(one), _scopes(other)
    if not (ours and theirs and ours != theirs) and (_denied_by(one, other) or _denied_by(other, one)):
        return Decision("conflict", "one says what the other says is no longer so", 0.9)
    if scopes := _different(ours, theirs):
        return Decision("none", f"different places: {', '.join(sorted(scopes))}")
    if one.past != other.past:
        return Decision("none", "one tells of the past")
    if _speakers_differ(one, other):
        return Decision("none", "different people")
    turned = (one.negated != other.negated) != bool(len(case.opposed) % 2)
    if turned:
        return _decide_denial(case)
    if case.figures:
        return _decide_figures(case)
    if case.rivals:
        return decide_rivals(case)
    if _has_figure(one, case.pairing.left) and _has_figure(other, case.pairing.right):
        return Decision("none", "figures of different kinds")
    if case.both_sided:
        return decide_replaced(case)
    if case.anchors and _turns_around(one, other):
        return Decision("conflict", "the other way round", 0.8)
    if case.anchors and not case.extra:
        return Decision("same", "says the same")
    return Decision("none", "adds to it" if case.anchors else "nothing in common")


def _has_figure(statement: Statement, places: Sequence[int]) -> bool:
    return any(statement.items[at].sort == "figure" for at in places)


def _turns_around(one: Statement, other: Statement) -> bool:
    """Whether two statements put the same things before and after each other in opposite order."""
    ours, theirs = _around(one), _around(other)
    return bool(ours[0] & theirs[1] and ours[1] & theirs[0])


def _around(statement: Statement) -> tuple[set[str], set[str]]:
    """Return the keys before and behind the word that orders them (before, after); nothing when there is none."""
    at = next((i for i, item in enumerate(statement.items) if item.weak), None)
    if at is None:
        return set(), set()
    return {i.key for i in statement.items[:at]}, {i.key for i in statement.items[at + 1 :]}


def _scopes(statement: Statement) -> set[str]:
    items = statement.items
    return {
        item.sense.name
        for at, item in enumerate(items)
        if item.sense.role == "scope" and not (item.sense.name in _TRADES and _is_trade(items, at))
    }


def _is_trade(items: Sequence[Item], at: int) -> bool:
    """Whether the scope at this place says what the user is: a frontend engineer."""
    follows = at + 1 < len(items) and not items[at + 1].gap and not items[at + 1].sense.role
    return follows and any(item.sense.role == "speaker" for item in items[:at])


def _different(ours: set[str], theirs: set[str]) -> set[str]:
    """Return the scopes that keep two statements apart; a bound (least, most) does only against another bound."""
    ahead, behind = ours - theirs, theirs - ours
    if all(any(scope.startswith("~") for scope in scopes) for scopes in (ahead, behind)):
        return ahead | behind
    return {scope for scope in ahead | behind if not scope.startswith("~")}


def _speakers_differ(one: Statement, other: Statement) -> bool:
    ours, theirs = _speakers(one), _speakers(other)
    return {"user"} in (ours, theirs) and {"team"} in (ours, theirs)


def _speakers(statement: Statement) -> set[str]:
    return {item.sense.name for item in statement.items if item.sense.role == "speaker"}


def _denied_by(one: Statement, other: Statement) -> bool:
    """Whether ``one`` says that something is no longer so which ``other`` says, of the same thing."""
    keys = {item.key for item in other.items}
    return (
        bool(one.denied & keys)
        and not other.negated
        and (bool({i.key for i in one.items} & keys) or len(one.items) <= 2)
    )


def _decide_denial(case: Case) -> Decision:
    pairing = case.pairing
    if case.figures or case.rivals:
        return Decision("none", "one denies what the other does not say")
    left, right = _without_verbs(case.left, pairing.one), _without_verbs(case.right, pairing.other)
    figured = _has_figure(pairing.one, pairing.left) or _has_figure(pairing.other, pairing.right)
    named = sum(_tells(item) for item in pairing.shared_items())
    anchored = named or (case.opposed and case.anchors) or (pairing.shared and not case.extra and not figured)
    if (left and right) or not anchored:
        return Decision("none", "a denial of something else")
    if _denies_alone(pairing.one, left) or _denies_alone(pairing.other, right):
        return Decision("none", "a denial of something else")
    if case.extra > _MAX_EXTRA:
        return Decision("none", "a denial in a narrower case")
    why = "one says yes where the other says no"
    if case.opposed:
        at, to = case.opposed[0]
        why = f"{pairing.one.items[at].key} against {pairing.other.items[to].key}"
    return Decision("conflict", why, 0.95 - 0.05 * case.extra)


def _tells(item: Item) -> bool:
    """Whether an item says what a statement is about; a mere verb or a time does not."""
    return item.sort != "figure" and item.sense.name not in _THERE and not is_light(item)


def _denies_alone(statement: Statement, left: list[int]) -> bool:
    """Whether what a statement denies is nothing that the other says."""
    return statement.negated and statement.denies_at in left


def _without_verbs(places: list[int], statement: Statement) -> list[int]:
    """Leave out the verbs that only say that something is there, liked or used."""
    return [at for at in places if statement.items[at].sense.name not in _THERE]


def _decide_figures(case: Case) -> Decision:
    pairing = case.pairing
    other_values = case.opposed or any(kind != "daytime" for _, _, kind in case.rivals)
    if case.both_sided or other_values or not case.anchors or pairing.one.negated:
        return Decision("none", "figures of different things")
    if case.also or has_role(pairing, "event"):
        return Decision("none", "figures of different occasions")
    dims = set(case.figures)
    if len(dims) > 1 and not dims <= WHEN:
        return Decision("none", "figures of different occasions")
    if any(item.numbered for ours, theirs in case.figures.values() for item in (*ours, *theirs)):
        return Decision("none", "differently numbered things")
    if case.extra > _MAX_EXTRA or _narrows(case.left, pairing.one) or _narrows(case.right, pairing.other):
        return Decision("none", "figures of different things")
    if _figure_leads(case) and not _is_stative(pairing):
        return Decision("none", "the figures name different things")
    dim, (ours, theirs) = next(iter(case.figures.items()))
    several = dim in ("version", "number") and has_role(pairing, "many") and not has_role(pairing, "only")
    if several and any(item.key in _SEVERAL for item in pairing.shared_items()):
        return Decision("none", "several can be supported")
    return Decision("conflict", f"{ours[0].key} against {theirs[0].key} ({dim})", 1.0 - 0.05 * case.extra)


def _narrows(places: list[int], statement: Statement) -> bool:
    """Whether one of the places is a word that makes another thing of the word behind it: a half marathon."""
    items = statement.items
    return any(
        at + 1 < len(items) and not items[at + 1].gap and items[at + 1].sort == "word" and not items[at + 1].sense.role
        for at in places
    )


def _figure_leads(case: Case) -> bool:
    pairing = case.pairing
    sides = (
        (pairing.one, pairing.left, {a for a, _ in pairing.shared}),
        (pairing.other, pairing.right, {b for _, b in pairing.shared}),
    )
    return all(
        leads([at for at in places if statement.items[at].sort == "figure"], statement, shared)
        for statement, places, shared in sides
    )


def _is_stative(pairing: Pairing) -> bool:
    return any(i.sense.name in _STATIVE or i.key in _STATIVE for i in pairing.one.items)
