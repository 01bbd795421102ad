"""Something wrong with one note, line or row that stops nothing else."""

from __future__ import annotations

from plainbrain.records import record

#: Codes of a note that is not read at all: its memory is there and cannot be recalled.
UNREAD = frozenset({"merge-conflict", "not-utf8", "too-large", "unreadable"})
#: Codes of what is amiss with a memory that is read all the same.
MERE = frozenset({
    "cortex-mismatch", "damaged-value", "duplicate-id", "duplicate-key", "field-form", "frontmatter-forbidden", "frontmatter-invalid",
    "frontmatter-not-mapping", "frontmatter-too-deep", "frontmatter-too-large", "frontmatter-unclosed", "no-model",
    "no-vector", "nul-character", "odd", "vector",
})  # fmt: skip
#: Codes of files that are rightly no memories, though they look like notes.
ASIDE = frozenset({"conflict-copy", "not-a-file", "symlink"})


@record(frozen=True, slots=True)
class Problem:
    """Say what is wrong, where, and what to do.

    ``path`` is relative to the store, ``line`` counts from 1 (0: the whole file), ``fixable`` is true
    where ``brain doctor --fix`` repairs it safely.
    """

    code: str
    message: str
    path: str = ""
    line: int = 0
    hint: str = ""
    fixable: bool = False

    @property
    def where(self) -> str:
        """``path:line``, ``path``, or ``""``."""
        return f"{self.path}:{self.line}" if self.line else self.path
