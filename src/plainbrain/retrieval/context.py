"""The turns around a turn: what was said just before and after counts for what a turn is about.

Owns the reach and the fading of context. Only memories that say their turn in a session have neighbours; any other stands
by itself, and its own words are all its context. Pure; counts what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: What a turn counts that stands so many places before (negative) or after.
FADING: Mapping[int, float] = {-4: 0.2401, -3: 0.343, -2: 0.49, -1: 0.7, 0: 1.0, 1: 0.5, 2: 0.25}
BACK, AHEAD = 4, 2
#: Another memory of the same turn counts as much as the turn before.
_SAME_TURN = 0.7
#: A turn in the middle of a session is so many times as long as by itself.
FULL_LENGTH = sum(FADING.values())
#: Turns so near to one that matches may be the answer without a word in common.
NEAR = 2

#: A memory's place in a conversation: (session, turn).
Spot = tuple[str, int]


class Turns:
    """Know which counted memories stand at which place of which session."""

    def __init__(self, spots: Sequence[Spot | None]) -> None:
        """``spots`` are the memories' places, None for one outside conversations; a memory is meant by its number."""
        self._spots = spots
        self._at: dict[Spot, list[int]] = {}
        for number, spot in enumerate(spots):
            if spot is not None:
                self._at.setdefault(spot, []).append(number)

    def around(self, number: int) -> list[tuple[int, float]]:
        """Return the memories that are the context of one, itself among them, each with what it counts."""
        spot = self._spots[number]
        if spot is None:
            return [(number, 1.0)]
        session, turn = spot
        found = [(number, 1.0)]
        for offset, weight in FADING.items():
            others = self._at.get((session, turn + offset), ())
            found += [(other, weight if offset else _SAME_TURN) for other in others if other != number]
        return found

    def near(self, numbers: Sequence[int]) -> list[int]:
        """Return ``numbers`` and the memories at most ``NEAR`` turns away, each once, in the order of the sequence given at first."""
        found = dict.fromkeys(numbers)
        for number in numbers:
            spot = self._spots[number]
            if spot is not None:
                session, turn = spot
                for offset in range(-NEAR, NEAR + 1):
                    found.update(dict.fromkeys(self._at.get((session, turn + offset), ())))
        return list(found)
