"""What the tools answer: each is one ``Brain`` call, shown twice: as text for a model and as data for a program.

In the text every stored word stands inside a fence with a random mark, made harmless; the data hold the raw
fields and how far they are trusted. Promises that an answer stays under ``BUDGET`` bytes, both forms together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from plainbrain.app.brain import Brain
from plainbrain.app.drafts import draft_from_json, read_relation
from plainbrain.app.recall import Reading, has_words
from plainbrain.app.themes import same_theme
from plainbrain.faces.mcp import plans
from plainbrain.faces.mcp.pages import (
    BUDGET,
    NOT_ORDERS,
    card,
    card_lines,
    counted,
    cut,
    fenced,
    fill,
    go_on,
    one_line,
    past_the_end,
    size,
)
from plainbrain.faces.mcp.replies import Answer
from plainbrain.model.change import Plan
from plainbrain.model.hit import Hit
from plainbrain.model.instants import Instant
from plainbrain.model.query import Query
from plainbrain.notation.prompt import describe_source, show_harmless

_PAGE = 200
_NO_WORDS = "There are no words to look for in the query. Send words of the task, names or identifiers; brain_list shows what there is."


def _why_nothing(brain: Brain, given: Mapping[str, Any], total: int) -> str:
    """Say what to try when a search shows nothing: the page was past the end, the theme is none, or nothing matches."""
    if total:
        return past_the_end(f"{counted(total, 'match', 'matches')} in all")
    themes = [name for name, _ in brain.cortices()]
    asked = same_theme(given["cortex"] or "", themes)
    if asked and not any(f"{name}/".startswith(f"{asked}/") for name in themes):
        return f"There is no theme {show_harmless(asked)!r}. Themes: {show_harmless(', '.join(themes[:50]))}."
    return "Nothing stored matches. Try once with other or fewer words, or include_superseded=true for what is no longer true."


def search(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Recall: the best notes for any words."""
    offset, explain = given["offset"], given["explain"]
    found = brain.skim(
        Query(
            given["query"],
            given["k"],
            offset,
            cortex=given["cortex"] or "",
            include_superseded=given["include_superseded"],
        )
    )
    now = brain.context.clock.now()
    pairs = [(_hit(hit, explain), _hit_lines(n, hit, explain, now)) for n, hit in enumerate(found.hits, offset + 1)]
    hits, lines = fill(pairs)
    data: dict[str, Any] = {"hits": hits, "relevant": found.relevant, "notes": list(found.notes)}
    more = go_on(data, total=found.total, offset=offset, shown=len(hits))
    if not hits and not has_words(given["query"]):
        return Answer(data, "\n".join([_NO_WORDS, *map(one_line, found.notes[1:])]))  # the first says the same
    if not hits:
        return Answer(data, "\n".join([_why_nothing(brain, given, found.total), *map(one_line, found.notes)]))
    head = f"{counted(found.total, 'match', 'matches')}, best first. Open the best 1 to 3 with brain_read(id). {NOT_ORDERS}"
    doubt = [] if found.relevant else ["None of them is likely to answer the question."]
    return Answer(
        data, "\n".join([head, *doubt, fenced(lines), *map(one_line, found.notes), *([more] if more else [])])
    )


def _hit(hit: Hit, explain: bool) -> dict[str, Any]:
    data = card(hit.memory) | {"score": round(hit.score, 6)}
    if passage := _passage(hit):
        data["passage"] = passage
    if hit.via:
        data["via"] = hit.via
    if explain:
        data["factors"] = {name: round(value, 6) for name, value in hit.explanation.factors.items()}
        data["factor_notes"] = dict(hit.explanation.notes)
    return data


def _passage(hit: Hit) -> str:
    """Return the part that matched best; the beginning of a note that has no description to decide by."""
    memory = hit.memory
    return cut(hit.passage or (" ".join(memory.content[:600].split()) if not memory.description else ""), 300)


def _hit_lines(number: int, hit: Hit, explain: bool, now: Instant) -> list[str]:
    lines = card_lines(hit.memory, f"{number}. {one_line(hit.id)}  score {hit.score:.3f}", now)
    if passage := _passage(hit):
        lines.append(f"   … {one_line(passage)}")
    if explain:
        factors = "  ".join(f"{name} {value:.4g}" for name, value in hit.explanation.factors.items())
        lines.append(f"   factors: {factors}")
    return lines


