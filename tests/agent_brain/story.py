"""Stories: transcripts of agent-brain's commands that hold on several stores.

A story is a transcript (``tests/cli/transcript.py``) with three things more: ``{name}`` in a printed line stands for
an id, whatever it is the first time and the same from then on, and may stand in later commands; ``{path}`` is the
file of the store; and the command ``now TIME`` moves the clock. A line ``| sqlite | line`` is printed on that store
alone.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.transcript import Step, matches, perform, read_steps

_NAME = re.compile(r"\{([A-Za-z]\w*)\}")
ID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


class Story:
    """One story on one store. ``known`` are the values of names."""

    def __init__(self, folder: Path, environment: pytest.MonkeyPatch, *, store: str, known: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._store = store
        self._known = known

    def run(self, text: str, name: str) -> None:
        """Run every step and fail at the first that says something else."""
        for step in read_steps(text):
            command = self.fill(step.command)
            if command.startswith("now "):
                self._environment.setenv("BRAIN_NOW", command.removeprefix("now ").strip())
                continue
            said = perform(replace(step, command=command), folder=self._folder)
            expected = self.expect(step, said)
            if not matches(expected, said):
                shown = "\n".join(said)
                wanted = "\n".join(expected)
                pytest.fail(
                    f"{name}:{step.line}: $ {command}\n--- expected\n{wanted}\n--- said\n{shown}", pytrace=False
                )

    def expect(self, step: Step, said: list[str]) -> list[str]:
        """Return the expected lines of this store, names filled in; a new name takes the value that was printed."""
        lines = []
        for line in step.expected:
            store, bar, rest = line.removeprefix("| ").partition(" | ") if line.startswith("| ") else ("", "", line)
            if bar and store != self._store:
                continue
            lines.append(rest if bar else line)
        for number, line in enumerate(lines):
            if number < len(said):
                self._learn(line, said[number])
        return [self.fill(line) for line in lines]

    def _learn(self, line: str, said: str) -> None:
        new = [name for name in _NAME.findall(line) if name not in self._known]
        if not new:
            return
        parts = _NAME.split(self.fill(line))
        pattern = "".join(re.escape(p) if i % 2 == 0 else f"(?P<{p}>{ID}|[a-z0-9-]+)" for i, p in enumerate(parts))
        found = re.fullmatch(pattern.replace("…", ".*"), said)
        self._known |= found.groupdict() if found else {}

    def fill(self, text: str) -> str:
        """Put the values of known names in."""
        return _NAME.sub(lambda found: self._known.get(found[1], found[0]), text)
