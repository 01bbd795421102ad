"""Claude Code's memory folders: topic files beside an index ``MEMORY.md``.

Where things go: ``name`` is the title, ``description`` itself, ``type`` (flat or under ``metadata``) the kind; a paragraph
``**Why:**`` is the rationale and stays in the text. The index is passed over: it repeats the topic files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from plainbrain.interchange.item import Found, Item, Passed
from plainbrain.interchange.markdown import read
from plainbrain.interchange.source import Source
from plainbrain.model.memory import Memory

INDEX = "MEMORY.md"
_WHY = "**Why:**"


def read_folder(source: Source) -> Iterator[Item]:
    """Yield the topic files of a memory folder, or of a folder of such folders."""
    for item in read(source):
        if item.where.rpartition("/")[2] == INDEX:
            yield Passed("the index, which repeats the topic files", item.where)
        elif isinstance(item, Found):
            yield replace(item, memory=_topic(item.memory))
        else:
            yield item


def _topic(memory: Memory) -> Memory:
    folders = [part for part in memory.cortex.split("/") if part != "memory"]
    why = _why(memory.content) if not memory.rationale else memory.rationale
    return replace(memory, cortex="/".join(folders), rationale=why)


def _why(content: str) -> str:
    """Return the paragraph that says why."""
    _, mark, after = content.partition(_WHY)
    return " ".join(after.split("\n\n", 1)[0].split("\n**", 1)[0].split()) if mark else ""
