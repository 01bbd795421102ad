"""Who said a memory, and whom a question names.

Owns where an author is looked for: the key ``author`` or ``speaker`` among a memory's own further keys, as people write it
in a note's frontmatter and chat logs in their metadata. A client that wrote a memory down (``provenance.actor``) is no
author: nobody asks for what the command line said. Pure; knows no index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from plainbrain.model.memory import Memory
from plainbrain.text.tokens import token_text

_KEYS = ("author", "speaker")
#: A question that names more authors than this names none in particular.
MOST_NAMED = 8


def author_of(memory: Memory) -> str:
    """Return the author as token text; ``""`` when nobody is named."""
    for keys in (memory.metadata, memory.extra):
        for key in _KEYS:
            said = keys.get(key)
            if isinstance(said, str) and said.strip():
                return token_text(said)
    return ""


def named_authors(tokens: Sequence[str], known: Callable[[str], Iterable[str]]) -> tuple[str, ...]:
    """Return the authors that a question names by their first name or whole.

    ``tokens`` are the question's; ``known`` returns the authors whose token text begins with a token.
    """
    found = dict.fromkeys(author for token in dict.fromkeys(tokens) for author in known(token))
    return tuple(found) if len(found) <= MOST_NAMED else ()


def begins_with(author: str, token: str) -> bool:
    """Tell whether the first name of an author is ``token``."""
    return author == token or author.startswith(f"{token} ")
