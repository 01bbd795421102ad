"""Models that turn texts into vectors: install, choose, remove, and embed what a brain holds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plainbrain.app import wiring
from plainbrain.app.context import Context
from plainbrain.app.settings import Settings
from plainbrain.errors import NotFound
from plainbrain.ports import Progress

#: Memories that are embedded in one step, between two looks at how far it has come.
STEP = 128
#: The model that is meant where none is named.
USUAL = "all-MiniLM-L6-v2"


@dataclass(frozen=True, slots=True)
class Found:
    """Describe a model on this machine; ``fault`` says what is wrong with it, ``""`` nothing."""

    name: str
    kind: str
    dimensions: int
    max_tokens: int
    megabytes: float
    source: str
    fault: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Tell which model is used (``""``: none), who said so, where models lie, and which are there."""

    used: str
    named_by: str
    folder: str
    models: tuple[Found, ...]


def standing(settings: Settings) -> Standing:
    """Return how it stands with models, each one held against its checksums."""
    models = wiring.open_models(settings)
    found = []
    for one in models.look():
        kind, dimensions, tokens, source = "", 0, 0, ""
        if (known := one.manifest) is not None:
            kind, dimensions, tokens, source = known.kind, known.dimensions, known.max_tokens, known.source
        found.append(Found(one.name, kind, dimensions, tokens, round(one.size / 1e6, 1), source, one.fault))
    named_by = "a setting" if settings.model else "brain model use"
    return Standing(settings.model or models.chosen(), named_by, str(models.folder), tuple(found))


def install(settings: Settings, name: str, *, source: str, progress: Progress) -> Found:
    """Install a model and return what it is. Raise Unavailable; what was installed before is then as it was."""
    done = wiring.open_models(settings).install(name or USUAL, source=source, progress=progress)
    return next(one for one in standing(settings).models if one.name == done.name)


def use(settings: Settings, word: str) -> str:
    """Use a model from now on: an installed one, a folder, ``URL#MODEL``, ``hash``, or ``off``. Raise Unavailable."""
    return wiring.open_models(settings).choose(word)


def remove(settings: Settings, name: str) -> None:
    """Take an installed model away. Raise NotFound."""
    models = wiring.open_models(settings)
    if not models.remove(name):
        names = tuple(one.name for one in models.look())
        raise NotFound(
            f"no model {name!r} is installed",
            value=name,
            hint=f"installed: {', '.join(names) or 'none'}",
            candidates=names,
        )


def likeness(settings: Settings, question: str, texts: Sequence[str]) -> list[float] | None:
    """Return the cosine of each text with a question by the model in use; None where there is none. Raise Unavailable."""
    model = wiring.open_embedder(settings)
    if model is None:
        return None
    asked = model.embed_query(question)
    return [math.fsum(a * b for a, b in zip(asked, vector, strict=True)) for vector in model.embed(texts)]


def embed_all(context: Context, *, progress: Progress | None = None) -> int:
    """Give every memory its vectors, in bounded steps; return how many memories were done.

    Other processes may ask and write meanwhile. Stopping half-way loses nothing that was done.
    """
    context.catch_up()
    done = 0
    while (step := context.index.embed_some(context.store, STEP)).done:
        done += step.done
        if progress is not None:
            progress(done, done + step.left, "embedding")
    return done
