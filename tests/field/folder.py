"""What the tests of this folder share: a vault that is written by hand and asked through the real program."""

from __future__ import annotations

import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from plainbrain import make_brain, open_brain
from plainbrain.faces.cli.main import run
from plainbrain.testing.builders import FixedClock
from tests.cli.transcript import _Stream


@dataclass(frozen=True)
class Said:
    """What one command printed, and how it ended."""

    status: int
    out: str
    err: str


class Folder:
    """A vault at ``root``: ``write`` is a person with an editor, ``brain`` a process that stays, ``command`` one that ends."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.brain = make_brain(f"vault:{root}", clock=FixedClock())

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file as an editor does: cut it to nothing and fill it."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return file

    def found(self, text: str, **narrow: object) -> list[str]:
        """Return the ids that a search finds, sorted."""
        return sorted(hit.id for hit in self.brain.search(text, 50, **narrow).hits)

    def problems(self) -> list[tuple[str, str]]:
        """Return ``(code, path:line)`` of everything that is wrong."""
        return [(problem.code, problem.where) for problem in self.brain.examine().problems]

    def reopen(self) -> None:
        """Begin a new process, as far as the brain can tell."""
        self.brain.close()
        self.brain = open_brain(f"vault:{self.root}", clock=FixedClock())

    def command(self, *words: str, stdin: bytes = b"") -> Said:
        """Run the command line on this vault."""
        out, err, before = _Stream(), _Stream(), sys.stdin
        sys.stdin = _Stream(stdin)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status = run([words[0], "--store", f"vault:{self.root}", *words[1:]])
        finally:
            sys.stdin = before
        return Said(status, out.text(), err.text())
