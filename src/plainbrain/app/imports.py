"""Importing what other tools keep: each item with the format as its origin, unreviewed, its secrets refused.

Owns which store or reader opens a source, and what an imported memory is stamped with. Importing the same again
changes nothing; what was edited here since is left alone.
"""

from __future__ import annotations

import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from plainbrain.app import wiring
from plainbrain.app.context import Context
from plainbrain.app.copies import carry_journal, items_of
from plainbrain.app.intake import Outcome, Rule, What, secrets_refused, take_in
from plainbrain.app.remember import successors
from plainbrain.errors import BrainError, Conflict, InputError, Refused
from plainbrain.files.outcome import standing
from plainbrain.interchange.archive import read_journal
from plainbrain.interchange.item import Fault, Found, Item, Noted
from plainbrain.interchange.markdown import left_behind
from plainbrain.interchange.mending import mended
from plainbrain.interchange.registry import FORMS, Form, detect, form_of, store_kind
from plainbrain.interchange.source import Source
from plainbrain.lifecycle import secrets
from plainbrain.lifecycle.admit import first_sentence
from plainbrain.lifecycle.relate import body_targets, follow, replace_wikilinks
from plainbrain.lifecycle.renewal import Renewal, marked, renew, take_over
from plainbrain.lifecycle.screen import HELD, steers
from plainbrain.lifecycle.supersede import supersede, with_link
from plainbrain.model.change import Activity, Plan, Put
from plainbrain.model.links import SUPERSEDED_BY, SUPERSEDES, Link
from plainbrain.model.memory import SUPERSEDED, Memory
from plainbrain.model.provenance import IMPORT, QUARANTINED, REVIEWED, UNREVIEWED
from plainbrain.ports import Stored
from plainbrain.records import changed
from plainbrain.text.headed import headed
from plainbrain.text.slug import slugify

#: Forms whose ids are made to be unique everywhere: one that is taken is the same memory.
_OWN_IDS = frozenset({"interchange", "archive", "agent-brain", "event-log"})
#: Forms in which the same name in another context is another memory.
_BY_CONTEXT = frozenset({"claude-code"})
#: Forms that are folders of notes.
_OF_NOTES = frozenset({"markdown", "basic-memory", "claude-code"})
#: Forms of which a newer file brings what is here up to date.
_RENEWED = frozenset({"interchange"})
_AT_ONCE = 500
#: Tells what becomes of a memory when a state of it comes in.
Renewing = Callable[[Memory, Memory], Renewal]
#: The numbers that tell taken ids apart are longer than a year or a day.
_SHORTEST_SUFFIX = 4
ARCHIVE = "archive"


def open_source(path: str) -> Source:
    """Open what is to be imported; a pipe is read to its end. Raise InputError."""
    place = Path(path).expanduser()
    mode = place.stat().st_mode if place.exists() else 0
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise InputError(f"{path} is a device", value=path, hint="name a file or a folder, or - for standard input")
    if stat.S_ISFIFO(mode):
        with place.open("rb") as stream:
            return spooled(stream, path)
    return Source(place)


def spooled(stream: IO[bytes], called: str = "stdin") -> Source:
    """Set a stream aside in a temporary file, so that it can be read more than once. The file goes with the source.

    Raise InputError.
    """
    with tempfile.NamedTemporaryFile(prefix="brain-import-", delete=False) as file:
        try:
            shutil.copyfileobj(stream, file)
            file.close()
            return _Spooled(Path(file.name), called)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


class _Spooled(Source):
    """A source that takes its file with it."""

    def close(self) -> None:
        """Let go of the file and remove it."""
        super().close()
        self.path.unlink(missing_ok=True)


def form_of_source(source: Source, name: str = "") -> Form:
    """Return the form that was named, else the one that the source is of. Raise InputError."""
    form = form_of(name) if name else None
    # An empty folder is of no form, whatever it is said to be.
    return detect(source) if form is None or (source.is_container and not source.names()) else form


