"""What agent-brain's two files have in common beside their entries: the names of its own values, and its log.

Owns what stands for a value that was never set, and when a line of the log speaks of an entry. Must not know a file.
"""

from __future__ import annotations

import re

#: agent-brain's keys, with what stands there when nothing was said.
UNSAID = {"last_decay": "", "session_counter": "0", "current_session": ""}


def names_id(detail: str, id: str) -> bool:
    """Tell whether a detail names an id as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", detail) is not None
