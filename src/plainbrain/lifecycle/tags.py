"""Tags as a tree by dots: what a tag covers, and how a brain's tags are counted.

Tags stay as they were written. They are compared without case, and ``/`` is read as ``.``.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainbrain.model.memory import Memory
from plainbrain.records import record


def fold_tag(tag: str) -> str:
    """Return the form by which tags are compared: no case, dots for slashes, no empty parts."""
    return ".".join(part for part in tag.strip().casefold().replace("/", ".").split(".") if part)


def covers(wanted: str, tag: str) -> bool:
    """Tell whether the tag ``wanted`` takes in ``tag``: itself, or a tag below it in the tree."""
    root, leaf = fold_tag(wanted), fold_tag(tag)
    return bool(root) and (leaf == root or leaf.startswith(root + "."))


def has_tag(memory: Memory, wanted: str) -> bool:
    """Tell whether any tag of ``memory`` lies at or below ``wanted``."""
    return any(covers(wanted, tag) for tag in memory.tags)


@record(frozen=True, slots=True)
class Branch:
    """One root of the tag tree: how often it is carried, and the rest of each tag below it with its count."""

    root: str
    count: int
    rests: tuple[tuple[str, int], ...]


def tag_tree(memories: Iterable[Memory]) -> tuple[Branch, ...]:
    """Count the tags of live memories by root, most carried first; ties keep the order they were met in."""
    spelling: dict[str, str] = {}
    roots: dict[str, int] = {}
    rests: dict[str, dict[str, int]] = {}
    for root, rest in (_split(tag) for memory in memories if memory.is_live for tag in memory.tags if fold_tag(tag)):
        key = root.casefold()
        spelling.setdefault(key, root)
        roots[key] = roots.get(key, 0) + 1
        if rest:
            below = rests.setdefault(key, {})
            name = next((known for known in below if known.casefold() == rest.casefold()), rest)
            below[name] = below.get(name, 0) + 1
    return tuple(
        Branch(spelling[key], roots[key], tuple(most_carried(rests.get(key, {})))) for key, _ in most_carried(roots)
    )


def _split(tag: str) -> tuple[str, str]:
    parts = [part for part in tag.strip().replace("/", ".").split(".") if part]
    return parts[0], ".".join(parts[1:])


def most_carried(counts: dict[str, int]) -> list[tuple[str, int]]:
    """Sort names by count, highest first; ties keep their order."""
    return sorted(counts.items(), key=lambda item: -item[1])
