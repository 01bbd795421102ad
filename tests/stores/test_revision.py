"""The revision of a memory: the same for the same knowledge, today as when it was first written down."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings

from plainbrain.model.instants import Instant
from plainbrain.model.memory import Dynamics, Memory, Usage
from plainbrain.stores.revision import revision_of
from plainbrain.testing.builders import full_memory
from plainbrain.testing.strategies import memories


def without_unsaid(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_unsaid(item) for key, item in value.items() if item not in (None, "", (), {})}
    return [without_unsaid(item) for item in value] if isinstance(value, (tuple, list)) else value


def plainly(memory: Memory) -> str:
    """The same by the simplest means; for memories without a vector, whose mappings hold nothing empty."""
    found = without_unsaid(asdict(replace(memory, usage=Usage(), embedding=None)))
    found |= {name: {} for name in ("confidence", "provenance") if name not in found}
    text = json.dumps(found, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=16).hexdigest()


@settings(max_examples=150, deadline=None)
@given(memories())
def test_a_revision_is_the_hash_of_what_is_said(memory: Memory) -> None:
    bare = replace(memory, embedding=None, metadata={}, extra={}, correction=None)
    assert revision_of(bare) == plainly(bare)
    assert revision_of(memory) == revision_of(replace(memory, usage=Usage(accesses=9)))


def test_a_memory_without_a_word_has_the_hash_of_its_id_and_the_unsaid_parts() -> None:
    assert revision_of(Memory("m")) == plainly(Memory("m")) == revision_of(Memory("m", dynamics=Dynamics()))


PINNED = [
    (Memory("m"), "ff890084f4be0341b110d2b2fe667d2c"),
    (
        Memory("m", "text", created=Instant(0), ttl_seconds=0.0, metadata={"a": [], "b": None, "c": {}}),
        "b384693c8e4f0f2242570263e3b96460",
    ),
    (Memory("m", embedding=(0.5, -0.0, 1.0)), "e3d1076ee77be28aeb1978d72cfae927"),
    (full_memory(), "1bc174f2cd65ea21c62ef6a6776a4750"),
]


@pytest.mark.parametrize(("memory", "revision"), PINNED)
def test_revisions_that_were_written_down_stay(memory: Memory, revision: str) -> None:
    assert revision_of(memory) == revision


def test_it_is_the_same_whatever_holds_the_values() -> None:
    held = Memory("m", metadata={"a": {"b": [1]}}, extra={})
    other = Memory("m", metadata=MappingProxyType({"a": MappingProxyType({"b": (1,)})}), extra=MappingProxyType({}))
    assert revision_of(held) == revision_of(other)
