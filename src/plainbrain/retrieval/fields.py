"""Which text of a memory is searched, in which column, and what a column weighs.

Owns the columns. Promises the same token text for the same memory: the index stores it, the plain scan
makes it anew. Knows nothing of databases.
"""

from __future__ import annotations

from plainbrain.model.memory import Memory
from plainbrain.text.tokens import token_text

#: The columns in order. ``labels`` are tags, kind and cortex; ``more`` is why, where and what was rejected.
COLUMNS = ("title", "description", "labels", "body", "more")
#: How much a word counts in each: a title says in few words what the memory is about.
WEIGHTS = (2.0, 1.5, 1.5, 1.0, 0.7)

Fields = tuple[str, str, str, str, str]


def fields_of(memory: Memory) -> Fields:
    """Return the token text of each column."""
    return (
        token_text(memory.title) if memory.title else "",
        token_text(memory.description) if memory.description else "",
        token_text(" ".join((*memory.tags, memory.kind, memory.cortex))),
        token_text(memory.content),
        _more(memory),
    )


def _more(memory: Memory) -> str:
    said = [memory.rationale, memory.reason, memory.context, *memory.files]
    for rejected in memory.rejected:
        said += [rejected.option, rejected.reason or ""]
    if memory.correction is not None:
        said += [memory.correction.wrong_claim, memory.correction.right_claim]
    told = "\n".join(filter(None, said))
    return token_text(told) if told else ""
