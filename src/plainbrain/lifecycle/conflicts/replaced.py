"""When one value takes the place of another: by what the predicate can hold, and by where the values stand."""

from __future__ import annotations

from plainbrain.lifecycle.conflicts.case import Case, Decision, has_role, leads
from plainbrain.lifecycle.conflicts.match import Pairing, runs
from plainbrain.lifecycle.conflicts.reading import Item, Statement

#: Concepts of which there is one: what is said of the only one.
_TITLES = frozenset({"BE", "ATTR", "OWN", "MANAGE", "NAME", "DUE"})


def _role_of(pairing: Pairing, at: int) -> str:
    """Return how many values the shared predicate of place ``at`` holds: ``only``, ``pick``, ``many`` or ``""``.

    The nearest before it decides, else (the verb comes last in many languages) the nearest after it.
    """
    slot = pairing.one.items[at]
    if slot.prep == "by":
        return "only"
    before = [a for a, _ in reversed(pairing.shared) if a < at]
    after = [a for a, _ in pairing.shared if a > at]
    if not slot.gap and before[:1] == [at - 1] and not pairing.one.items[at - 1].sense.role:
        before = []  # what an unknown verb is done to
    for place in (*before, *after):
        item = pairing.one.items[place]
        if item.sense.role in ("many", "only", "pick", "thing"):
            return item.sense.role
        if item.sense.sides:
            return ""
    return "many" if has_role(pairing, "unique") else ""


def _qualifies(item: Item) -> bool:
    return item.prep in ("in", "for", "with", "about")


def _lead_both(pairing: Pairing, at: int, to: int) -> bool:
    leading = leads([at], pairing.one, {a for a, _ in pairing.shared})
    return leading and leads([to], pairing.other, {b for _, b in pairing.shared})


def decide_rivals(case: Case) -> Decision:
    """Decide on values of one class where the rest is alike."""
    pairing = case.pairing
    at, to, kind = case.rivals[0]
    ours, theirs = pairing.one.items[at], pairing.other.items[to]
    if case.both_sided or case.opposed:
        return Decision("none", "values of different things")
    role = _role_of(pairing, at)
    if case.also or pairing.one.negated or role == "many":
        return Decision("none", "several can hold")
    if len(case.rivals) > 1 and any(_qualifies(pairing.one.items[a]) for a, _, _ in case.rivals):
        return Decision("none", "values in different places")
    if not case.anchors and not pairing.shared:
        return Decision("none", "nothing in common")
    if any(pairing.one.items[a].sense.kinds & ours.sense.kinds for a, _ in pairing.shared):
        return Decision("none", "lists with something in common")
    if len(case.rivals) > 1 and not case.anchors:
        return Decision("none", "values of different things")
    if kind.endswith("+") and role not in ("only", "") and not _tail(pairing, at, to):
        return Decision("none", "often side by side")
    if not role and _lead_both(pairing, at, to) and not _holds_alone(pairing, [at], [to]):
        return Decision("none", "different subjects")
    return Decision("conflict", f"{ours.key} against {theirs.key}", 0.85 - 0.05 * case.extra)


def decide_replaced(case: Case) -> Decision:
    """Decide on words of no known class that stand in each other's place."""
    pairing = case.pairing
    left, right = runs(case.left, pairing.one), runs(case.right, pairing.other)
    if len(left) + len(right) > 3 or not case.anchors or case.opposed:
        return Decision("none", "different things")
    if case.also or pairing.one.negated:
        return Decision("none", "several can hold")
    at, to = left[0][0], right[0][0]
    first, second = pairing.one.items[at], pairing.other.items[to]
    if _preps_differ(pairing, first, second):
        return Decision("none", "different sides of the same thing")
    shared, other_shared = {a for a, _ in pairing.shared}, {b for _, b in pairing.shared}
    if leads(left[0], pairing.one, shared) or leads(right[0], pairing.other, other_shared):
        if _holds_alone(pairing, left[0], right[0]):
            return Decision("conflict", f"{first.key} against {second.key}", 0.75)
        return Decision("none", "different subjects")
    if _differ_in_verb(pairing.one, left[0]) or _differ_in_verb(pairing.other, right[0]):
        return Decision("none", "different things are said")
    role = _role_of(pairing, at)
    if role == "thing":
        role = "only" if (first.proper and second.proper) or first.sense.kinds or second.sense.kinds else "many"
    if _is_assigned(pairing, first, second):
        role = "only"
    if role == "only" or (role in ("pick", "") and _tail(pairing, left[0][-1], right[0][-1])):
        return Decision("conflict", f"{first.key} against {second.key}", 0.7 - 0.05 * case.extra)
    return Decision("none", "several can hold" if role else "different things")