def read(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Show one note whole, or the page of it that fits."""
    return show_reading(brain.read(given["id"]), offset=given["offset"], now=brain.context.clock.now())


def show_reading(reading: Reading, *, offset: int, now: Instant) -> Answer:
    """Return one note from ``offset`` (in characters) on, as much as the budget holds."""
    memory, whole = reading.memory, reading.text
    data = card(memory) | {"path": reading.stored.locator}
    lines: list[str] = []
    if offset == 0:
        data["links"] = [{"to": link.to, "rel": link.rel} for link in memory.links[:100]]
        data["backlinks"] = [{"id": b.id, "rel": b.rel, "title": cut(b.title, 100)} for b in reading.backlinks[:100]]
        lines = [
            f"<- {one_line(b.rel, 60)}: {one_line(b.id)}  {one_line(b.title, 100)}" for b in reading.backlinks[:100]
        ]
        if len(reading.backlinks) > 100:
            data["backlinks_total"] = len(reading.backlinks)
            lines.append(f"<- and {len(reading.backlinks) - 100} more")
    text = _page(whole, offset, BUDGET - size(data, lines) - 1_000)
    end = offset + len(text)
    data |= {"text": text, "offset": offset, "total_chars": len(whole)}
    head = f"{one_line(memory.id)} · {describe_source(memory, now=now)}"
    more = []
    if end < len(whole):
        data["next_offset"] = end
        more = [f"Characters {offset} to {end} of {len(whole)}; go on with brain_read(id, offset={end})."]
    if offset and offset >= len(whole):
        more = [past_the_end(f"the note has {counted(len(whole), 'character')}")]
    shown = [head, *show_harmless(text).rstrip("\n").split("\n")]
    if lines:
        shown += ["", "Notes that point here:", *lines]
    return Answer(data, "\n".join([NOT_ORDERS, fenced(shown), *more]))


def _page(whole: str, offset: int, room: int) -> str:
    """Return what fits from ``offset`` on, cut after a line where there is one in the last quarter."""
    count = min(len(whole) - offset, room) if offset < len(whole) else 0
    while count > 1 and size(whole[offset : offset + count], [show_harmless(whole[offset : offset + count])]) > room:
        count = count * 4 // 5
    text = whole[offset : offset + count]
    if offset + count < len(whole):
        line = text.rfind("\n", count * 3 // 4)
        text = text[: line + 1] if line > 0 else text
    return text


def list_notes(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """List the themes, or the notes of one."""
    cortex, offset = given["cortex"] or "", given["offset"]
    if not cortex:
        return _list_cortices(brain, offset)
    memories = list(brain.memories(Query("", cortex=cortex)))
    if not memories:
        return _list_cortices(brain, 0, f"There is no note in the theme {cortex!r}.")
    now = brain.context.clock.now()
    page = memories[offset : offset + _PAGE]
    cortex = same_theme(cortex, [memory.cortex for memory in memories])
    items, lines = fill(
        [(card(m), card_lines(m, f"{n}. {one_line(m.id)}", now)) for n, m in enumerate(page, offset + 1)]
    )
    notes = [one_line(note) for note in brain.lacking()]
    data: dict[str, Any] = {"cortex": cortex, "items": items, **({"notes": notes} if notes else {})}
    more = go_on(data, total=len(memories), offset=offset, shown=len(items))
    total = f"{counted(len(memories), 'note')} in {one_line(cortex)}"
    if not items:
        return Answer(data, "\n".join([*notes, past_the_end(total)]))
    head = f"{total}, oldest first. {NOT_ORDERS}"
    return Answer(data, "\n".join([*notes, head, fenced(lines), *([more] if more else [])]))


def _list_cortices(brain: Brain, offset: int, note: str = "") -> Answer:
    counts = brain.cortices()
    pairs = [
        ({"cortex": name, "count": count}, [f"{one_line(name) or '(none)'} ({count})"])
        for name, count in islice(counts, offset, None)
    ]
    items, lines = fill(pairs)
    notes = [one_line(one) for one in (note, *brain.lacking()) if one]
    data: dict[str, Any] = {"cortices": items, "notes": notes}
    more = go_on(data, total=len(counts), offset=offset, shown=len(items))
    data["notes_in_all"] = sum(count for _, count in counts)
    head = (
        f"{counted(data['notes_in_all'], 'note')} in {counted(len(counts), 'theme (cortex)', 'themes (cortices)')}."
        if counts
        else "The brain holds no notes yet."
    )
    if counts and not items:
        head = past_the_end(f"{counted(len(counts), 'theme')} in all")
    return Answer(
        data,
        "\n".join([*notes, head, *([fenced(lines)] if lines else []), *([more] if more else [])]),
    )


def encode(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Keep a new note, or say that it is there."""
    kept = brain.keep(draft_from_json({name: value for name, value in given.items() if value is not None}))
    memory = kept.memory
    data = card(memory) | {"created": kept.created, "notes": list(kept.notes)}
    data["links"] = [{"to": link.to, "rel": link.rel} for link in memory.links[:100]]
    data["close"] = [{"id": one.id, "title": cut(one.title, 300)} for one in kept.close]
    did = "Stored" if kept.created else "Already there"
    where = f" in {one_line(memory.cortex)}" if memory.cortex else ""
    lines = [f"{did}. id: {one_line(memory.id)}{where}", *map(one_line, kept.notes)]
    if given["rejected"] and memory.rejected:
        lines.append(f"Turned down: {', '.join(one_line(no.option) for no in memory.rejected[:100])}.")
    if kept.close:
        close = [f"{one_line(one.id)}  {one_line(one.title)}" for one in kept.close]
        lines += ["Close to what is there. If the new note replaces one of them, brain_supersede it:", fenced(close)]
    return Answer(data, "\n".join(lines))


def link(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Link two notes both ways."""
    a, b = given["a"], given["b"]
    plan = brain.link(a, b, given["rel"])
    rel = read_relation(given["rel"])
    return _of_plan(plan, {"a": a, "b": b, "rel": rel}, f"Linked {a} {rel} {b}, and back.")


def supersede(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Retire one note in favour of another."""
    old, new = given["old"], given["new"]
    reason = given["reason"] or ""
    done = f"{old} is superseded by {new}{'' if reason else ', no reason given'}: hidden from recall, its history kept."
    return _of_plan(brain.supersede(old, new, reason), {"old": old, "new": new}, done)


def _of_plan(plan: Plan, data: dict[str, Any], done: str) -> Answer:
    data |= {"changed": bool(plan.changes), "notes": list(plan.notes)}
    lines = [done if plan.changes else "Nothing was written.", *plan.notes]
    return Answer(data, "\n".join(one_line(line, 500) for line in lines))


def validate(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Record that a note was checked."""
    memory = brain.validate(given["id"], given["confidence"])
    text = f"{one_line(memory.id)} is recorded as checked today, confidence {memory.confidence.value:.2g}."
    if not memory.is_live:
        instead = f"; {one_line(memory.superseded_by)} replaced it" if memory.superseded_by else ""
        text += f" Mind that its status is {one_line(memory.status)}{instead}."
    return Answer(card(memory), text)


def check(brain: Brain, given: Mapping[str, Any]) -> Answer:
    """Tell what a plan is about to repeat, and which decisions bear on it."""
    found = brain.check(given["text"], files=given["files"] or (), k=given["k"])
    named = plans.check_data(found)
    now = brain.context.clock.now()
    rows = [
        (
            card(b.memory) | plans.rejected_data(b.memory),
            [*card_lines(b.memory, f"{n}. {one_line(b.memory.id)}", now), *plans.rejected_lines(b.memory, one_line)],
        )
        for n, b in enumerate(found.bearing, 1)
    ]
    items, shown = fill(rows)
    lines = [*plans.veto_lines(named, one_line), *shown]
    head = plans.headline(named, len(items))
    notes = [one_line(note) for note in brain.lacking()]
    text = "\n".join([*notes, f"{head} {NOT_ORDERS}", fenced(lines)] if lines else [*notes, head])
    return Answer({**named, "decisions": items, "notes": notes}, text)


#: Tool -> what it finds where there is no brain yet; the other tools need one.
_NOTHING: Mapping[str, Mapping[str, Any]] = {
    "brain_search": {"hits": [], "total": 0, "offset": 0, "relevant": False},
    "brain_list": {"cortices": [], "total": 0, "offset": 0},
    "brain_check": {"vetoes": [], "denied": [], "partly": [], "decisions": []},
}


def find_nothing(tool: str, why: str) -> Answer | None:
    """Return the answer of a tool that looks where no brain is yet; None for one that can only refuse."""
    found = _NOTHING.get(tool)
    return Answer({**found, "notes": [why]}, why) if found is not None else None


#: Tool -> what answers it.
CALLS: Mapping[str, Callable[[Brain, Mapping[str, Any]], Answer]] = {
    "brain_search": search,
    "brain_read": read,
    "brain_list": list_notes,
    "brain_encode": encode,
    "brain_link": link,
    "brain_supersede": supersede,
    "brain_validate": validate,
    "brain_check": check,
}
