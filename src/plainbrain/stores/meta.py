"""What agent-brain's two files have in common beside their entries: the names of its own values.

Owns what stands for a value that was never set. Must not know a file.
"""

from __future__ import annotations

#: agent-brain's keys, with what stands there when nothing was said.
UNSAID = {"last_decay": "", "session_counter": "0", "current_session": ""}
