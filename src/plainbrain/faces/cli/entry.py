"""How entries are printed: agent-brain's lines, the same on every store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import click

from plainbrain.faces.cli.call import printable, say
from plainbrain.model.hit import Hit
from plainbrain.model.memory import Memory

_LONG = 400


class Misuse(click.ClickException):
    """A call with a missing argument: agent-brain prints its usage and leaves with 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the usage on standard error."""
        click.echo(f"Usage: {self.message}", err=True)


class Refusal(click.ClickException):
    """Something agent-brain says on standard output before it leaves with 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the line on standard output."""
        say(self.message)


class InvalidArguments(click.ClickException):
    """A flag that makes no sense: agent-brain says so on standard error and leaves with 1."""

    exit_code = 1

    def show(self, file: Any = None) -> None:
        """Print the line on standard error."""
        click.echo(f"Invalid arguments: {printable(self.message)}", err=True)


def not_found(id: str) -> NoReturn:
    """Say that there is no such entry, and leave with 1."""
    raise Refusal(f"Entry not found: {id}")


def text_of(memory: Memory) -> str:
    """Return what an entry says, on one line: its content, or the title and description of a longer note.

    Line breaks are shown as ``⏎`` so that no memory can pass for two.
    """
    content = " ⏎ ".join(line.strip() for line in memory.content.splitlines() if line.strip())
    title = " ".join(memory.title.split())
    if not title or (content.startswith(title.rstrip("…")) and len(content) <= _LONG):
        return content
    more = " ".join(memory.description.split()) or (content if len(content) <= _LONG else "")
    return f"{title} — {more}" if more else title


def head(memory: Memory) -> str:
    """Return the first line of an entry: how sure, what kind, and what it says."""
    return f"[{memory.confidence.label}] ({memory.kind}/{memory.class_}) {text_of(memory)}"


def cut(memory: Memory, length: int) -> str:
    """Return the beginning of what an entry says."""
    return text_of(memory)[:length]


def say_hit(hit: Hit, *, explain: bool) -> None:
    """Print a hit in agent-brain's form."""
    memory = hit.memory
    say(head(memory))
    where = f"  context: {memory.context}" if memory.context else ""
    say(f"  id: {memory.id}  tags: {','.join(memory.tags)}  score: {hit.score:.2f}{where}")
    if explain:
        say(f"  explain: {factors(hit)}")
    say()


def factors(hit: Hit) -> str:
    """Return the factors of a score in agent-brain's form, two decimals each."""
    numbers = " ".join(f"{name}={value:.2f}" for name, value in hit.explanation.factors.items() if name != "score")
    return numbers + "".join(f" {name}={value}" for name, value in semantics(hit).items())


def semantics(hit: Hit) -> dict[str, str]:
    """Return how likeness was measured and why so, in agent-brain's words."""
    return {"semantic_mode": "local", "semantic_reason": "remote_disabled"} | dict(hit.explanation.notes)


def entry_data(memory: Memory) -> dict[str, Any]:
    """Return an entry as data, by agent-brain's names."""
    return {
        "id": memory.id,
        "type": memory.kind,
        "memory_class": memory.class_,
        "content": memory.content,
        "confidence": memory.confidence.label,
        "tags": list(memory.tags),
        "source": memory.source,
        "context": memory.context or None,
        "created": memory.created.iso() if memory.created else None,
        "access_count": memory.usage.accesses,
        "success_count": memory.usage.successes,
        "superseded_by": memory.superseded_by or None,
    }


def hit_data(hit: Hit, *, explain: bool) -> dict[str, Any]:
    """Return a hit as data: the entry, its score, and on request the factors."""
    data = entry_data(hit.memory) | {"score": round(hit.score, 6)}
    if explain:
        data["factors"] = dict(hit.explanation.factors)
        data["explain"] = factors(hit)
    return data


def need(words: Sequence[str], count: int, usage: str) -> None:
    """Raise Misuse when fewer than ``count`` words were given."""
    if len(words) < count:
        raise Misuse(usage)
