"""Files that come with the program: the example brain and the protocol an agent is given.

They lie inside the package once it is installed, and beside ``src`` in a working copy.
"""

from __future__ import annotations

from pathlib import Path

from plainbrain.errors import Unavailable

_PACKAGE = Path(__file__).parent.parent
_PLACES = (_PACKAGE / "shipped", _PACKAGE.parent.parent)


def shipped_path(name: str) -> Path:
    """Return the path of a shipped file or folder, such as ``templates/AGENTS.md``. Raise Unavailable."""
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    raise Unavailable(
        f"{name} does not lie beside the program", value=name, hint="install plainbrain again, from a whole package"
    )
