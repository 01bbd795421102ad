"""Run other memory tools beside ours and print one Markdown table: ``python -m bench.compare [NAME ...]``.

Each is installed from its registry into a temporary folder, and started with an empty home there. All get the same notes and the same
questions, over standard input and output. What one cannot do here is said in its column; no wait is without an end.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.peers.notes import MARK, Note, choose_known, make_notes, unanswerable
from bench.peers.speak import Server, Trouble
from bench.peers.tools import PEERS, Peer

#: Seconds in which the notes must be written; what is not by then is left out, and said.
LOAD_SECONDS = 60.0
ROWS = (
    "version", "install, s", "install, MB", "start to tools/list, s", "memory after the notes, MB", "300 notes, s",
    "write p50 / p95, ms", "search p50 / p95, ms", "known note among 10, by its title",
    "the same, by its words in another order", "no answer: nothing said", "how",
)  # fmt: skip


def _environment(peer: Peer, data: Path) -> dict[str, str]:
    """Return an environment whose home is empty; package settings of this machine stay for the installers alone."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("BRAIN_", "MEMORY_", "XDG_"))}
    return clean | {"HOME": str(data), "XDG_STATE_HOME": str(data / "state")} | peer.environment(data)


def _megabytes(folder: Path) -> int:
    return round(sum(p.lstat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink()) / 1e6)


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    began = time.perf_counter()
    return work(), time.perf_counter() - began


def _in_figures(spent: Sequence[float]) -> str:
    ordered = sorted(value * 1000 for value in spent)
    return f"{statistics.median(ordered):.0f} / {ordered[len(ordered) * 95 // 100]:.0f}" if ordered else "none"


def _load(server: Server, peer: Peer, notes: Sequence[Note], found: dict[str, str]) -> list[Note]:
    """Write the notes, as many as there is time for; return those that were."""
    spent: list[float] = []
    for note in notes:
        if sum(spent) > LOAD_SECONDS:
            break
        tool, arguments = peer.write(note)
        spent.append(_timed(lambda: server.call(tool, arguments))[1])  # noqa: B023 - called at once
    whole = len(spent) == len(notes)
    found["300 notes, s"] = f"{sum(spent):.1f}" if whole else f"{len(spent)} in {sum(spent):.0f}"
    found["write p50 / p95, ms"] = _in_figures(spent)
    return list(notes[: len(spent)])


def _says_nothing(said: str) -> bool:
    """Tell whether an answer names no note, or says itself that none of those is likely to be one."""
    return not MARK.search(said) or '"relevant": false' in said


def _question(server: Server, peer: Peer, notes: Sequence[Note], found: dict[str, str]) -> None:
    known, nowhere = choose_known(notes), unanswerable()
    spent: list[float] = []

    def ask(text: str) -> str:
        tool, arguments = peer.search(text)
        said, seconds = _timed(lambda: server.call(tool, arguments))
        spent.append(seconds)
        return str(said)

    right = sum(note.mark in ask(note.question) for note in known)
    by_title = sum(note.mark in ask(note.title.removesuffix(f" {note.mark}")) for note in known)
    silent = sum(_says_nothing(ask(text)) for text in nowhere)
    found["search p50 / p95, ms"] = _in_figures(spent)
    found["known note among 10, by its title"] = f"{by_title} of {len(known)}"
    found["the same, by its words in another order"] = f"{right} of {len(known)}"
    found["no answer: nothing said"] = f"{silent} of {len(nowhere)}"


def measure(peer: Peer, root: Path) -> dict[str, str]:
    """Return the cells of one tool; what failed is said in the last row, and what came before stays."""
    home, data = root / peer.name.replace(" ", "-"), root / f"{peer.name.replace(' ', '-')}-data"
    data.mkdir()
    found = {"how": peer.remark}
    server: Server | None = None
    try:
        found["version"], seconds = _timed(lambda: peer.install(home))
        found |= {"install, s": f"{seconds:.0f}", "install, MB": str(_megabytes(home))}
        began = time.perf_counter()
        server = Server(peer.start(home, data), _environment(peer, data), data)
        server.shake_hands()
        found["start to tools/list, s"] = f"{time.perf_counter() - began:.1f}"
        written = _load(server, peer, make_notes(), found)
        found["memory after the notes, MB"] = f"{server.memory_mb():.0f}"
        _question(server, peer, written, found)
    except (Trouble, OSError, KeyError, json.JSONDecodeError) as error:
        found["how"] = "; ".join(part for part in (peer.remark, f"stopped: {error}") if part).replace("|", "/")
    finally:
        if server is not None:
            server.stop()
    return found


def table(measured: dict[str, dict[str, str]]) -> list[str]:
    """Return the lines of the table: one row for each figure, one column for each tool."""
    lines = [f"| | {' | '.join(measured)} |", "|---" * (len(measured) + 1) + "|"]
    return lines + [f"| {row} | {' | '.join(m.get(row) or '–' for m in measured.values())} |" for row in ROWS]


def main(names: Sequence[str]) -> int:
    """Measure the named tools, or all."""
    chosen = [peer for peer in PEERS if not names or peer.name in names]
    if not chosen:
        print(f"no such tool; there are: {', '.join(peer.name for peer in PEERS)}", file=sys.stderr)
        return 2
    measured = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for peer in chosen:
            print(f"{peer.name} …", file=sys.stderr, flush=True)
            measured[peer.name] = measure(peer, Path(folder))
    print("\n".join(table(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
