"""Running transcripts: commands and what they print, as text.

::

    $ brain read nope            a command; everything that is not brain is run by sh
    < a line                     a line of its standard input (before the output)
    printed line                 standard output
    ! talk                       standard error
    ? 1                          the exit status, when it is not 0

``…`` in an expected line stands for any text.
"""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from plainbrain.faces.cli.main import run


@dataclass
class Step:
    """One command with its input and everything it is expected to say."""

    command: str
    line: int
    stdin: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)


def read_steps(text: str) -> list[Step]:
    """Split a transcript into steps; ``%`` begins a comment."""
    steps: list[Step] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("$ "):
            steps.append(Step(line[2:], number))
        elif line.startswith("%") or not steps:
            continue
        elif line.startswith("< "):
            steps[-1].stdin.append(line[2:])
        else:
            steps[-1].expected.append(line)
    for step in steps:
        while step.expected and not step.expected[-1].strip():
            step.expected.pop()
    return steps


class _Stream(io.TextIOWrapper):
    """A text stream over bytes, as a process has it, that is no terminal."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", errors="backslashreplace", newline="", write_through=True)

    def text(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode("utf-8")


def perform(step: Step, *, folder: Path) -> list[str]:
    """Run one step and return what it said in the form of a transcript."""
    words = shlex.split(step.command)
    stdin = "\n".join(step.stdin) + ("\n" if step.stdin else "")
    if words[0] != "brain":
        done = subprocess.run(
            ["sh", "-c", step.command], cwd=folder, input=stdin, capture_output=True, text=True, check=False
        )
        return _said(done.stdout, done.stderr, done.returncode)
    out, err, old = _Stream(), _Stream(), sys.stdin
    sys.stdin = _Stream(stdin.encode("utf-8", "surrogateescape"))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = run(words[1:])
    finally:
        sys.stdin = old
    return _said(out.text(), err.text(), status)


def _said(out: str, err: str, status: int) -> list[str]:
    lines = out.rstrip("\n").split("\n") if out.strip() else []
    lines += [f"! {line}".rstrip() for line in err.rstrip("\n").split("\n")] if err.strip() else []
    return [*lines, f"? {status}"] if status else lines


def matches(expected: list[str], said: list[str]) -> bool:
    """Tell whether what was said is what was expected, ``…`` standing for anything."""
    return len(expected) == len(said) and all(
        _alike(e.rstrip(), s.rstrip()) for e, s in zip(expected, said, strict=True)
    )


def _alike(expected: str, said: str) -> bool:
    parts = expected.split("…")
    if len(parts) == 1:
        return expected == said
    if not said.startswith(parts[0]) or not said.endswith(parts[-1]):
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        found = said.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at <= len(said) - len(parts[-1])


def check(text: str, *, folder: Path, name: str) -> None:
    """Run a whole transcript and fail at the first step that says something else."""
    for step in read_steps(text):
        said = perform(step, folder=folder)
        if not matches(step.expected, said):
            shown = "\n".join(said)
            wanted = "\n".join(step.expected)
            pytest.fail(
                f"{name}:{step.line}: $ {step.command}\n--- expected\n{wanted}\n--- said\n{shown}", pytrace=False
            )
