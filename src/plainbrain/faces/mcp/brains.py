"""The brains a server serves: opened by name at the first call that needs them, kept open, used by one thread.

Owns which brains there are and the thread they live in. Promises that nothing is opened before it is asked
for, that a read never makes a brain, and that a call that began is finished whether or not its caller waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from plainbrain.app.brain import Brain, assemble
from plainbrain.app.context import Channel
from plainbrain.app.settings import Settings, load_settings
from plainbrain.app.wiring import make_store, open_store
from plainbrain.errors import SettingsError
from plainbrain.model.provenance import AGENT

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Options:
    """Hold what the command line said: one store, or brains by their configured names, and the configuration file."""

    store: str = ""
    config: str = ""
    names: tuple[str, ...] = ()


class Brains:
    """Open brains when they are first needed, and run every call on them one after the other."""

    def __init__(self, options: Options, environment: Mapping[str, str]) -> None:
        self._options = options
        self._environment = environment
        self._open: dict[str, Brain] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="brain")

    @property
    def names(self) -> tuple[str, ...]:
        """The names to choose from; empty when one brain without a name is served."""
        return self._options.names

    def settings(self, name: str = "") -> Settings:
        """Return the settings of one brain. Raise SettingsError for a name that is not configured."""
        settings = load_settings(self._environment, store=self._options.store or name, config=self._options.config)
        if name and name not in settings.brains:
            known = ", ".join(sorted(settings.brains)) or "none"
            raise SettingsError(
                f"no brain is named {name!r} in {settings.config}",
                value=name,
                hint=f'configured: {known}; add it under [brains], as {name} = "vault:/path"',
            )
        return settings

    def get(self, name: str, *, actor: str, writes: bool) -> Brain:
        """Return an open brain, asked through the door of an agent; a missing folder is made only for a write."""
        name = name or (self.names[0] if self.names else "")
        brain = self._open.get(name)
        if brain is None:
            settings = self.settings(name)
            store = make_store(settings.store) if writes else open_store(settings.store)
            brain = self._open[name] = assemble(settings, store).watch()
        actor = (brain.settings.actor if brain.settings else "") or actor or "mcp"
        return brain.through(Channel(AGENT, actor))

    async def run(self, work: Callable[[], T]) -> T:
        """Do blocking work in the thread of the brains. A cancelled caller leaves; work that began is finished."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Finish what is begun, drop what waits, and close every brain."""
        self._thread.submit(self._close_all)
        self._thread.shutdown(wait=True)

    def _close_all(self) -> None:
        for brain in self._open.values():
            brain.close()
        self._open.clear()
