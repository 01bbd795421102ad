"""Eight servers on one brain at once: all start, none loses a write, what each acknowledged is found by all."""

from __future__ import annotations

import random
import threading
from pathlib import Path

from tests.mcp.lines import LineServer, texts

SERVERS, CALLS = 8, 50


def work(environment: dict[str, str], number: int, kept: dict[str, str], faults: list[str]) -> None:
    chance = random.Random(number)
    mine: list[str] = []
    with LineServer(environment) as server:
        server.shake_hands()
        for turn in range(CALLS):
            what = chance.choice(["encode", "encode", "search", "read", "link", "validate", "list"])
            marker = f"crowd{number}x{turn}"
            if what == "encode" or not mine:
                note = {"title": "The same title", "body": f"Body {marker}", "cortex": "crowd", "type": "fact"}
                result = server.call("brain_encode", note)
                if not result.get("isError"):
                    mine.append(result["structuredContent"]["id"])
                    kept[mine[-1]] = marker
            elif what == "search":
                result = server.call("brain_search", {"query": kept[mine[-1]]})
                if mine[-1] not in [hit["id"] for hit in result["structuredContent"]["hits"]]:
                    faults.append(f"{number}: {mine[-1]} was acknowledged and is not found")
            elif what == "read":
                result = server.call("brain_read", {"id": chance.choice(mine)})
            elif what == "link":
                result = server.call(
                    "brain_link", {"a": mine[-1], "b": "launch-is-planned-for-march", "rel": "relates_to"}
                )
            elif what == "validate":
                result = server.call("brain_validate", {"id": "launch-is-planned-for-march"})
            else:
                result = server.call("brain_list", {"cortex": "crowd"})
            if result.get("isError"):
                faults.append(f"{number}: {what}: {texts(result)}")


def test_eight_servers_share_one_brain(environment: dict[str, str], root: Path) -> None:
    kept: dict[str, str] = {}
    faults: list[str] = []
    threads = [threading.Thread(target=work, args=(environment, n, kept, faults)) for n in range(SERVERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(kept) > SERVERS * CALLS // 5
    assert len(set(kept.values())) == len(kept), "every note has an id of its own"
    notes = {path.stem: path.read_text(encoding="utf-8") for path in (root / "brain" / "crowd").glob("*.md")}
    assert notes.keys() == kept.keys()
    for id, marker in kept.items():
        assert f"Body {marker}\n" in notes[id] + "\n"
    with LineServer(environment) as server:
        server.shake_hands()
        for id, marker in kept.items():
            assert id in [
                hit["id"] for hit in server.call("brain_search", {"query": marker})["structuredContent"]["hits"]
            ]