def _is_assigned(pairing: Pairing, first: Item, second: Item) -> bool:
    """Whether two values are what a thing is said to be, or the place where it is.

    They stand behind a colon or an equals sign, are names behind an ``is``, differ in their figures only, or
    are all that is said of the thing, in languages that leave the ``is`` out.
    """
    if first.prep != second.prep or first.prep not in ("", "is", "in"):
        return False
    if first.prep == "is" or _same_letters(first.key, second.key):
        return True
    if first.copula and second.copula:
        return first.proper and second.proper
    bare = len(pairing.one.items) == len(pairing.other.items) == 2
    return bare and first.prep == "in" and first.key > "\u0400" and second.key > "\u0400"


def _same_letters(one: str, other: str) -> bool:
    letters = [key.strip("0123456789") for key in (one, other)]
    # ABC-12 and ABC-15 are two things of a list, node18 and node20 two values.
    return letters[0] == letters[1] and letters[0] not in (one, other) and not letters[0].endswith("-")


def _preps_differ(pairing: Pairing, first: Item, second: Item) -> bool:
    preps = {first.prep, second.prep} - {""}
    if any(item.key == "WORK" for item in pairing.shared_items()):
        # For a company or at it is one; at a company and from home are not.
        return len(preps - {"for"}) > 1 or bool(first.sense.sides) != bool(second.sense.sides)
    return len(preps) > 1


def _holds_alone(pairing: Pairing, ours: list[int], theirs: list[int]) -> bool:
    """Whether two subjects claim what one alone can be: the owner of a thing, the default, the manager."""
    if any(item.sense.role == "unique" for item in pairing.shared_items()):
        return pairing.shared[-1][0] > ours[-1] + 1 and pairing.shared[-1][1] > theirs[-1] + 1
    sides = (
        (pairing.one, ours, [a for a, _ in pairing.shared]),
        (pairing.other, theirs, [b for _, b in pairing.shared]),
    )
    return all(_is_title(statement, run, shared) for statement, run, shared in sides)


def _is_title(statement: Statement, run: list[int], shared: list[int]) -> bool:
    """Whether a run is said to be the one and only, before it (``the lead is Tom``) or after it (``Tom is the lead``)."""
    after = run[-1] + 1
    if run[0] == 0 and after < len(statement.items):
        titled = statement.items[after].gap and not statement.items[after].prep and after in shared
    else:
        titled = run[-1] == len(statement.items) - 1
    return titled and any(
        statement.items[at].sense.role in ("only", "thing") and statement.items[at].sense.name in _TITLES
        for at in shared
    )


def _differ_in_verb(statement: Statement, run: list[int]) -> bool:
    return any(statement.items[at].sense.role in ("only", "pick", "many", "event") for at in run[:1]) and len(run) > 1


def _tail(pairing: Pairing, at: int, to: int) -> bool:
    """Whether a shared purpose, or the thing that both values are, follows the two values."""
    after = next(((a, b) for a, b in pairing.shared if a > at and b > to), None)
    if after is None:
        return False
    ours, theirs = pairing.one.items[after[0]], pairing.other.items[after[1]]
    if ours.prep == theirs.prep == "for":
        return True
    if ours.key > "\u0530" or ours.sense.role in ("pick", "many", "light"):
        return False  # where the verb comes last it stands there
    return not ours.gap and not theirs.gap and after == (at + 1, to + 1)
