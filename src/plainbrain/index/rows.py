"""A memory as rows: what each table of the index holds of it.

Owns the way from a memory to columns. Promises the same rows for the same memory (but for ``sequence``),
and a checksum over them that tells when the file holds something else.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator

from plainbrain.index.card import write_card
from plainbrain.model.links import MENTIONS
from plainbrain.model.memory import Memory
from plainbrain.model.problem import Problem
from plainbrain.notation.wikilinks import body_links, path_links
from plainbrain.ports import Seen
from plainbrain.records import record
from plainbrain.retrieval.auto import spot_of
from plainbrain.retrieval.dates import told_at
from plainbrain.retrieval.fields import fields_of
from plainbrain.retrieval.filters import cortex_key, ends_at, is_hidden, is_quarantined, tag_key
from plainbrain.retrieval.policies import last_access, sure_weight
from plainbrain.retrieval.rank import place_of, prior_of
from plainbrain.retrieval.voices import author_of
from plainbrain.text.paths import from_root, is_relative

_MOST = 2**63 - 1


@record(frozen=True, slots=True)
class Rows:
    """Hold the rows of one memory, ready to be bound: ``doc`` without its checksum comes first."""

    doc: tuple[object, ...]
    text: tuple[object, ...]
    tags: tuple[tuple[str, int], ...]
    links: tuple[tuple[str, int, str], ...]


def rows_of(memory: Memory, *, doc: int, sequence: int) -> Rows:
    """Return the rows of ``memory`` under the number ``doc``."""
    card = write_card(memory)
    tags = tuple((tag, doc) for tag in sorted({tag_key(tag) for tag in memory.tags}))
    links = tuple((target, doc, rel) for target, rel in sorted(_links(memory)))
    row = (doc, memory.id, sequence, *_doc_columns(memory))
    return Rows((*row, sum_of(row, card, tags, links)), (doc, *fields_of(memory), card), tags, links)


def sum_of(doc: Iterable[object], card: str, tags: Iterable[object], links: Iterable[object]) -> int:
    """Return the checksum of a memory's rows; ``doc`` is its row without the checksum."""
    return zlib.crc32(repr((tuple(doc), card, tuple(tags), tuple(links))).encode("utf-8", "surrogatepass"))


def link_key(target: str) -> str:
    """Return a link's target as it is compared: without case and ``.md``."""
    return target.strip().casefold().removesuffix(".md")


def source_row(seen: Seen) -> tuple[object, ...]:
    """Return the row that remembers one source; a single id stands bare where it cannot be taken for a list."""
    ids = seen.ids[0] if len(seen.ids) == 1 and seen.ids[0][:1] not in ("[", "") else json.dumps(seen.ids)
    problems = json.dumps([_problem_row(p) for p in seen.problems]) if seen.problems else None
    row = (seen.locator, seen.signature, ids, problems)
    return (*row, source_sum(row))


def source_sum(row: Iterable[object]) -> int:
    """Return the checksum of a source's row."""
    return zlib.crc32(repr(tuple(row)).encode("utf-8", "surrogatepass"))


def seen_of(locator: str, signature: str, ids: str, problems: str | None) -> Seen:
    """Return what a row remembers of a source."""
    names = tuple(json.loads(ids)) if ids[:1] == "[" else (ids,)
    return Seen(locator, signature, names, problems_of(problems) if problems else ())


def problems_of(text: str) -> tuple[Problem, ...]:
    """Return the problems that were written as JSON."""
    return tuple(Problem(*row) for row in json.loads(text))


def _problem_row(problem: Problem) -> list[object]:
    return [problem.code, problem.message, problem.path, problem.line, problem.hint, problem.fixable]


def _links(memory: Memory) -> set[tuple[str, str]]:
    said = {(link_key(link.to), link.rel) for link in memory.links}
    told = {target for target, _ in said}
    return said | {(key, MENTIONS) for key in map(link_key, _named(memory)) if key and key not in told}


def _named(memory: Memory) -> Iterator[str]:
    """Yield what the text of a memory names: by wikilinks, and by the paths of Markdown links, each as it is read."""
    for target in body_links(memory.content):
        yield from_root(target, folder=memory.cortex) if is_relative(target) else target
    for path in path_links(memory.content):
        yield path
        yield from_root(path, folder=memory.cortex)


def _doc_columns(memory: Memory) -> tuple[object, ...]:
    prior, ends, last = prior_of(memory), ends_at(memory), last_access(memory)
    dated = memory.created is not None and memory.created.ms is not None
    return (
        place_of(memory, 0).created_ms,
        int(dated),
        cortex_key(memory.cortex),
        memory.kind.lower(),
        memory.class_.lower(),
        memory.status.strip().lower(),
        int(not is_hidden(memory)),
        int(is_quarantined(memory)),
        ends,
        memory.scope,
        memory.user_id,
        prior.confidence,
        prior.trust,
        prior.since_ms,
        prior.half_life_days,
        sure_weight(memory),
        last,
        max(0, min(_MOST, memory.usage.accesses)),
        memory.title,
        *(spot_of(memory) or (None, None)),
        author_of(memory) or None,
        told_at(memory),
    )
