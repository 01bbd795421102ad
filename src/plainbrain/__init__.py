"""Long-term memory for agents, in plain files that people can read."""

from plainbrain.errors import BrainError
from plainbrain.model.memory import Memory
from plainbrain.version import VERSION as __version__

__all__ = ["BrainError", "Memory", "__version__"]
