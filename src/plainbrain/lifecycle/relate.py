"""Links between memories, written on both sides, and their mending when a memory is renamed. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from plainbrain.errors import InputError, NotFound
from plainbrain.lifecycle.supersede import with_link
from plainbrain.model.change import Activity, Change, Plan, Put
from plainbrain.model.instants import Instant
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link, inverse_relation
from plainbrain.model.memory import ACTIVE, SUPERSEDED, Memory
from plainbrain.ports import Stored

MAX_RELATION = 60


def check_relation(rel: str) -> str:
    """Return the relation in its normal form (lower case, ``_`` between words); raise InputError for one that is not for linking."""
    name = "_".join(_split_words(rel).lower().replace("-", " ").split())
    if not name or len(name) > MAX_RELATION or any(unicodedata.category(c)[0] in "PSZC" and c != "_" for c in name):
        raise InputError(
            f"{rel!r} is no relation", value=rel, hint="use a word or two, such as relates_to, caused_by or depends_on"
        )
    if name in (SUPERSEDES, SUPERSEDED_BY):
        raise InputError(
            f"{name} retires a memory, which a link does not",
            value=rel,
            hint="supersede it instead: brain supersede OLD NEW, or the tool brain_supersede",
        )
    return name


def _split_words(rel: str) -> str:
    """Put a space where a word begins in ``DependsOn`` and ``dependsOn``; what has no small letter before stays whole."""
    before = ("", *rel)
    return "".join(
        f" {here}" if here.isupper() and last.islower() else here for last, here in zip(before, rel, strict=False)
    )


def relate(a: Stored, b: Stored, *, rel: str, at: Instant) -> Plan:
    """Link ``a`` to ``b`` by ``rel`` and ``b`` back to ``a`` by its inverse."""
    rel = check_relation(rel)
    if a.memory.id == b.memory.id:
        raise InputError(f"{a.memory.id!r} cannot be linked to itself", value=a.memory.id)
    here = with_link(a.memory, Link(b.memory.id, rel))
    there = with_link(b.memory, Link(a.memory.id, inverse_relation(rel)))
    return _plan_pair(
        (a, here),
        (b, there),
        at=at,
        action="link",
        detail=f"{a.memory.id} {rel} {b.memory.id}",
        nothing="were linked so already",
    )


def unrelate(a: Stored, b: Stored, *, rel: str = "", at: Instant) -> Plan:
    """Take the links between ``a`` and ``b`` away (of one relation, or all but supersession), on both sides."""
    rels = {check_relation(rel), inverse_relation(check_relation(rel))} if rel else None
    here = _without(a.memory, b.memory.id, rels)
    there = _without(b.memory, a.memory.id, rels)
    if here == a.memory and there == b.memory:
        raise NotFound(
            f"no such link between {a.memory.id!r} and {b.memory.id!r}",
            value=rel,
            hint="see the links with `brain read`",
        )
    return _plan_pair(
        (a, here),
        (b, there),
        at=at,
        action="unlink",
        detail=f"{a.memory.id} {rel} {b.memory.id}".replace("  ", " "),
        nothing="",
    )


def drop_dangling(a: Stored, missing: str, *, at: Instant) -> Plan:
    """Take every link of ``a`` to a memory that is no more away. What that one had superseded is in effect again."""
    links = tuple(link for link in a.memory.links if link.to != missing)
    if links == a.memory.links:
        raise NotFound(
            f"{a.memory.id!r} has no link to {missing!r}", value=missing, hint="see the links with `brain read`"
        )
    after = replace(a.memory, links=links)
    if a.memory.status == SUPERSEDED and not after.superseded_by:
        after = replace(after, status=ACTIVE, invalidated=None, reason="")
    return Plan((Put(after, a.revision),), (Activity(at, "unlink", a.memory.id, f"{a.memory.id} {missing}"),))


def _without(memory: Memory, other: str, rels: set[str] | None) -> Memory:
    keep = {SUPERSEDES, SUPERSEDED_BY}
    return replace(
        memory,
        links=tuple(
            k for k in memory.links if k.to != other or k.rel in keep or (rels is not None and k.rel not in rels)
        ),
    )


def _plan_pair(
    a: tuple[Stored, Memory], b: tuple[Stored, Memory], *, at: Instant, action: str, detail: str, nothing: str
) -> Plan:
    changes: list[Change] = [Put(after, stored.revision) for stored, after in (a, b) if after != stored.memory]
    stale = tuple(_say_stale(stored.memory) for stored, _ in (a, b) if nothing and not stored.memory.is_live)
    if not changes:
        return Plan(notes=(f"{a[1].id} and {b[1].id} {nothing}", *stale))
    return Plan(tuple(changes), (Activity(at, action, a[1].id, detail),), notes=stale)


def _say_stale(memory: Memory) -> str:
    """Say of a memory that is linked that it is no longer in effect, and what is in its place."""
    instead = f"; {memory.superseded_by} is in its place: link that one if it is meant" if memory.superseded_by else ""
    return f"mind that {memory.id} is {memory.status}{instead}"


def follow(memory: Memory, moved: Mapping[str, str]) -> Memory:
    """Return the memory with its links and wikilinks to what got another id going on to there.

    ``moved`` has ids and titles, without case, as keys. A wikilink goes on under its old name.
    """
    links = tuple(replace(link, to=moved.get(link.to.casefold(), link.to)) for link in memory.links)
    content = memory.content
    for target in body_targets(content):
        name = target.removesuffix(".md")
        new = moved.get(name.casefold()) or moved.get(name.rpartition("/")[2].casefold())
        if new is not None:
            content = replace_wikilinks(content, old=target, new=new)
    after = replace(memory, links=links, content=content)
    return memory if after == memory else after


def body_targets(content: str) -> list[str]:
    """Return what the wikilinks of a text name, each once, as it is written there."""
    found: dict[str, None] = {}
    for part in content.split("[[")[1:]:
        inside, end, _ = part.partition("]]")
        target = inside.split("|", 1)[0].split("#", 1)[0].strip()
        if end and target:
            found.setdefault(target)
    return list(found)


def replace_wikilinks(content: str, *, old: str, new: str) -> str:
    """Return the text with ``[[old]]``, ``[[old|…]]`` and ``[[old#…]]`` pointing at ``new``; the rest stays byte for byte."""
    out: list[str] = []
    rest, wanted = content, old.casefold().removesuffix(".md")
    while (at := rest.find("[[")) >= 0:
        end = rest.find("]]", at)
        if end < 0:
            break
        inside = rest[at + 2 : end]
        cut = min((i for i in (inside.find("|"), inside.find("#")) if i >= 0), default=len(inside))
        target = inside[:cut].strip().rstrip("\\")  # in a table the bar behind it is escaped
        if target.casefold().removesuffix(".md") == wanted:
            inside = new + ("\\" if inside[:cut].rstrip().endswith("\\") else "") + inside[cut:]
        out.append(rest[: at + 2] + inside + "]]")
        rest = rest[end + 2 :]
    return "".join(out) + rest
