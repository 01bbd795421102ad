"""A pair of statements made ready for judgement: what is shared, opposed, of one class, figures, and plain words left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plainbrain.lifecycle.conflicts.match import Pairing, heavy, is_light, opposed_pairs, rival_pairs
from plainbrain.lifecycle.conflicts.reading import Item, Statement
from plainbrain.records import open_record, record


@record(frozen=True, slots=True)
class Decision:
    """What one pair of statements comes to; ``strength`` (0..1) sorts conflicts."""

    kind: Literal["conflict", "same", "none"]
    why: str = ""
    strength: float = 0.0


@open_record(slots=True)
class Case:
    """A pairing, and what is left on both sides once typed values are told from plain words."""

    pairing: Pairing
    anchors: int
    opposed: list[tuple[int, int]]
    rivals: list[tuple[int, int, str]]
    figures: dict[str, tuple[list[Item], list[Item]]]
    left: list[int]
    right: list[int]

    @property
    def both_sided(self) -> bool:
        """Whether plain words are left on either side."""
        return bool(self.left and self.right)

    @property
    def extra(self) -> int:
        """How many plain words are left."""
        return len(self.left) + len(self.right)

    @property
    def also(self) -> bool:
        """Whether either says that it adds to something."""
        return self.pairing.one.also or self.pairing.other.also


def open_case(pairing: Pairing) -> Case:
    """Sort what two statements share and what is left of each."""
    one, other = pairing.one, pairing.other
    opposed, rivals = opposed_pairs(pairing), rival_pairs(pairing)
    rivals = [r for r in rivals if all(r[0] != at and r[1] != to for at, to in opposed)]
    taken = {at for at, _ in opposed} | {at for at, _, _ in rivals}
    other_taken = {to for _, to in opposed} | {to for _, to, _ in rivals}
    figures = _figures(pairing)
    left, right = _plain(one, pairing.left, taken), _plain(other, pairing.right, other_taken)
    return Case(
        pairing,
        sum(1 for item in pairing.shared_items() if not is_light(item)),
        opposed,
        rivals,
        figures,
        left + _placed_light(one, pairing.left, [other.items[to] for to in right]),
        right + _placed_light(other, pairing.right, [one.items[at] for at in left]),
    )


def _plain(statement: Statement, places: Sequence[int], taken: set[int]) -> list[int]:
    return [at for at in heavy(statement, places) if at not in taken and statement.items[at].sort != "figure"]


def _placed_light(statement: Statement, places: Sequence[int], across: list[Item]) -> list[int]:
    """Return light words that stand where the other side has a telling one: in the app, in the mails."""
    preps = {item.prep for item in across if item.prep}
    return [at for at in places if is_light(statement.items[at]) and statement.items[at].prep in preps]


def _figures(pairing: Pairing) -> dict[str, tuple[list[Item], list[Item]]]:
    """Return, by dimension, the figures that stand on both sides and do not agree."""
    found: dict[str, tuple[list[Item], list[Item]]] = {}
    for at in pairing.left:
        item = pairing.one.items[at]
        across = [pairing.other.items[to] for to in pairing.right]
        rivals = [i for i in across if i.sort == "figure" and i.dim == item.dim]
        if item.sort == "figure" and rivals:
            found.setdefault(item.dim, ([], rivals))[0].append(item)
    return found


def leads(places: Sequence[int], statement: Statement, shared: set[int]) -> bool:
    """Tell whether nothing that is shared stands before the first of ``places``."""
    return not any(at < places[0] and at in shared for at in range(places[0]))


def has_role(pairing: Pairing, role: str) -> bool:
    """Tell whether an item of ``role`` is shared."""
    return any(item.sense.role == role for item in pairing.shared_items())
