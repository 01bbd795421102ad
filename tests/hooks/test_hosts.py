"""The forms of the hosts: every layout is told by its keys, and every answer is one that its host takes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainbrain.app import hosts as places
from plainbrain.faces.hooks import hosts
from plainbrain.faces.hooks.hosts import read_event, units, write_answer
from tests.hooks import layouts

LAYOUTS = {"claude-code": layouts.claude_code, "codex": layouts.codex, "cursor": layouts.cursor}


@pytest.mark.parametrize("host", LAYOUTS)
@pytest.mark.parametrize("event", hosts.EVENTS)
def test_each_host_is_told_by_its_keys(host: str, event: str) -> None:
    found = read_event(LAYOUTS[host](event, session="one", cwd="/work"))
    assert (found.session, found.folder, found.problem) == ("one", "/work", "")
    # Claude Code names its model at the start as well: there the two are answered alike.
    assert found.host == ("claude-code" if (host, event) == ("codex", "session-start") else host)
    assert read_event(LAYOUTS[host](event), host="codex").host == "codex"


def test_what_is_said_is_read_under_every_name() -> None:
    assert read_event(b'{"prompt": "a"}').prompt == read_event(b'{"user_prompt": "a"}').prompt == "a"
    assert read_event(b'{"last_assistant_message": "a"}').reply == read_event(b'{"text": "a"}').reply == "a"
    assert read_event(b'{"stop_hook_active": true}').in_stop_hook
    assert not read_event(b'{"stop_hook_active": "no"}').in_stop_hook


@pytest.mark.parametrize("form", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_an_event_is_read_in_every_form_of_unicode(form: str) -> None:
    assert read_event('{"prompt": "größe 日本"}'.encode(form)).prompt == "größe 日本"


def test_half_a_character_and_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert read_event(b'{"prompt": "a \\ud83d b"}').prompt == "a ? b"
    assert read_event(b'{"prompt": "caf\xe9"}').prompt == "caf\ufffd"


@pytest.mark.parametrize(
    "data", [b"", b"  \n", b"{", b"[1]", b"null", b'"x"', b"\x00\xff\xfe", b"[" * 200_000, b'{"a":' * 99_999]
)
def test_what_is_no_event_is_an_empty_one(data: bytes) -> None:
    found = read_event(data)
    assert (found.session, found.prompt, bool(found.problem)) == ("", "", bool(data.strip()))


@given(st.binary(max_size=200))
def test_any_bytes_are_read(data: bytes) -> None:
    assert read_event(data).host in places.PLACES


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["prompt", "session_id", "cwd", "workspace_roots", "source", "text"]), inner
            )
        ),
    )
)
def test_values_of_any_kind_are_read(value: object) -> None:
    found = read_event(json.dumps(value).encode())
    found.session.encode()
    found.prompt.encode()


def test_answers_are_what_the_hosts_take() -> None:
    assert write_answer("text", host="claude-code", event="user-prompt") == "text"
    assert json.loads(write_answer("text", host="codex", event="session-start")) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "text"}
    }
    assert json.loads(write_answer("text", host="cursor", event="session-start")) == {"additional_context": "text"}


@pytest.mark.parametrize("host", places.PLACES)
def test_nothing_is_said_where_nothing_is_taken(host: str) -> None:
    assert write_answer("text", host=host, event="stop") == write_answer("text", host=host, event="pre-compact") == ""
    assert write_answer("", host=host, event="session-start") == ""
    assert write_answer("text", host="cursor", event="user-prompt") == ""


def test_length_is_counted_as_hosts_do() -> None:
    assert (units("abc"), units("é"), units("😀")) == (3, 1, 2)
