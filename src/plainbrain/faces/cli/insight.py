"""agent-brain's commands that look at the whole: list, reflect, consolidate, tags, decay, stats, log, session, help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from plainbrain.app.brain import Brain
from plainbrain.faces.cli import show
from plainbrain.faces.cli.call import Call, command, say, tell
from plainbrain.faces.cli.entry import Refusal, cut, entry_data, head
from plainbrain.faces.cli.recall import as_of, narrowing, query_of, tell_statuses
from plainbrain.later import later
from plainbrain.model.change import Activity
from plainbrain.model.jsontext import json_text
from plainbrain.model.memory import Memory

if TYPE_CHECKING:
    import difflib

    from plainbrain.app import fading, follow, insight, learn
else:
    difflib = later("difflib")
    fading, follow, insight, learn = (
        later(f"plainbrain.app.{name}") for name in ("fading", "follow", "insight", "learn")
    )

_TOP = 5
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.ASCII | re.IGNORECASE)


@command("list", whole=True)
@click.argument("kind", required=False, default="", metavar="[TYPE]")
@click.option("--cortices", is_flag=True, help="The themes with counts.")
@narrowing
@as_of
def list_command(
    call: Call, kind: str, cortices: bool, kinds: tuple[str, ...], moment: str | None, **narrow: Any
) -> None:
    """List memories, the oldest day first, or the themes with counts."""
    brain = call.open_as_of(moment)
    query = query_of("", kinds=(*kinds, kind) if kind else kinds, **narrow)
    if cortices:
        counts = brain.cortices(query)
        call.answer(
            [{"cortex": name, "count": count} for name, count in counts],
            *(f"{name or '(none)'} ({count})" for name, count in counts),
        )
    elif call.json:
        call.answer([show.card(memory) | entry_data(memory) for memory in brain.entries(query)])
    else:
        # the line that agent-brain ends with says "active": not of what --all and --status show
        active = not (query.include_superseded or query.statuses)
        count = _say_list(brain.entries(query), kind or ("active" if active else ""))
        tell_statuses(brain, query.statuses)
        if kind and not count:
            _tell_kinds(brain, kind)


def _tell_kinds(brain: Brain, kind: str) -> None:
    """Tell what may be meant where nothing is of a type: one that is like it, or the theme of that name."""
    found = brain.status()
    if kind.lower() in map(str.lower, found.by_kind):
        return  # there are some, and none in effect
    if near := difflib.get_close_matches(kind.lower(), [name for name in found.by_kind if name], n=1, cutoff=0.7):
        tell(f"Nothing is of the type {kind}; is {near[0]} meant?")
    elif kind in found.by_cortex:
        tell(f"Nothing is of the type {kind}, which is a theme: brain list --cortex {kind}")


def _say_list(memories: Iterator[Memory], kind: str) -> int:
    """Print memories in agent-brain's form, and how many of what ``kind`` there were; return that."""
    count = 0
    for memory in memories:
        count += 1
        say(head(memory))
        parts = [
            f"id: {memory.id}",
            f"source: {memory.source or memory.provenance.origin or 'unknown'}",
            f"accessed: {memory.usage.accesses}x",
        ]
        if memory.usage.successes:
            parts.append(f"success: {memory.usage.successes}x")
        if memory.context:
            parts.append(f"context: {memory.context}")
        if not memory.is_live:
            parts.append(memory.status)
        say("  " + "  ".join(parts))
        say()
    say(f"--- {count} {f'{kind} ' if kind else ''}entries ---")
    return count


