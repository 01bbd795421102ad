"""Long-term memory for agents, in plain files that people can read.

The public names: ``open_brain`` and ``make_brain`` give a ``Brain``; ``Memory`` is what it holds;
``BrainError`` is the root of every error. Importing the package loads the standard library only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from plainbrain.errors import BrainError
from plainbrain.model.memory import Memory
from plainbrain.version import VERSION as __version__

if TYPE_CHECKING:
    from plainbrain.app.brain import Brain, make_brain, open_brain

__all__ = ["Brain", "BrainError", "Memory", "__version__", "make_brain", "open_brain"]


def __getattr__(name: str) -> object:
    """Load the brain when it is first asked for."""
    if name in ("Brain", "make_brain", "open_brain"):
        return getattr(import_module("plainbrain.app.brain"), name)
    raise AttributeError(f"module 'plainbrain' has no attribute {name!r}")
