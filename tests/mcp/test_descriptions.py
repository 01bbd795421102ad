"""What a client is told about the server: flat schemas, a fixed order, short descriptions with their words first."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from plainbrain.app.shipped import shipped_path
from plainbrain.faces.mcp.answers import CALLS
from plainbrain.faces.mcp.options import ServeOptions
from plainbrain.faces.mcp.replies import Options
from plainbrain.faces.mcp.server import describe_tool
from plainbrain.faces.mcp.tools import INSTRUCTIONS, TOOLS
from plainbrain.faces.mcp.worker import Worker

NAMES = [
    "brain_search",
    "brain_read",
    "brain_list",
    "brain_encode",
    "brain_link",
    "brain_supersede",
    "brain_validate",
    "brain_check",
]


def described(*names: str) -> list[dict[str, Any]]:
    worker = Worker(Options(names=names), {})
    return [describe_tool(tool, worker).model_dump(by_alias=True, exclude_none=True, mode="json") for tool in TOOLS]


def walk(value: object, depth: int = 0) -> Iterator[tuple[str, object, int]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key, item, depth
            yield from walk(item, depth + 1)
    elif isinstance(value, list):
        for item in value:
            yield from walk(item, depth)


def test_there_are_eight_tools_in_a_fixed_order() -> None:
    assert [tool["name"] for tool in described()] == NAMES == list(CALLS)
    assert described() == described()


def test_the_parameters_are_those_of_the_blueprint_and_for_paging() -> None:
    parameters = {tool["name"]: list(tool["inputSchema"]["properties"]) for tool in described()}
    required = {tool["name"]: tool["inputSchema"]["required"] for tool in described()}
    assert parameters == {
        "brain_search": ["query", "k", "cortex", "include_superseded", "explain", "offset"],
        "brain_read": ["id", "offset"],
        "brain_list": ["cortex", "offset"],
        "brain_encode": [
            "title",
            "body",
            "cortex",
            "type",
            "description",
            "tags",
            "confidence",
            "links",
            "supersedes",
            "rationale",
            "rejected",
            "files",
        ],
        "brain_link": ["a", "b", "rel"],
        "brain_supersede": ["old", "new", "reason"],
        "brain_validate": ["id", "confidence"],
        "brain_check": ["text", "files", "k"],
    }
    assert required["brain_encode"] == ["title", "body", "cortex", "type"]
    assert required["brain_supersede"] == ["old", "new"]
    assert (required["brain_search"], required["brain_list"]) == (["query"], [])


@pytest.mark.parametrize("names", [(), ("work", "home")])
def test_schemas_are_flat(names: tuple[str, ...]) -> None:
    for tool in described(*names):
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            for key, value, _ in walk(schema):
                assert key not in {"$ref", "$defs", "oneOf", "anyOf", "allOf", "not", "if"}, tool["name"]
                if key == "type" and not isinstance(value, dict):
                    assert isinstance(value, str), f"{tool['name']}: one type each"


def test_with_several_brains_each_tool_lets_one_choose() -> None:
    for tool in described("work", "home"):
        chooser = tool["inputSchema"]["properties"]["brain"]
        assert (chooser["enum"], chooser["default"]) == (["work", "home"], "work")
        assert "brain" not in tool["inputSchema"]["required"]


def test_texts_are_short_and_begin_with_the_words_one_searches_by() -> None:
    assert len(INSTRUCTIONS.encode()) < 1000
    for tool in described():
        assert len(tool["description"].encode()) < 1000
        assert "memory" in tool["description"].split(".")[0].lower(), tool["name"]
    assert len(json.dumps(described())) < 12_000


def test_annotations_say_what_a_tool_does_to_the_notes() -> None:
    hints = {tool["name"]: tool["annotations"] for tool in described()}
    for name, hint in hints.items():
        assert hint["readOnlyHint"] is (name in {*NAMES[:3], "brain_check"})
        assert (hint["destructiveHint"], hint["openWorldHint"]) == (False, False)


def test_the_protocol_is_short_and_names_every_habit() -> None:
    text = shipped_path("templates/AGENTS.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 30
    for tool in NAMES:
        assert tool in text


def test_the_open_door_is_shut_unless_asked_for() -> None:
    assert (ServeOptions().http, ServeOptions().open_door) == (False, False)
