"""An answer of ``search`` that keeps to a number of characters: whole texts, the same said twice told once, the rest by its ids."""

from __future__ import annotations

from typing import Any

from plainbrain.app.budget import Packed
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import say, tell


def data(packed: Packed, *, explain: bool) -> dict[str, Any]:
    """Return it as data: hits with their texts, ids that they speak for, ids left out, and characters used."""
    return {
        "hits": [show.hit(one, explain=explain) | {"content": one.memory.content} for one in packed.hits],
        "folded": {id: list(others) for id, others in packed.folded.items()},
        "left": list(packed.left),
        "used": packed.used,
    }


def print_lines(packed: Packed, *, first: int, explain: bool) -> None:
    """Print hits numbered from ``first`` with their texts, and say which ids to read on with."""
    for number, one in enumerate(packed.hits, first):
        say("\n".join(show.hit_lines(number, one, explain=explain)))
        for line in one.memory.content.splitlines():
            say(f"   | {line}")
        if packed.folded.get(one.id):
            say(f"   says the same: {' '.join(packed.folded[one.id])}")
    if packed.left:
        left = [id for one in packed.left for id in (one, *packed.folded.get(one, ()))]
        tell(f"No room for: {' '.join(left)}; see brain read ID, or a greater --max-chars")
