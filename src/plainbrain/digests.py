"""The hash that revisions and keys are made of, without the OpenSSL library that ``hashlib`` loads at once.

Loading it costs a command some milliseconds, and BLAKE2 does not come from there. Where the interpreter has no module
of its own for it, ``hashlib`` gives the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b

__all__ = ["blake2b"]
