"""Holding two statements against each other: what they share, and what is left on either side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plainbrain.lifecycle.conflicts.figures import figures_agree
from plainbrain.lifecycle.conflicts.reading import Item, Statement
from plainbrain.records import record

_LIGHT_ROLES = frozenset({"light", "speaker"})
_MIN_COMMON, _COMMON_SHARE, _NAME_SHARE = 4, 0.7, 0.8


@record(frozen=True, slots=True)
class Pairing:
    """Two statements and which of their items meet: ``shared`` holds pairs of places, ``left`` places without a partner."""

    one: Statement
    other: Statement
    shared: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]

    def shared_items(self) -> list[Item]:
        """Return the shared items as the first statement has them."""
        return [self.one.items[at] for at, _ in self.shared]


def pair_up(one: Statement, other: Statement) -> Pairing:
    """Match the items of two statements: equal ones first, then inflections of one word."""
    free = [at for at, item in enumerate(other.items) if not item.weak]
    waiting = [at for at, item in enumerate(one.items) if not item.weak]
    shared: list[tuple[int, int]] = []
    for meets in (_equal, _alike):
        still = []
        for at in waiting:
            partner = next((to for to in free if meets(one.items[at], other.items[to])), None)
            if partner is None:
                still.append(at)
            else:
                shared.append((at, partner))
                free.remove(partner)
        waiting = still
    return Pairing(one, other, tuple(sorted(shared)), tuple(waiting), tuple(free))


def _equal(one: Item, other: Item) -> bool:
    if one.sort == "figure" or other.sort == "figure":
        return one.sort == other.sort and one.dim == other.dim and figures_agree(one.key, other.key)
    return one.key == other.key or bool(one.sense.sides & other.sense.sides)


def _alike(one: Item, other: Item) -> bool:
    """Whether two words are forms of one: most of the longer is the beginning of both."""
    if (
        one.key[:2] != other.key[:2]
        or one.sort != "word"
        or other.sort != "word"
        or one.sense.kinds
        or other.sense.kinds
        or _opposed(one, other)
    ):
        return False
    short, long = sorted((one.key, other.key), key=len)
    common = 0
    for a, b in zip(short, long, strict=False):
        if a != b:
            break
        common += 1
    share = _NAME_SHARE if one.proper and other.proper else _COMMON_SHARE
    least = _MIN_COMMON if short.isascii() else min(_MIN_COMMON, max(3, len(short)))
    return common >= least and common >= share * len(long) and len(long) - common <= 3


def _opposed(one: Item, other: Item) -> bool:
    if not one.sense.sides or not other.sense.sides:
        return False
    return any(at == to and side != across for at, side in one.sense.sides for to, across in other.sense.sides)


def opposed_pairs(pairing: Pairing) -> list[tuple[int, int]]:
    """Return the places of leftover or weak items that are the two sides of an opposition."""
    ones = [*pairing.left, *_weak(pairing.one)]
    others = [*pairing.right, *_weak(pairing.other)]
    pairs = []
    for at in ones:
        for to in others:
            if _opposed(pairing.one.items[at], pairing.other.items[to]):
                pairs.append((at, to))
                others.remove(to)
                break
    return pairs


def _weak(statement: Statement) -> list[int]:
    return [at for at, item in enumerate(statement.items) if item.weak]


def rival_pairs(pairing: Pairing) -> list[tuple[int, int, str]]:
    """Return the places of leftover values of one class, with the class."""
    pairs = []
    others = list(pairing.right)
    for at in pairing.left:
        for to in others:
            kinds = pairing.one.items[at].sense.kinds & pairing.other.items[to].sense.kinds
            if kinds:
                pairs.append((at, to, min(kinds)))
                others.remove(to)
                break
    return pairs


def is_light(item: Item) -> bool:
    """Tell whether an item may stand or be missing without changing what is meant."""
    return item.sense.role in _LIGHT_ROLES and not item.sense.kinds


def heavy(statement: Statement, places: Iterable[int]) -> list[int]:
    """Return those places that hold something that tells."""
    return [at for at in places if not is_light(statement.items[at])]


def runs(places: Sequence[int], statement: Statement) -> list[list[int]]:
    """Join neighbouring places into runs; light and weak items between them do not part them,
    a preposition does."""
    found: list[list[int]] = []
    for at in places:
        between = range(found[-1][-1] + 1, at) if found else ()
        apart = bool(statement.items[at].prep) and statement.items[at].gap
        if found and not apart and all(is_light(statement.items[b]) or statement.items[b].weak for b in between):
            found[-1].append(at)
        else:
            found.append([at])
    return found