def import_from(context: Context, source: Source, form: Form, *, renewing: Renewing = renew) -> Iterator[Outcome]:
    """Import a source; yield what became of each item. ``renewing`` is ``renew``, or ``take_over`` where old states are to hold."""
    if form.name == ARCHIVE:
        yield from restore(context, source)
        return
    context = context.as_one(f"import {form.name}")
    added, told, newer = 0, 0, _Newer()
    if form.name == "mcp-memory" and context.pii_strict:
        source.screen = _secret_of_relation
    items = newer.watch(_items(source, form)) if form.name == "interchange" else _items(source, form)
    held: set[str] = set()
    fresh: list[str] = []
    moved: dict[str, str] = {}
    for outcome in take_in(context, items, _rule(context, form, held=held, moved=moved, renewing=renewing)):
        if outcome.what is What.ADDED:
            added += 1
            fresh.append(outcome.id)
        if outcome.what is What.ADDED and outcome.id in held:
            outcome = replace(outcome, why="; ".join(filter(None, (outcome.why, HELD))), hint="brain review list")
        yield outcome
        told += 1
    if not told:
        yield Outcome(What.NOTED, source.name, why="it is empty: there was nothing in it to bring over")
    _follow(context, fresh, moved)
    yield from _join_chains(context, newer.ids)
    if added:
        detail = f"{added} from {source.name} ({form.name})"
        with standing(f"the import of {detail}", missing="its line in the journal"):
            context.store.journal.append([Activity(context.clock.now(), "import", "", detail)])


def _secret_of_relation(value: dict[str, Any]) -> str:
    """Say which rule sees a secret in a relation: on a line of its own, it is refused without the entities it ties."""
    if value.get("type") != "relation":
        return ""
    found = [finding for key, text in value.items() for finding in secrets.find_secrets(f"{key}: {text}")]
    return f"a relation with what looks like a credential (rule {found[0].rule})" if found else ""


class _Newer:
    """Note which of the items that go by replaced something."""

    def __init__(self) -> None:
        self.ids: list[str] = []

    def watch(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Found) and item.memory.supersedes:
                self.ids.append(item.memory.id)
            yield item


def restore(context: Context, source: Source) -> Iterator[Outcome]:
    """Bring an archive back, every field as it was, the journal and the values with it."""
    reader = FORMS[ARCHIVE].reader()
    rule = Rule(
        f"import {source.name}",
        adopt=mended,
        same=lambda there, new: replace(there, usage=new.usage) == new,
        check=secrets_refused(context),
        verify=True,
    )
    yield from take_in(context, reader(source), rule)
    try:
        activities, values = read_journal(source)
    except InputError as error:
        yield Outcome(What.REFUSED, source.name, why=error.message, hint=error.hint)
        return
    carry_journal(context, activities, values)


def _items(source: Source, form: Form) -> Iterator[Item]:
    if not form.store:
        yield from form.reader()(source)
        if form.name in _OF_NOTES:
            yield from left_behind(source)
        return
    kind = store_kind(source, form)
    store = wiring.guard(wiring.open_store(f"{kind}:{source.path.resolve()}"))
    with closing(store):
        try:
            for item in items_of(store):
                # What a store advises is for a brain of one's own.
                yield replace(item, hint="") if isinstance(item, Fault | Noted) else item
        except BrainError as error:
            raise InputError(error.message, value=error.value, hint=error.hint) from error


def _rule(context: Context, form: Form, *, held: set[str], moved: dict[str, str], renewing: Renewing) -> Rule:
    """Return how items of a form are taken in; ``held`` gets the ids of those that are held back, ``moved`` the new ids by the old names."""
    origin = f"{IMPORT}:{'robrain' if form.name == 'interchange' else form.name}"

    def adopt(item: Found) -> Found:
        item = mended(item)
        memory = titled(item.memory)
        trust = _trust(memory, form)
        if trust == QUARANTINED:
            held.add(memory.id)
        source = changed(memory.provenance, origin=origin, trust=trust)
        extra = marked(memory) if form.name in _RENEWED else memory.extra
        return replace(item, memory=changed(memory, provenance=source, extra=extra))

    def titled(memory: Memory) -> Memory:
        """Return the memory with a title where it becomes a note: people look for those by title."""
        if memory.title or not context.store.traits.folder:
            return memory
        return changed(memory, title=first_sentence(memory.content))

    def same(there: Memory, new: Memory) -> bool:
        joined = headed(there.title, there.content)
        if joined != there.content and joined == new.content:
            return True
        if new.title and there.title not in ("", new.title):
            return False
        return there.content == new.content or _plain(there.content) == _plain(new.content)

    def told(memory: Memory, new: str) -> None:
        moved.update({name.casefold(): new for name in (memory.id, memory.title) if name})

    def free(there: Memory, new: Memory) -> bool:
        is_elsewhere = form.name in _BY_CONTEXT and there.context != new.context
        return form.name not in _OWN_IDS and (there.provenance.origin != origin or is_elsewhere)

    renews = renewing if form.name in _RENEWED else None
    return Rule(f"import {form.name}", adopt, same, free, secrets_refused(context), renews, told)


