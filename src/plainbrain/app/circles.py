"""Chains of replacements that go round, each member over because of another: nothing of them is ever recalled.

Owns finding them. Where one member is in effect it holds, and the circle hides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem


def circles(followers: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield the ids of each circle, from the first by name on; ``followers`` tells what replaced a memory."""
    done: set[str] = set()
    for start in sorted(followers):
        trail: list[tuple[str, Iterator[str]]] = []
        at: dict[str, int] = {}
        _enter(start, trail, at, followers, done)
        while trail:
            id, rest = trail[-1]
            after = next(rest, None)
            if after is None:
                trail.pop()
                del at[id]
            elif after in at:
                ids = [one for one, _ in trail[at[after] :]]
                first = ids.index(min(ids))
                yield (*ids[first:], *ids[:first])
            else:
                _enter(after, trail, at, followers, done)


def _enter(
    id: str,
    trail: list[tuple[str, Iterator[str]]],
    at: dict[str, int],
    followers: Mapping[str, Sequence[str]],
    done: set[str],
) -> None:
    if id not in done:
        done.add(id)
        at[id] = len(trail)
        trail.append((id, iter(followers.get(id, ()))))


def problems_of_circles(
    cards: Mapping[str, Memory], followers: Mapping[str, Sequence[str]], where: Mapping[str, str]
) -> Iterator[Problem]:
    """Yield a problem for each circle of which no member is in effect."""
    for ids in circles(followers):
        if not any(cards[id].is_live for id in ids):
            told = f"{' was replaced by '.join((*ids, ids[0]))}: all of them are hidden"
            hint = f"say which one holds: brain edit {ids[-1]} --set status=active"
            yield Problem("superseded-in-circle", told, where.get(ids[0], "") or ids[0], hint=hint)
