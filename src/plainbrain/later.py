"""Loading a module when it is first used, so that a command pays only for what it does.

Owns ``later``. Use it for parts that few calls need, with the real import under ``TYPE_CHECKING``, so that types
and the rules about who may import whom see it all the same.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _Later:
    """Stand for a module until one of its names is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(import_module(self._name), attribute)


def later(name: str) -> Any:
    """Return what stands for the module ``name``; the first use of one of its names loads it."""
    return _Later(name)