def _plain(content: str) -> str:
    """Return a text with its wikilinks as bare names, wherever they went on to since they came in."""
    for target in body_targets(content) if "[[" in content else ():
        name = target.removesuffix(".md").rpartition("/")[2]
        stem, hyphen, number = name.rpartition("-")
        is_moved = hyphen and number.isdigit() and len(number) > _SHORTEST_SUFFIX
        content = replace_wikilinks(content, old=target, new=slugify(stem if is_moved else name))
    return content


def _follow(context: Context, fresh: list[str], moved: dict[str, str]) -> None:
    """Let the links among what was imported now go on to those that got another id than they came with."""
    for start in range(0, len(fresh) if moved else 0, _AT_ONCE):
        stored = context.store.get_many(fresh[start : start + _AT_ONCE]).values()
        puts = [Put(after, one.revision) for one in stored if (after := follow(one.memory, moved)) != one.memory]
        if puts:
            context.apply(puts, told="import")


def _trust(memory: Memory, form: Form) -> str:
    """Return how far an import is trusted: a decision that a person approved where it comes from, else not yet.

    What reads as if it were made to steer its reader waits for a person, and is not recalled before.
    """
    if memory.provenance.trust == QUARANTINED:
        return QUARANTINED
    if form.name == "interchange" and memory.reviewed is not None:
        return REVIEWED
    return QUARANTINED if steers(memory) else UNREVIEWED


def _join_chains(context: Context, newer: list[str]) -> Iterator[Outcome]:
    """Tie what was imported now to the decisions it replaced that came in before."""
    for start in range(0, len(newer), _AT_ONCE):
        for stored in context.store.get_many(newer[start : start + _AT_ONCE]).values():
            for old in stored.memory.supersedes:
                there = context.store.get_many([old]).get(old)
                if there is None or there.memory.superseded_by == stored.memory.id:
                    continue
                if _goes_round(context, there.memory, stored.memory):
                    yield _let_go(context, stored, old)
                    break
                if there.memory.superseded_by:
                    continue
                try:
                    context.carry_out(_joined(context, there, stored))
                except (Refused, Conflict, InputError) as error:
                    yield Outcome(
                        What.PASSED, stored.memory.id, old, f"{old} stays as it is: {error.message}", error.hint
                    )


def _goes_round(context: Context, old: Memory, new: Memory) -> bool:
    """Tell whether ``old`` replaced ``new``, at once or through others, so that ``new`` cannot replace it."""
    if old.id in successors(context, new):
        return True
    seen: set[str] = set()
    waiting = list(old.supersedes)
    while waiting and new.id not in waiting:
        seen.update(waiting)
        older = context.store.get_many(waiting).values()
        waiting = [id for one in older for id in one.memory.supersedes if id not in seen]
    return bool(waiting)


def _let_go(context: Context, stored: Stored, old: str) -> Outcome:
    """Take away the link by which a memory replaces what replaced it; say so."""
    memory = stored.memory
    links = tuple(link for link in memory.links if (link.to, link.rel) != (old, SUPERSEDES))
    context.carry_out(Plan((Put(changed(memory, links=links), stored.revision),)))
    why = f"supersedes {old}, which replaced it, at once or through others: this link was left out, as no chain goes round"
    return Outcome(What.NOTED, memory.id, memory.id, why, f"look at both: brain history {memory.id}")


def _joined(context: Context, old: Stored, new: Stored) -> Plan:
    at = new.memory.created or context.clock.now()
    if old.memory.is_live:
        return supersede(old, new, at=at, successors=successors(context, new.memory))
    linked = with_link(replace(old.memory, status=SUPERSEDED), Link(new.memory.id, SUPERSEDED_BY))
    return Plan((Put(linked, old.revision),))


__all__ = [
    "Renewing",
    "Source",
    "form_of_source",
    "import_from",
    "open_source",
    "renew",
    "restore",
    "spooled",
    "take_over",
]
