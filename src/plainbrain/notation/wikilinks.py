"""The links of a body: ``[[target]]`` as Obsidian writes them, Markdown's to notes, and the block of our own links at its end.

Promises linear time for any text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plainbrain.model.links import Link
from plainbrain.model.memory import Memory
from plainbrain.text.paths import file_links

_UNFIT = frozenset("[]|#^\n\r")


def body_links(content: str) -> tuple[str, ...]:
    """Return the targets of the wikilinks of ``content``, in order, each once.

    Aliases, headings and block marks are taken off; embeds count; code, fenced or between backticks, does not.
    """
    if "[[" not in content:
        return ()
    found: dict[str, None] = {}
    for line in prose_lines(content):
        if "[[" in line:
            for target in _targets(_without_code(line)):
                found.setdefault(target)
    return tuple(found)


def path_links(content: str) -> tuple[str, ...]:
    """Return the paths of the Markdown links to notes, decoded and without ``.md``, in order, each once; code does not count."""
    if "](" not in content:
        return ()
    lines = (_without_code(line) for line in prose_lines(content) if "](" in line)
    return tuple(dict.fromkeys(link.path for line in lines for link in file_links(line)))


def aliases_of(memory: Memory) -> tuple[str, ...]:
    """Return the other names of a note, as Obsidian's key ``aliases`` has them: a list, or one text with commas."""
    said = memory.extra.get("aliases")
    names = said.split(",") if isinstance(said, str) else said if isinstance(said, (list, tuple)) else ()
    return tuple(name.strip() for name in names if isinstance(name, str) and name.strip())


def prose_lines(content: str) -> Iterator[str]:
    """Yield the lines of ``content`` that stand in no fenced code block."""
    return (line for _, line in numbered_prose(content))


def numbered_prose(content: str) -> Iterator[tuple[int, str]]:
    """Yield number, from 0, and text of the lines of ``content`` that stand in no fenced code block."""
    fence = ""
    for number, line in enumerate(content.split("\n")):
        bare = line.lstrip(" ")
        mark = bare[:1]
        run = len(bare) - len(bare.lstrip(mark)) if mark in ("`", "~") and mark and len(line) - len(bare) < 4 else 0
        if fence:
            if run >= len(fence) and mark == fence[0] and not bare[run:].strip():
                fence = ""
        elif run >= 3 and not (mark == "`" and "`" in bare[run:]):
            fence = mark * run
        else:
            yield number, line


def link_line(link: Link) -> str:
    """Return the line that repeats ``link`` in a body, or ``""`` where its target or relation fits in none."""
    if not link.to.strip() or _UNFIT & set(link.to) or "[[" in link.rel or "\n" in link.rel or "\r" in link.rel:
        return ""
    return f"- {link.rel} [[{link.to}]]"


def link_lines(links: Iterable[Link]) -> list[str]:
    """Return the lines of the links block, in order, each once."""
    return list(dict.fromkeys(line for line in map(link_line, links) if line))


def _targets(line: str) -> Iterator[str]:
    at = line.find("[[")
    while at >= 0:
        end = line.find("]]", at + 2)
        if end < 0:
            return
        at = line.rfind("[[", at, end)
        target = line[at + 2 : end].split("|", 1)[0].split("#", 1)[0].split("^", 1)[0].rstrip("\\").strip()
        if target:
            yield target
        at = line.find("[[", end + 2)


def _without_code(line: str) -> str:
    """Take out what stands between backticks; a run of backticks is closed by one of the same length."""
    if "`" not in line:
        return line
    runs = list(_runs(line))
    last_of_length = {length: start for start, length in runs}
    kept: list[str] = []
    at, i = 0, 0
    while i < len(runs):
        start, length = runs[i]
        i += 1
        if start < at or last_of_length[length] <= start:
            continue
        kept.append(line[at:start])
        while runs[i][1] != length:
            i += 1
        at = runs[i][0] + length
        i += 1
    return "".join((*kept, line[at:]))


def _runs(line: str) -> Iterator[tuple[int, int]]:
    at = line.find("`")
    while at >= 0:
        end = at
        while end < len(line) and line[end] == "`":
            end += 1
        yield at, end - at
        at = line.find("`", end)
