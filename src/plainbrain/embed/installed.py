"""The models of this machine: which are installed, whether they are whole, which one is used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plainbrain.embed import install as installing
from plainbrain.embed.manifest import Manifest, read_manifest, verify
from plainbrain.embed.registry import OFF, choose, chosen, open_model
from plainbrain.errors import Unavailable
from plainbrain.ports import Progress


@dataclass(frozen=True, slots=True)
class Seen:
    """Tell of an installed model: its size in bytes, its description, and what is wrong with it (``""``: nothing)."""

    name: str
    size: int
    manifest: Manifest | None
    fault: str


class Installed:
    """Look after the models under ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, *, source: str, progress: Progress) -> Manifest:
        """Install a model and describe it; see ``embed.install``. Raise Unavailable."""
        return installing.install(name, self.folder, source=source, progress=progress)

    def remove(self, name: str) -> bool:
        """Take a model away, and the choice of it; return False when there is none. Raise Unavailable."""
        try:
            done = installing.remove(name, self.folder)
            if done and chosen(self.folder) == name:
                choose("", self.folder)
        except OSError as error:
            raise Unavailable(f"{name} cannot be removed: {error.strerror}", value=name) from error
        return done

    def chosen(self) -> str:
        """Return the word that is used where no setting says otherwise."""
        return chosen(self.folder)

    def choose(self, word: str) -> str:
        """Use the model that ``word`` names from now on (``off``: none); return what its vectors are called.

        Raise Unavailable for a word that names none; the choice is then as it was.
        """
        name = "" if word.lower() in OFF else open_model(word, self.folder, {}).name
        try:
            choose(word, self.folder)
        except OSError as error:
            raise Unavailable(f"the choice cannot be kept: {error.strerror}", value=str(self.folder)) from error
        return name

    def look(self) -> list[Seen]:
        """Return every installed model, each held against its checksums."""
        return [self._look(name) for name in installing.installed(self.folder)]

    def _look(self, name: str) -> Seen:
        place = self.folder / name
        size = sum(path.stat().st_size for path in place.iterdir() if path.is_file())
        try:
            manifest = read_manifest(place)
            verify(place, manifest)
        except Unavailable as error:
            return Seen(name, size, None, str(error))
        return Seen(name, size, manifest, "")
