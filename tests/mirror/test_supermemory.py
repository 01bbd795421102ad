"""The mirror, held against a server: what is sent, when, and that nothing ever waits or fails for it."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path

import pytest

from plainbrain.app.brain import Brain, make_brain
from plainbrain.app.entries import Said
from plainbrain.errors import SecretRefused
from plainbrain.mirror.supermemory import DEFAULT_SECONDS, SuperMemory, document_of, fault_of, read_mirror
from plainbrain.model.memory import Memory
from tests.agent_brain.service import Service
from tests.cli.transcript import perform, read_steps


def brain_at(folder: Path, **environment: str) -> Brain:
    settings = {"BRAIN_CACHE": str(folder / "cache"), "BRAIN_NOW": "2026-10-27T12:00:00Z", "SUPERMEMORY_API_KEY": "k-1"}
    return make_brain(f"sqlite:{folder / 'memory.db'}", environment=settings | environment)


def closed_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/"


def test_an_entry_is_sent_in_agent_brains_form(tmp_path: Path) -> None:
    with Service() as service:
        with brain_at(tmp_path, SUPERMEMORY_API_URL=service.url) as brain:
            added = brain.add(Said("fact", "Tea is at four", tags="House.Rules,a b", context="home")).memory
        [(headers, body)] = service.requests
    assert headers["authorization"] == "Bearer k-1"
    assert headers["content-type"] == "application/json"
    assert body["customId"] == f"agent_brain_{added.id}"
    assert body["containerTags"] == ["agent-brain", "fact", "house-rules", "a-b"]
    assert json.loads(body["content"]) == {
        "origin": "agent-brain", "entry_id": added.id, "type": "fact", "content": "Tea is at four", "source": "user",
        "source_url": None, "tags": ["House.Rules", "a b"], "context": "home", "created": "2026-10-27T12:00:00Z",
        "confidence": "sure", "session_id": None, "correction_meta": None,
    }  # fmt: skip


def test_corrections_and_what_the_loop_adds_are_sent_and_nothing_else(tmp_path: Path) -> None:
    with Service() as service:
        with brain_at(tmp_path, SUPERMEMORY_API_URL=service.url) as brain:
            wrong = brain.add(Said("fact", "The API speaks REST")).memory
            other = brain.add(Said("fact", "The API is public")).memory
            brain.correct(wrong.id, "The API speaks gRPC")
            brain.succeed(other.id)
            brain.touch([other.id])
        sent = [json.loads(body["content"])["content"] for _, body in service.requests]
    assert sent == ["The API speaks REST", "The API is public", "The API speaks gRPC"]


def test_a_refused_secret_and_a_rehearsal_are_not_sent(tmp_path: Path) -> None:
    with Service() as service:
        with brain_at(tmp_path, SUPERMEMORY_API_URL=service.url) as brain:
            with pytest.raises(SecretRefused):
                brain.add(Said("fact", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"))
            brain.rehearsal().add(Said("fact", "Only rehearsed"))
        assert service.requests == []


@pytest.mark.parametrize("sync", ["0", "false", "no", "OFF"])
def test_off_is_off(tmp_path: Path, sync: str) -> None:
    assert read_mirror({"SUPERMEMORY_API_KEY": "k", "AGENT_BRAIN_SUPERMEMORY_SYNC": sync}, warn=print) is None


def test_without_a_key_nothing_is_sent_and_only_on_says_so() -> None:
    said: list[str] = []
    assert read_mirror({"AGENT_BRAIN_SUPERMEMORY_DEBUG": "1"}, warn=said.append) is None
    assert said == []
    read_mirror({"AGENT_BRAIN_SUPERMEMORY_SYNC": "on"}, warn=said.append)
    assert said == []
    read_mirror({"AGENT_BRAIN_SUPERMEMORY_SYNC": "on", "AGENT_BRAIN_SUPERMEMORY_DEBUG": "1"}, warn=said.append)
    assert said == ["SuperMemory sync warning: SUPERMEMORY_API_KEY is not set; nothing is sent"]


@pytest.mark.parametrize("text", ["abc", "-1", "nan", "inf", "0"])
def test_a_timeout_that_is_none_is_told_and_the_usual_one_taken(text: str) -> None:
    said: list[str] = []
    environment = {"SUPERMEMORY_API_KEY": "k", "AGENT_BRAIN_SUPERMEMORY_TIMEOUT": text}
    mirror = read_mirror(environment | {"AGENT_BRAIN_SUPERMEMORY_DEBUG": "yes"}, warn=said.append)
    assert mirror is not None
    assert [f"{DEFAULT_SECONDS:g} is taken" in line for line in said] == [True]


@pytest.mark.parametrize("status", [302, 401, 500])
def test_a_service_that_refuses_fails_nothing(tmp_path: Path, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    with (
        Service(answer=lambda _: (status, {"error": "no"})) as service,
        brain_at(tmp_path, SUPERMEMORY_API_URL=service.url, AGENT_BRAIN_SUPERMEMORY_DEBUG="1") as brain,
    ):
        assert brain.add(Said("fact", "Kept all the same")).created
    assert len(service.requests) == 1
    assert capsys.readouterr().err == f"SuperMemory sync warning: the service answered {status}\n"


def test_a_service_that_is_not_there_fails_nothing(tmp_path: Path) -> None:
    with brain_at(tmp_path, SUPERMEMORY_API_URL=closed_port()) as brain:
        assert brain.add(Said("fact", "Kept all the same")).created


def test_a_service_that_never_answers_holds_nobody_up_for_longer_than_the_timeout(tmp_path: Path) -> None:
    with Service(hold=threading.Event()) as service:
        brain = brain_at(tmp_path, SUPERMEMORY_API_URL=service.url, AGENT_BRAIN_SUPERMEMORY_TIMEOUT="0.3")
        begun = time.monotonic()
        brain.add(Said("fact", "One"))
        brain.add(Said("fact", "Two"))
        assert [memory.content for memory in brain.entries()] == ["One", "Two"]
        brain.close()
        assert time.monotonic() - begun < 10


def test_the_command_says_that_it_stored_before_the_mirror_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Service() as service:
        monkeypatch.setenv("SUPERMEMORY_API_URL", service.url)
        monkeypatch.setenv("SUPERMEMORY_API_KEY", "k")
        monkeypatch.setenv("MEMORY_DIR", str(tmp_path))
        monkeypatch.setenv("AGENT_BRAIN_SUPERMEMORY_TIMEOUT", "abc")
        [said] = perform(read_steps("$ brain add fact 'Tea is at four'")[0], folder=tmp_path)
        assert said.startswith("Added: ")
        perform(read_steps("$ brain add fact 'Only rehearsed' --dry-run")[0], folder=tmp_path)
        assert [json.loads(body["content"])["content"] for _, body in service.requests] == ["Tea is at four"]


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://api.example.org/x", True),
        ("http://127.0.0.1:9/x", True),
        ("http://localhost:9/x", True),
        ("http://api.example.org/x", False),
        ("ftp://127.0.0.1/", False),
        ("https://[::1", False),
        ("https://host:port/", False),
        ("", False),
    ],
)
def test_a_key_travels_only_to_an_address_that_is_one_and_never_in_clear(url: str, fine: bool) -> None:
    assert (fault_of(url, "key") == "") is fine
    assert fault_of(url, "ke\ny") != ""


def test_eight_tags_at_most_each_plain() -> None:
    tags = tuple(f"Tag {n}!" for n in range(10))
    sent = document_of(Memory("x", "y", kind="fact", tags=("--", "fact", *tags)))["containerTags"]
    assert sent == ["agent-brain", "fact", "tag-0", "tag-1", "tag-2", "tag-3", "tag-4", "tag-5"]


def test_closing_what_never_sent_waits_for_nothing() -> None:
    SuperMemory("https://127.0.0.1:1/", "k").close()
