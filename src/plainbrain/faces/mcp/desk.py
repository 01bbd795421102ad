"""Where calls are answered: the brains by name, opened at the first call that needs them and kept open.

Promises that nothing is opened before it is asked for, that a read never makes a brain, and that no error of a
call ends anything but that call. Used by one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from plainbrain.app.brain import Brain, assemble
from plainbrain.app.context import Channel
from plainbrain.app.wiring import make_store, open_store
from plainbrain.errors import BrainError, Gone, NoBrain
from plainbrain.faces.mcp import resources
from plainbrain.faces.mcp.answers import CALLS, find_nothing
from plainbrain.faces.mcp.arguments import read_arguments
from plainbrain.faces.mcp.places import Places
from plainbrain.faces.mcp.refusals import explain, report_fault
from plainbrain.faces.mcp.replies import Answer, Refusal
from plainbrain.faces.mcp.tools import ToolSpec
from plainbrain.model.provenance import AGENT

T = TypeVar("T")


class Desk:
    """Answer calls on the brains that are served."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._options = places.options
        self._open: dict[str, Brain] = {}

    def answer(self, tool: ToolSpec, arguments: Mapping[str, Any], *, actor: str) -> Answer | Refusal:
        """Call a tool; say why not when it cannot be done."""

        def call() -> Answer:
            given = read_arguments(tool.all_parameters(self._options.names), arguments)
            try:
                brain = self._get(given.pop("brain", ""), actor=actor, writes=tool.makes)
            except Gone:
                raise
            except NoBrain as error:
                if found := find_nothing(tool.name, explain(error)):
                    return found
                raise
            return CALLS[tool.name](brain, given)

        return _guard(call)

    def list_resources(self, cursor: str | None) -> resources.Page | Refusal:
        """Return a page of the notes of the first brain."""
        names = self._options.names
        return _guard(lambda: resources.list_page(self._get, cursor, name=names[0] if len(names) > 1 else ""))

    def read_resource(self, uri: str) -> str | Refusal:
        """Return the note that a URI names, fenced."""
        return _guard(lambda: resources.read(self._get, uri, names=self._options.names))

    def close(self) -> None:
        """Close every brain."""
        for brain in self._open.values():
            brain.close()
        self._open.clear()

    def _get(self, name: str, *, actor: str = "", writes: bool = False) -> Brain:
        """Return an open brain, asked through the door of an agent; a missing folder is made only for a write."""
        name = name or (self._options.names[0] if self._options.names else "")
        settings = self._places.stand_by(name)
        brain = self._open.get(name)
        if brain is None:
            store = make_store(settings.store) if writes else open_store(settings.store)
            brain = self._open[name] = assemble(settings, store).watch()
        actor = (brain.settings.actor if brain.settings else "") or actor or "mcp"
        return brain.through(Channel(AGENT, actor))


def _guard(work: Callable[[], T]) -> T | Refusal:
    try:
        return work()
    except BrainError as error:
        return Refusal(explain(error))
    except Exception as error:
        return Refusal(report_fault(error))