@command("reflect", whole=True)
def reflect_command(call: Call) -> None:
    """Tell how the memory is: what is stale, what could be raised, what was learned."""
    found = insight.reflect_on(call.open().context)
    if call.json:
        call.answer({
            "active": found.active, "superseded": found.superseded, "sessions": found.sessions,
            "stale": [{"days": days, **entry_data(m)} for days, m in found.stale],
            "upgrade_candidates": [entry_data(m) for m in found.upgrades], "corrections": [entry_data(m) for m in found.corrections],
            "anti_patterns": [entry_data(m) for m in found.anti_patterns], "top_successes": [entry_data(m) for m in found.successes],
            "uncertain": [entry_data(m) for m in found.uncertain], "tags": dict(found.tags),
        })  # fmt: skip
        return
    say("=== MEMORY REFLECTION ===")
    say()
    say(f"Total: {found.active} active, {found.superseded} superseded")
    if found.sessions:
        say(f"Sessions: {found.sessions}")
    say()
    _block(
        f"STALE ({len(found.stale)} entries, 30+ days untouched):",
        [f"  {d}d: [{m.confidence.label}] {cut(m, 60)}" for d, m in found.stale],
        more=True,
    )
    _block(
        f"UPGRADE CANDIDATES ({len(found.upgrades)} frequently accessed, not SURE):",
        [f"  {m.usage.accesses}x: [{m.confidence.label}] {cut(m, 60)}" for m in found.upgrades],
    )
    _corrections(found.corrections)
    _block(
        f"ANTI-PATTERNS ({len(found.anti_patterns)} learned cautions):",
        [f"  {cut(m, 70)}" for m in found.anti_patterns],
        top=10_000,
    )
    _block(
        f"TOP SUCCESSES ({len(found.successes)} entries with recorded wins):",
        [f"  {m.usage.successes}x: {cut(m, 60)}" for m in found.successes],
    )
    _block(
        f"UNCERTAIN ({len(found.uncertain)} entries needing confirmation):",
        [f"  {cut(m, 60)}\n    id: {m.id}" for m in found.uncertain],
    )
    say("TOP TAGS: " + ", ".join(f"{tag}({count})" for tag, count in found.tags[:10]))


def _block(title: str, lines: list[str], *, top: int = _TOP, more: bool = False) -> None:
    if not lines:
        return
    say(title)
    for line in lines[:top]:
        say(line)
    if more and len(lines) > top:
        say(f"  ... and {len(lines) - top} more")
    say()


def _corrections(corrections: tuple[Memory, ...]) -> None:
    if not corrections:
        return
    say(f"CORRECTIONS ({len(corrections)} learning events):")
    for memory in corrections[:_TOP]:
        if memory.correction is not None:
            say(f"  Wrong: {_short(memory.correction.wrong_claim)}")
            say(f"  Right: {_short(memory.correction.right_claim)}")
            if memory.correction.reason:
                say(f"  Why:   {_short(memory.correction.reason)}")
            say()


def _short(text: str) -> str:
    return " ".join(text.split())[:50]


@command("consolidate", writes=True, whole=True)
@click.option("--apply", "apply_", is_flag=True, help="Write a summary of each cluster, and supersede its members.")
def consolidate_command(call: Call, apply_: bool) -> None:
    """Name clusters of entries that could become one; --apply makes them so."""
    brain = call.change() if apply_ else call.open()
    clusters = insight.clusters(brain.context)
    made = insight.consolidate(brain.context, clusters[:_TOP]) if apply_ else []
    if call.json:
        call.answer(
            {
                "clusters": [{"tag": c.tag, "members": [entry_data(m) for m in c.members]} for c in clusters],
                "made": [m.id for m in made],
            }
        )
        return
    if not clusters:
        say("NO_CONSOLIDATION_CANDIDATES")
        return
    say(f"CONSOLIDATION_CANDIDATES ({len(clusters)} clusters)")
    say()
    for cluster in clusters[:_TOP]:
        _block(
            f"Cluster: '{cluster.tag}' ({len(cluster.members)} entries)",
            [f"  [{m.confidence.label}] {cut(m, 70)}" for m in cluster.members],
            more=True,
        )
    for memory in made:
        say(f"{'Would consolidate' if call.dry_run else 'Consolidated'}: {memory.id}")
    if not made:
        say("To consolidate: create a summary entry and supersede the originals.")


@command("tags", whole=True)
def tags_command(call: Call) -> None:
    """Show the tags as a tree, with counts."""
    branches = insight.tags(call.open().context)
    if call.json:
        call.answer(
            [
                {"tag": b.root, "count": b.count, "below": [{"tag": rest, "count": n} for rest, n in b.rests]}
                for b in branches
            ]
        )
        return
    for branch in branches:
        say(f"{branch.root} ({branch.count})")
        for rest, count in branch.rests:
            say(f"  .{rest} ({count})")
    if not branches:
        say("No tags found.")


