"""The library for agents whose memories fade, hold and tie together: ``CognitiveMemory`` and its synchronous twin.

Over any store of ours. Needs numpy (``pip install 'plainbrain[vectors]'``). See ``docs/cognitive.md``.
"""

from plainbrain.cognitive.adapters import InMemoryAdapter, JsonlAdapter, StoreAdapter
from plainbrain.cognitive.answers import Found, Stats, Ticked
from plainbrain.cognitive.asynchronous import CognitiveMemory
from plainbrain.cognitive.embedding import HashEmbeddings
from plainbrain.cognitive.memory import SyncCognitiveMemory

__all__ = [
    "CognitiveMemory",
    "Found",
    "HashEmbeddings",
    "InMemoryAdapter",
    "JsonlAdapter",
    "Stats",
    "StoreAdapter",
    "SyncCognitiveMemory",
    "Ticked",
]
