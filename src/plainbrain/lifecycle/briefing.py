"""What an agent is told unasked: at the start of a session, and with a prompt.

Owns what belongs to a folder that somebody works in, what is open, what of a prompt is worth asking for, and how many
vetoes are told. Promises that what belongs to another project is not told. Pure: which files are there is looked up by
the caller.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from plainbrain.digests import blake2b
from plainbrain.lifecycle.names import SLIGHT
from plainbrain.lifecycle.overlap import FUNCTION_WORDS
from plainbrain.lifecycle.veto import Veto, distinct
from plainbrain.model.kinds import DECISION
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED, REVIEWED
from plainbrain.records import record

#: A prompt with fewer telling words asks for nothing ("go on", "yes please").
LEAST_WORDS = 2
#: A prompt of more telling words is asked for by its sentences: what matters would drown in the rest.
MOST_WORDS = 24
_WORD = re.compile(r"\w+")
_CHAT = (
    "yes ok okay please thanks thank you go ahead continue again now done good great let lets need want help make get "
    "ja nein bitte danke weiter gut mach oui non merci si sí no gracias por favor sim obrigado да нет спасибо"
)
_QUIET = SLIGHT | FUNCTION_WORDS | frozenset(_CHAT.split())
#: Letters that a word of a script without blanks between words has, about.
_DENSE_WORD = 3
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_AT_EACH_END, _LONGEST = 2, 400
#: Vetoes told with one prompt, and rejected options told of each decision.
MOST_VETOES, MOST_OPTIONS = 3, 2
_CONTRADICTS = frozenset({"contradicts", "conflicts_with"})
_GLOBAL = "global"


@record(frozen=True, slots=True)
class Place:
    """The folder that somebody works in: ``names`` it goes by, and the ``files`` that memories name and that are there.

    ``whole``: the brain lies in it, so everything in the brain belongs there.
    """

    names: frozenset[str]
    files: frozenset[str] = frozenset()
    whole: bool = False


def is_decision(card: Memory) -> bool:
    """Tell whether a memory decides something and is in effect."""
    return card.is_live and card.provenance.trust != QUARANTINED and (card.kind == DECISION or bool(card.rejected))


def belongs(card: Memory, place: Place) -> bool:
    """Tell whether a memory is about the place somebody works in, or about all places."""
    if place.whole or any(file in place.files for file in card.files):
        return True
    if card.scope.strip().casefold() == _GLOBAL:
        return True
    said = [card.scope, *card.cortex.split("/"), *card.tags]
    return any(word.strip().casefold() in place.names for word in said)


def choose_decisions(cards: Iterable[Memory], place: Place) -> list[Memory]:
    """Return the decisions in force at a place: about files there first, then what a person confirmed, then the newest."""
    found = [card for card in cards if is_decision(card) and belongs(card, place)]
    return sorted(found, key=lambda card: (*_standing(card, place), -_when(card), card.id))


def _standing(card: Memory, place: Place) -> tuple[bool, bool]:
    is_sticky = card.provenance.trust == REVIEWED or card.reviewed is not None or bool(card.rejected)
    return not any(file in place.files for file in card.files), not is_sticky


def _when(card: Memory) -> int:
    at = card.updated or card.created
    return (at.ms or 0) if at else 0


def open_conflicts(cards: Sequence[Memory]) -> list[Memory]:
    """Return the live memories that are said to contradict another live one, and that nobody has settled."""
    live = {card.id for card in cards if card.is_live}
    return [
        card
        for card in cards
        if card.is_live
        and (card.contradicted_by in live or any(link.rel in _CONTRADICTS and link.to in live for link in card.links))
    ]


def questions_of(prompt: str) -> tuple[str, ...]:
    """Return what to ask the brain for a prompt: itself, the sentences at both ends of a long one, or nothing."""
    telling = count_telling(prompt)
    if telling < LEAST_WORDS:
        return ()
    if telling <= MOST_WORDS:
        return (prompt.strip()[: 4 * _LONGEST],)
    pieces = [piece.strip()[:_LONGEST] for piece in _SENTENCE.split(prompt) if piece and not piece.isspace()]
    if len(pieces) > 2 * _AT_EACH_END:
        ends = [piece for piece in (*pieces[:20], *pieces[-20:]) if count_telling(piece) >= LEAST_WORDS]
        pieces = [*ends[:_AT_EACH_END], *ends[-_AT_EACH_END:]]
    return tuple(dict.fromkeys(pieces))


def count_telling(text: str) -> int:
    """Return how many words of a text say what it is about, each counted once, in any script."""
    words = {word for word in _WORD.findall(text[:4000].casefold()) if word not in _QUIET}
    return sum(
        1 if word.isascii() else -(-len(word) // _DENSE_WORD) for word in words if len(word) > 1 or not word.isascii()
    )


def veto_key(veto: Veto) -> str:
    """Return what tells one veto from another in the memory of a session, and holds no word of it: that may be forgotten here."""
    said = f"{veto.decision.id}\0{veto.rejected.option}"
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=10).hexdigest()


def choose_vetoes(vetoes: Sequence[Veto], *, known: Collection[str] = ()) -> tuple[tuple[Veto, ...], ...]:
    """Return the vetoes to tell with a prompt, by decision: few, each once in a session (``known`` are keys)."""
    found: dict[str, list[Veto]] = {}
    for same in distinct([veto for veto in vetoes if not veto.denied]):
        if not any(veto_key(veto) in known for veto in same):
            found.setdefault(same[0].decision.id, []).append(same[0])
    return tuple(tuple(of_one[:MOST_OPTIONS]) for of_one in list(found.values())[:MOST_VETOES])
