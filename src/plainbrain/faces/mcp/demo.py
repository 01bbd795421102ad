"""The main job, done before your eyes: an agent's sessions on a temporary brain, through a real MCP client over stdio.

Each step is a tool call to a server in a process of its own, and each step is checked: what is shown is what
came back, and a step that did not give what it should ends the demonstration with an error.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client

from plainbrain.app.shipped import shipped_path
from plainbrain.errors import BrainError
from plainbrain.faces.mcp.client import connect_stdio

Say = Callable[[str], None]
#: Settings of whoever runs it stay outside, but for the model.
_NOT_OURS = ("BRAIN_", "MEMORY_DIR")
_OLD, _NEW = "staging-listens-on-port-8443", "staging-listens-on-port-9443"


class DemoFailed(BrainError):
    """A step of the demonstration did not give what it should."""


def run_demo(say: Say) -> None:
    """Do every step on a temporary copy of the example brain. Raise DemoFailed at the first that goes wrong."""
    with tempfile.TemporaryDirectory(prefix="plainbrain-demo-") as folder:
        root = Path(folder)
        shutil.copytree(shipped_path("examples/brain"), root / "brain")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(_NOT_OURS) or k == "BRAIN_MODELS"}
        (root / "config.toml").touch()
        environment |= {"BRAIN_CACHE": str(root / "cache"), "BRAIN_CONFIG": str(root / "config.toml")}
        try:
            anyio.run(_sessions, _Stage(root / "brain", environment, say))
        except BaseExceptionGroup as group:
            raise _first(group) from None


def _first(error: BaseException) -> BaseException:
    """Return what went wrong, out of the groups that the client's tasks put around it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Stage:
    """What the steps work on, and how they show and check."""

    def __init__(self, brain: Path, environment: dict[str, str], say: Say) -> None:
        self.brain, self.environment, self.say = brain, environment, say

    def session(self, name: str) -> Any:
        return connect_stdio(["--store", f"vault:{self.brain}"], environment=self.environment, name=name)

    def title(self, text: str) -> None:
        self.say(text)

    def show(self, *lines: str) -> None:
        for line in lines:
            self.say(f"    {line}")

    async def call(self, client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
        shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items() if len(repr(value)) < 60)
        self.say(f"  > {tool}({shown})")
        result = await client.call_tool(tool, arguments)
        if result.is_error:
            raise DemoFailed(f"{tool} answered: {result.content[0].text if result.content else ''}")  # type: ignore[union-attr]
        found: dict[str, Any] = result.structured_content
        return found

    async def search(self, client: Client, query: str, **more: Any) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = (await self.call(client, "brain_search", query=query, k=2, **more))["hits"]
        self.show(
            *(
                f"{hit['score']:.2f}  {hit['id']}{'' if hit['status'] == 'active' else '  (' + hit['status'] + ')'}"
                for hit in hits
            )
        )
        return hits


def check(holds: bool, what: str) -> None:
    """Raise DemoFailed saying what should have been, when it does not hold."""
    if not holds:
        raise DemoFailed(
            f"this should have been: {what}", hint="please report it: the demonstration is part of the tests"
        )


async def _sessions(stage: _Stage) -> None:
    stage.say(f"A copy of the example brain: {stage.brain}")
    async with stage.session("demo-one") as client:
        tools = (await client.list_tools()).tools
        check(len(tools) == 8, "eight tools")
        stage.show(f"an MCP client over stdio, protocol {client.protocol_version}, sees {len(tools)} tools")
        await _recall(stage, client)
        await _contradict(stage, client)
        await _edit_by_hand(stage, client)
    async with stage.session("demo-two") as client:
        stage.title("6. Recall again, in another session: nothing was forgotten")
        hits = await stage.search(client, "which port does staging listen on?")
        check(hits[0]["id"] == _NEW, "the new note comes first in a new session")
        note = await stage.call(client, "brain_read", id=_NEW)
        check("9444" in note["text"] and _OLD in note["text"], "the hand edit and the history are in the note")
        stage.show(*[line for line in note["text"].splitlines() if "9444" in line or _OLD in line])
    stage.title("Every step gave what it should.")


async def _recall(stage: _Stage, client: Client) -> None:
    stage.title("1. Recall before acting: a client asks where its data lies")
    hits = await stage.search(client, "where does EU customer data lie")
    check(len(hits) > 0, "notes about data in the EU")
    note = await stage.call(client, "brain_read", id="firestore-region-europe-west1-for-eu-prospect-data")
    stage.show(*[line for line in note["text"].splitlines() if line.startswith(">")][:2])
    check(len(note["backlinks"]) > 0, "backlinks of the note")


async def _contradict(stage: _Stage, client: Client) -> None:
    stage.title("2. Encode what is new")
    kept = await stage.call(
        client, "brain_encode", title="Staging listens on port 9443", cortex="infra", type="fact", confidence=0.9,
        body="Staging moved from 8443 to 9443: the port clashed with the mail gateway.",
    )  # fmt: skip
    check(kept["created"] and kept["id"] == _NEW, "a new note")
    stage.title("3. It contradicts what was there: both are found")
    ids = {hit["id"] for hit in await stage.search(client, "staging port")}
    check({_OLD, _NEW} <= ids, "the old and the new note")
    stage.title("4. Supersede the old one: it is hidden, its history stays")
    await stage.call(client, "brain_supersede", old=_OLD, new=_NEW, reason="staging moved")
    check(_OLD not in {hit["id"] for hit in await stage.search(client, "staging port")}, "the old note hidden")
    past = await stage.search(client, "staging port", include_superseded=True)
    check(any(hit["id"] == _OLD and hit["status"] == "superseded" for hit in past), "the old note in the history")


async def _edit_by_hand(stage: _Stage, client: Client) -> None:
    stage.title("5. A person edits the file by hand: 9443 becomes 9444, and the next call knows")
    path = next(stage.brain.rglob(f"{_NEW}.md"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("8443 to 9443", "8443 to 9444"), encoding="utf-8")
    hits = await stage.search(client, "9444")
    check([hit["id"] for hit in hits[:1]] == [_NEW], "the edit found at the next call")
