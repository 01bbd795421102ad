"""agent-brain's commands that find entries: get, conflicts, similar."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from plainbrain.faces.cli.call import Call, command, say, tell, text_of
from plainbrain.faces.cli.entry import InvalidArguments, cut, entry_data, hit_data, need, say_hit
from plainbrain.faces.cli.flags import read_flags
from plainbrain.faces.cli.words import WORDS, KeepsDashes
from plainbrain.later import later
from plainbrain.model.query import Query

if TYPE_CHECKING:
    from plainbrain.app import judge
else:
    judge = later("plainbrain.app.judge")


_LINE = 160


@command("get", context_settings=WORDS, cls=KeepsDashes)
@click.argument("words", nargs=-1, metavar="WORDS... [--policy P] [--stores A,B] [--explain]", type=click.UNPROCESSED)
def get_command(call: Call, words: tuple[str, ...]) -> None:
    """Find entries by agent-brain's policies, and count that they were used. - reads standard input."""
    flags = read_flags(words, loop=False)
    need(flags.words, 1, "brain get <query> [--policy fast|balanced|deep] [--stores a,b] [--explain]")
    brain = call.open_to_read()
    query = Query(text_of([flags.text]), flags.limit, profile=flags.policy, classes=flags.classes)
    found = brain.get_entries(query, explain=flags.explain)
    if call.json:
        call.answer(
            {
                "hits": [hit_data(h, explain=flags.explain) for h in found.recall.hits],
                "total": found.recall.total,
                "decayed": found.faded.count,
            }
        )
        return
    if found.faded.count:
        say(f"Auto-decayed {found.faded.count} entries")
    for hit in found.recall.hits:
        say_hit(hit, explain=flags.explain)
    for note in (*found.recall.notes, *found.faded.notes):
        tell(note)
    if not found.recall.hits:
        say("No matching entries found.")


@command("conflicts", whole=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="[CONTENT]", type=click.UNPROCESSED)
@click.option(
    "--rule", type=click.Choice(["meaning", "overlap"]), default="meaning", help="overlap is agent-brain's own rule."
)
@click.option("--context", "scope", default="", metavar="C", help="The context in which the new fact holds.")
def conflicts_command(call: Call, words: tuple[str, ...], rule: str, scope: str) -> None:
    """Name the live entries that a new fact contradicts; without one, the pairs of live entries that cannot both hold. - reads
    standard input.

    Each pair is told with the commands that settle it. The newest 1000 are looked at, each beside what is nearest to it.
    """
    if not words:
        _say_clashes(call)
        return
    content = text_of(words)
    brain = call.open()
    if rule == "overlap":
        found = [(memory, ratio, "") for memory, ratio in judge.overlaps(brain.context, content)]
    else:
        found = [
            (f.memory, f.verdict.overlap, f.verdict.why) for f in judge.conflicts(brain.context, content, scope=scope)
        ]
    if call.json:
        call.answer([entry_data(memory) | {"overlap": round(ratio, 4), "why": why} for memory, ratio, why in found])
        return
    say("POTENTIAL_CONFLICTS" if found else "NO_CONFLICTS")
    for memory, ratio, _ in found[:5]:
        say(f"  [{memory.confidence.label}] {cut(memory, 100_000)}")
        say(f"    id: {memory.id}  overlap: {ratio:.0%}")


def _say_clashes(call: Call) -> None:
    """List what contradicts each other in the brain, with the commands that settle it."""
    brain = call.open()
    found = judge.clashes(brain.context)
    if call.json:
        call.answer(
            [{"entries": [entry_data(c.first), entry_data(c.second)], "why": c.why, "commands": list(_settling(c))} for c in found.pairs]
        )  # fmt: skip
    else:
        say("POTENTIAL_CONFLICTS" if found.pairs else "NO_CONFLICTS")
        for clash in found.pairs:
            for memory in (clash.first, clash.second):
                say(f"  [{memory.confidence.label}] {cut(memory, _LINE)}")
                say(f"    id: {memory.id}")
            say(f"    why: {clash.why}")
            for kept, line in zip((clash.second, clash.first), _settling(clash), strict=True):
                say(f"    keep {kept.id}: {line}")
    if found.looked_at < found.live:
        tell(f"The newest {found.looked_at} of {found.live} were looked at.")


def _settling(clash: judge.Clash) -> tuple[str, str]:
    """Return the command that keeps the second of a pair, and the one that keeps the first."""
    ids = (clash.first.id, clash.second.id)
    return shlex.join(("brain", "supersede", *ids)), shlex.join(("brain", "supersede", *reversed(ids)))


@command("similar", whole=True, context_settings=WORDS)
@click.argument("words", nargs=-1, metavar="CONTENT [THRESHOLD]", type=click.UNPROCESSED)
def similar_command(call: Call, words: tuple[str, ...]) -> None:
    """Name the live entries that are like a text. - reads standard input."""
    need(words, 1, "brain similar <content> [threshold=0.10]")
    threshold = 0.10
    if len(words) > 1:
        try:
            threshold = float(words[-1])
            words = words[:-1]
        except ValueError:
            if len(words) == 2:
                raise InvalidArguments(f"threshold {words[1]!r} is no number") from None
    brain = call.open()
    found = judge.similar(brain.context, text_of(words), threshold=threshold)
    if call.json:
        call.answer([entry_data(s.memory) | {"similarity": round(s.similarity, 4)} for s in found])
        return
    say(f"SIMILAR_ENTRIES ({len(found)} found)" if found else "NO_SIMILAR")
    for one in found[:10]:
        say(f"  [{one.memory.confidence.label}] ({one.memory.kind}) {cut(one.memory, 100_000)}")
        say(f"    id: {one.memory.id}  similarity: {one.similarity:.2f}  tags: {','.join(one.memory.tags)}")
        say()
