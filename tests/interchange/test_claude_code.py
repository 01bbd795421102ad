"""Claude Code's memory folders: an index with knowledge of its own, and the same name in two projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainbrain.app.intake import What
from plainbrain.model.memory import Memory
from tests.interchange.brains import KINDS, brain_at, bring_in, memories_of
from tests.interchange.test_tools import write

INDEX = """# Memory

Deploys happen on Mondays.

- [Testing](testing.md) — run them
- **[Ports](./topics/ports%20used.md#top)** - which are taken
- [[style]]: tabs
- [Gone](gone.md) — the port of staging is 9443
- See [Testing](testing.md) before a release.

## Staging

It listens on 9443.

### Who may

Ada only.

```sh
# no heading
- [Testing](testing.md)
```

## Index

- [Role](user_role.md)
"""
FILES = {
    "MEMORY.md": INDEX,
    "testing.md": "Run them.\n",
    "topics/ports used.md": "---\nname: Ports\ndescription: its own\n---\n8080\n",
    "style.md": "Tabs.\n",
    "user_role.md": "---\nname: Role\ntype: user\n---\nA pilot.\n",
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_index_says_itself_comes_over_by_section(kind: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", FILES)
    with brain_at(kind, tmp_path / "brain") as brain:
        report = bring_in(brain, folder)
        assert (report.form, report.counts) == ("claude-code", {What.ADDED: 6, What.PASSED: 1})
        assert report.items[0].why == "4 of its lines, which repeat the topic files"
        found = memories_of(brain)
        own, staging = found["memory-memory"], found["memory-staging"]
        assert (own.title, staging.title) == ("Memory", "Staging")
        assert "Mondays" in own.content
        assert "9443" in own.content
        assert "before a release" in own.content
        assert "run them" not in own.content
        assert staging.content.endswith("Ada only.\n\n```sh\n# no heading\n- [Testing](testing.md)\n```")
        assert (staging.provenance.origin, staging.provenance.trust) == ("import:claude-code", "unreviewed")
        assert [found[id].description for id in ("testing", "ports used", "style")] == ["run them", "its own", "tabs"]
        assert bring_in(brain, folder).counts == {What.THERE: 6, What.PASSED: 1}
        assert memories_of(brain) == found


@pytest.mark.parametrize("name", ["", "MEMORY.md"])
def test_a_folder_that_holds_only_the_index(name: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "notes", {"MEMORY.md": "Staging is on 9443.\n\n- [Role](user_role.md) — pilot\n"})
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, folder / name)
        assert (report.form, report.counts) == ("claude-code", {What.ADDED: 1})
        assert memories_of(brain)["memory"].content == "Staging is on 9443.\n\n- [Role](user_role.md) — pilot"


def test_an_index_that_says_nothing_is_passed(tmp_path: Path) -> None:
    with brain_at("ram", tmp_path / "brain") as brain:
        report = bring_in(brain, write(tmp_path / "notes", {"MEMORY.md": "# Memory\n\n## Index\n"}))
        assert (report.counts, report.items[0].why) == ({What.PASSED: 1}, "the index, which says nothing")


def two_projects(folder: Path) -> Path:
    return write(
        folder / "projects",
        {
            "-Users-me-a/memory/MEMORY.md": "## Ports\n\n8080\n",
            "-Users-me-a/memory/user_role.md": "---\nname: Role\n---\nA pilot.\n",
            "-Users-me-b/memory/MEMORY.md": "## Ports\n\n9090\n",
            "-Users-me-b/memory/user_role.md": "---\nname: Role\n---\nA gardener.\n",
        },
    )


def told(found: dict[str, Memory]) -> dict[str, tuple[str, str, str]]:
    return {id: (memory.cortex, memory.context, memory.content) for id, memory in found.items()}


WANTED = {
    "user_role": ("Users-me-a", "-Users-me-a", "A pilot."),
    "user_role-in-users-me-b": ("Users-me-b", "-Users-me-b", "A gardener."),
    "memory-ports": ("Users-me-a", "-Users-me-a", "8080"),
    "memory-ports-in-users-me-b": ("Users-me-b", "-Users-me-b", "9090"),
}


def test_the_same_name_in_two_projects_is_two_memories(tmp_path: Path) -> None:
    folder = two_projects(tmp_path)
    with brain_at("vault", tmp_path / "at-once") as brain:
        assert bring_in(brain, folder).counts == {What.ADDED: 4}
        assert told(memories_of(brain)) == WANTED
        assert bring_in(brain, folder).counts == {What.THERE: 4}
    with brain_at("vault", tmp_path / "one-by-one") as brain:
        for name in ("-Users-me-a", "-Users-me-b"):
            assert bring_in(brain, folder / name / "memory").counts == {What.ADDED: 2}
        assert told(memories_of(brain)) == WANTED
        assert bring_in(brain, folder).counts == {What.THERE: 4}
    with brain_at("vault", tmp_path / "the-other-first") as brain:
        bring_in(brain, folder / "-Users-me-b" / "memory")
        assert bring_in(brain, folder).counts == {What.THERE: 2, What.ADDED: 2}


def test_the_times_and_the_session_that_a_note_tells(tmp_path: Path) -> None:
    files = {
        "MEMORY.md": "",
        "a.md": "---\nname: A\ndate: 2026-03-04\nmodified: 2026-03-05\n---\nx\n",
        "b.md": "---\nname: B\nmetadata:\n  type: user\n  originSessionId: s1\n  createdAt: 2026-03-06\n---\nx\n",
        "c.md": "---\nname: C\ndate: soon\n---\nx\n",
    }
    with brain_at("ram", tmp_path / "brain") as brain:
        bring_in(brain, write(tmp_path / "notes", files))
        found = memories_of(brain)
        times = {id: [at and at.iso() for at in (memory.created, memory.updated)] for id, memory in found.items()}
        assert times == {"a": ["2026-03-04", "2026-03-05"], "b": ["2026-03-06", None], "c": [None, None]}
        assert found["b"].provenance.sessions == ("s1",)
        assert found["a"].extra["date"] == "2026-03-04"