@command("decay", writes=True, whole=True)
def decay_command(call: Call) -> None:
    """Let the confidence of what went unused fade by one step, now."""
    count = fading.decay_now(call.change().context)
    call.answer({"decayed": count}, f"{'Would decay' if call.dry_run else 'Decayed'} {count} entries")


@command("stats", whole=True)
def stats_command(call: Call) -> None:
    """Count entries by type, class, confidence and source."""
    found = insight.stats(call.open().context)
    if call.json:
        call.answer({
            "version": found.version, "sessions": found.sessions, "active": found.active, "superseded": found.superseded,
            "by_type": found.by_kind, "by_memory_class": found.by_class, "by_confidence": found.by_confidence,
            "by_source": found.by_source, "successes": found.successes, "last_decay": found.last_decay or None,
        })  # fmt: skip
        return
    say(f"Version: {found.version}")
    say(f"Sessions: {found.sessions}")
    say(f"Total: {found.active} active, {found.superseded} superseded")
    say(f"By type: {found.by_kind}")
    say(f"By memory_class: {found.by_class}")
    say(f"By confidence: {found.by_confidence}")
    say(f"By source: {found.by_source}")
    say(f"Total success events: {found.successes}")
    if found.last_decay:
        say(f"Last decay: {found.last_decay}")


@command("log")
@click.argument("words", nargs=-1, metavar="[COUNT] [ACTION]")
@click.option("--id", "id", default="", metavar="ID", help="Only what concerned this memory.")
@click.option("--follow", "follows", is_flag=True, help="Go on printing what happens, until interrupted.")
def log_command(call: Call, words: tuple[str, ...], id: str, follows: bool) -> None:
    """Show what happened, newest first: brain log, brain log 20, brain log add, brain log add 5."""
    count, action = _log_arguments(words)
    brain = call.open()
    if action and not brain.log(1, action):
        known = sorted({activity.action for activity in brain.log(None)})
        tell(f"Nothing is logged as {action!r}" + (f"; what is: {', '.join(known)}" if known else ""))
    if follows:
        for activity in follow.follow(brain.context, action=action):
            say(json_text(_activity(activity)) if call.json else _log_line(activity))
        return
    found = brain.log(count, action, id)
    if call.json:
        call.answer([_activity(a) for a in found])
        return
    for activity in found:
        say(_log_line(activity))
    if not found:
        say("No activity logged yet.")


def _log_arguments(words: tuple[str, ...]) -> tuple[int, str]:
    """Read a count and an action in either order."""
    count, action = 50, ""
    for word in words[:2]:
        if word.lstrip("-").isdigit():
            count = int(word)
            if count < 1:
                raise Refusal(f"ERROR: the count {word} must be 1 or more")
        else:
            action = word
    return count, action


def _activity(activity: Activity) -> dict[str, Any]:
    return {
        "timestamp": activity.at.iso(),
        "action": activity.action,
        "entry_id": activity.id or None,
        "detail": activity.detail,
    }


def _log_line(activity: Activity) -> str:
    at = activity.at.iso_seconds().replace("T", " ").rstrip("Z")
    # agent-brain prints the beginning of its UUIDs; of a name, a part would name nothing.
    entry = f"  entry:{activity.id[:8] if _UUID.match(activity.id) else activity.id}" if activity.id else " " * 13
    return f"[{at}] {activity.action:<10} {entry}  {' '.join(activity.detail.split())}"


@command("session", writes=True, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, metavar="[CONTEXT]")
def session_command(call: Call, words: tuple[str, ...]) -> None:
    """Open the next session; what is kept from now on belongs to it."""
    about = " ".join(words)
    session = learn.begin_session(call.make().context, about)
    call.answer(
        {"id": session.id, "context": about or None, "started": session.started},
        f"Session {session.id} {'would start' if call.dry_run else 'started'}" + (f": {about}" if about else ""),
    )


@click.command("help")
@click.argument("name", required=False, default="")
@click.pass_context
def help_command(ctx: click.Context, name: str) -> None:
    """Show help, of everything or of one command."""
    root = ctx.find_root()
    assert isinstance(root.command, click.Group)
    found = root.command.get_command(root, name) if name else None
    if name and found is None:
        raise click.UsageError(f"No such command {name!r}.", ctx=root)
    if found is None:
        click.echo(root.get_help())
    else:
        click.echo(found.get_help(click.Context(found, info_name=name, parent=root)))
