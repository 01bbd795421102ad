"""The brains that are served: their settings, and whether what holds each is still where it was when the server began."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from plainbrain.app.presence import Presence
from plainbrain.app.settings import Settings, settings_of
from plainbrain.errors import BrainError
from plainbrain.faces.mcp.replies import Options


class Places:
    """Know the brains of ``options`` by name; look at once which of them are there."""

    def __init__(self, options: Options, environment: Mapping[str, str]) -> None:
        self.options = options
        self._environment = environment
        self._settings: dict[str, Settings] = {}
        self._presences: dict[str, Presence] = {}
        for name in options.names or ("",):
            with suppress(BrainError):  # its settings make no sense: the call that needs it says so
                self.stand_by(name)

    def stand_by(self, name: str) -> Settings:
        """Return the settings of a brain. Raise Gone when it was there before and is not now, or SettingsError."""
        settings = self._settings.get(name)
        if settings is None:
            settings = settings_of(self._environment, store=self.options.store, config=self.options.config, name=name)
            self._settings[name], self._presences[name] = settings, Presence(settings.store)
        self._presences[name].check()
        return settings
