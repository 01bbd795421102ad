"""What each host writes to the standard input of its hooks, key by key, and how the hooks are called here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

BRAIN = [sys.executable, "-c", "from plainbrain.faces.cli.main import main; main()"]
_CLAUDE = {"transcript_path": "/home/me/.claude/projects/p/t.jsonl", "permission_mode": "default"}
_CODEX = {"transcript_path": None, "model": "gpt-5", "permission_mode": "default"}
_CURSOR = {
    "generation_id": "g-1",
    "model": "m",
    "cursor_version": "2.0.77",
    "user_email": "me@example.org",
    "transcript_path": None,
}
_NAMES = {
    "session-start": "SessionStart",
    "user-prompt": "UserPromptSubmit",
    "pre-compact": "PreCompact",
    "stop": "Stop",
}
_CURSOR_NAMES = {
    "session-start": "sessionStart",
    "user-prompt": "beforeSubmitPrompt",
    "pre-compact": "preCompact",
    "stop": "stop",
}
_OWN: dict[str, dict[str, Any]] = {
    "session-start": {"source": "startup"},
    "user-prompt": {"prompt": ""},
    "pre-compact": {"trigger": "auto", "custom_instructions": ""},
    "stop": {"stop_hook_active": False, "last_assistant_message": ""},
}


def claude_code(event: str, session: str = "s", cwd: str = "/nowhere", **own: Any) -> bytes:
    """Return an event as Claude Code writes it."""
    common = {"session_id": session, "cwd": cwd, "hook_event_name": _NAMES[event], **_CLAUDE}
    return json.dumps({**common, **_OWN[event], **own}).encode()


def codex(event: str, session: str = "s", cwd: str = "/nowhere", **own: Any) -> bytes:
    """Return an event as Codex writes it."""
    turn = {} if event == "session-start" else {"turn_id": "t-1"}
    common = {"session_id": session, "cwd": cwd, "hook_event_name": _NAMES[event], **turn, **_CODEX}
    return json.dumps({**common, **_OWN[event], **own}).encode()


def cursor(event: str, session: str = "s", cwd: str = "/nowhere", **own: Any) -> bytes:
    """Return an event as Cursor writes it."""
    named = {"session_id": session} if event == "session-start" else {}
    special: dict[str, dict[str, Any]] = {
        "session-start": {"is_background_agent": False, "composer_mode": "agent"},
        "user-prompt": {"prompt": "", "attachments": []},
        "pre-compact": {"trigger": "auto", "context_usage_percent": 90},
        "stop": {"status": "completed", "loop_count": 0},
    }
    common = {"conversation_id": session, "workspace_roots": [cwd], "hook_event_name": _CURSOR_NAMES[event], **_CURSOR}
    return json.dumps({**common, **named, **special[event], **own}).encode()


def process(store: str, *words: str, stdin: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run a hook as a host does: a process of its own, its input a pipe."""
    environment = {**os.environ, **variables}
    call = [*BRAIN, "hook", *words, *(["--store", store] if store else [])]
    return subprocess.run(call, input=stdin, capture_output=True, env=environment, check=False)


def vault(root: Path) -> Path:
    """Make a small brain: a decision that turned something down, and a fact."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "queue.md").write_text(
        "---\nid: use-postgres\ntitle: Use Postgres for the job queue\ntype: decision\ncortex: infra\n"
        "created: 2026-10-01\nfiles: [src/queue.py]\nrejected:\n  - option: Redis\n    reason: one more daemon to run\n---\n\n"
        "Jobs are rows; a worker takes them with SKIP LOCKED.\n"
    )
    (root / "deploys.md").write_text(
        "---\nid: no-friday-deploys\ntitle: Deploys stop on Friday noon\ntype: policy\ncortex: ways\ncreated: 2026-10-02\n---\n\n"
        "Nobody deploys before the weekend.\n"
    )
    return root
