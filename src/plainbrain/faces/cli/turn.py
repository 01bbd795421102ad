"""agent-brain's loop: one turn of recall, extraction and learning."""

from __future__ import annotations

import click

from plainbrain.app.loop import query_for
from plainbrain.faces.cli.call import Call, command, say, tell, text_of
from plainbrain.faces.cli.entry import entry_data, hit_data, need, say_hit
from plainbrain.faces.cli.flags import read_flags
from plainbrain.faces.cli.words import WORDS, KeepsDashes


@command("loop", whole=True, writes=True, context_settings=WORDS, cls=KeepsDashes)
@click.argument(
    "words",
    nargs=-1,
    metavar="MESSAGE... [--policy P] [--stores A,B] [--explain] [--user-feedback F] [--response R]",
    type=click.UNPROCESSED,
)
def loop_command(call: Call, words: tuple[str, ...]) -> None:
    """Take one turn: recall for a message, keep the facts in it, learn from feedback. - reads standard input."""
    flags = read_flags(words, loop=True)
    need(
        flags.words,
        1,
        "brain loop <message> [--policy fast|balanced|deep] [--stores a,b] [--explain] [--user-feedback F] [--response R]",
    )
    message = text_of([flags.text])
    brain = call.make()
    query = query_for(message, policy=flags.policy, k=flags.limit, classes=flags.classes)
    turn = brain.take_turn(message, query, feedback=flags.feedback, response=flags.response)
    skipped = {"duplicate": turn.duplicates, "conflict": turn.conflicts, "sensitive": turn.sensitive}
    if call.json:
        call.answer({
            "query": turn.query,
            "hits": [hit_data(h, explain=flags.explain) for h in turn.recall.hits],
            "candidates": turn.candidates,
            "added": [entry_data(memory) for memory in turn.added],
            "skipped": {why: [{"content": s.content, "why": s.why, "against": s.against, "hint": s.hint} for s in items] for why, items in skipped.items()},
            "superseded": [{"old": pair.old, "new": pair.new} for pair in turn.replaced],
        })  # fmt: skip
        return
    if turn.decayed:
        say(f"Auto-decayed {turn.decayed} entries")
    say("LOOP_RETRIEVE")
    say(f"  query: {turn.query}")
    say(f"  hits: {len(turn.recall.hits)}")
    if flags.explain:
        for hit in turn.recall.hits[:5]:
            say_hit(hit, explain=True)
    say("LOOP_EXTRACT")
    say(f"  candidates: {turn.candidates}")
    say(f"  added: {len(turn.added)}")
    for why, items in skipped.items():
        say(f"  skipped_{why}: {len(items)}")
        for item in items:
            tell(
                f"skipped ({why}): {item.content}"
                + (f" — {item.why}" if item.why else "")
                + (f", against {item.against}" if item.against else "")
            )
            if item.hint:
                tell(f"    {item.hint}")
    for pair in turn.replaced:
        tell(f"superseded: {pair.old} -> {pair.new}, as you said that it changed")
        tell("    take the turn back: brain undo")
    for note in turn.notes:
        tell(note)
