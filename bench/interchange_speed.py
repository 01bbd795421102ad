"""Measure export and import of robrain-memory/v1 and the copying of brains: memories a second and peak memory.

    python bench/interchange_speed.py [MEMORIES] [KIND...]

Prints one line of JSON for each figure. Every step is a process of its own, in a temporary folder that is removed.
``cpu`` counts by the processor's time, which tells more than the clock on a machine that does other things too;
``load`` is the machine's load average at that time.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.copies import copy_brain, open_to_copy
from plainbrain.app.exports import export_archive, export_interchange, write_file
from plainbrain.app.imports import form_of_source, import_from, open_source
from plainbrain.app.intake import collect
from plainbrain.app.settings import load_settings

KINDS = ("jsonl", "json", "sqlite", "vault")
WORDS = [
    "cache",
    "queue",
    "schema",
    "index",
    "broker",
    "token",
    "retry",
    "cursor",
    "replica",
    "shard",
    "vault",
    "journal",
    "ledger",
    "parser",
    "lexer",
    "socket",
]


def line_of(number: int) -> dict[str, object]:
    """Return one of the decisions to import."""
    words = [WORDS[(number * step) % len(WORDS)] for step in (1, 3, 5, 7)]
    return {
        "format": "robrain-memory/v1",
        "id": f"00000000-0000-4000-8000-{number:012d}",
        "decision": f"Keep the {words[0]} of service {number} behind the {words[1]}, never in the {words[2]}",
        "rationale": f"The {words[3]} lost data twice when it was elsewhere",
        "rejected": [{"option": f"shared {words[1]}", "reason": f"it broke the {words[2]} of service {number % 97}"}],
        "files_affected": [f"services/{number % 97}/{words[0]}.py"],
        "scope": "team",
        "lifecycle": {
            "created_at": f"2026-0{1 + number % 9}-{1 + number % 28:02d}T10:00:00.{number % 1000:03d}Z",
            "invalidated_at": None,
            "reviewed_at": "2026-10-02T09:00:00.000Z" if number % 2 else None,
            "supersedes_id": None,
        },
        "provenance": {"session_id": f"s-{number % 50}", "source_turn_sequence": 4, "source_excerpt": "as we said"},
        "quality": {"historical_relevance": 0.5, "injected_count": number % 7, "used_count": number % 3},
    }


def brain_of(kind: str, folder: Path, name: str) -> Brain:
    """Open one of the brains."""
    config = folder / "config.toml"
    config.touch()
    environment = {"BRAIN_CONFIG": str(config), "BRAIN_CACHE": str(folder / "cache")}
    return make_brain(f"{kind}:{folder / name}", environment=environment)


def step(what: str, kind: str, folder: Path) -> None:
    """Do one step and print its figures."""
    gc.set_threshold(50_000, 20, 50)  # as the command line does it
    wall, cpu = time.perf_counter(), time.process_time()
    with brain_of(kind, folder, "copied" if what == "copy" else kind) as brain:
        match what:
            case "import":
                source = open_source(str(folder / "in.jsonl"))
                report = collect("", import_from(brain.context, source, form_of_source(source)), lambda _: None)
                count = sum(report.counts.values())
            case "export":
                write_file(folder / f"{kind}.out", export_interchange(brain.context))
                count = sum(1 for _ in brain.store.listing())
            case "archive":
                write_file(folder / f"{kind}.archive", export_archive(brain.context))
                count = sum(1 for _ in brain.store.listing())
            case _:
                settings = load_settings({"BRAIN_CONFIG": str(folder / "config.toml")})
                store = open_to_copy(f"{kind}:{folder / kind}", settings)
                count = sum(1 for _ in copy_brain(store, brain.context))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {
        "memories": count,
        "a_second": round(count / wall),
        "a_second_cpu": round(count / cpu),
        "peak_mb": round(peak),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }
    print(json.dumps({"step": what, "store": kind, **figures}), flush=True)


def main() -> None:
    """Run all steps."""
    if len(sys.argv) == 5 and sys.argv[1] == "--step":
        step(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
        return
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "in.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(json.dumps(line_of(n), separators=(",", ":")) + "\n" for n in range(count))
        for kind in sys.argv[2:] or KINDS:
            for what in ("import", "export", "archive"):
                subprocess.run([sys.executable, __file__, "--step", what, kind, name], check=True)
            with (folder / f"{kind}.out").open("rb") as file:  # held whole, it would count as memory of the next steps
                same = sum(1 for _ in file) == count
            print(json.dumps({"step": "check", "store": kind, "all_lines_out": same}), flush=True)


if __name__ == "__main__":
    main()
