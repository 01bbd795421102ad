"""A vault that a new process opens with what an earlier one remembered: the same is told as by going through every note."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainbrain.errors import NotFound
from plainbrain.model.change import Put, Remove, Use
from plainbrain.model.memory import Memory
from plainbrain.ports import Changes, Mark, Seen, Sources
from plainbrain.stores.vault import VaultStore
from plainbrain.stores.vault.reading import signature_of
from plainbrain.testing.builders import NOON

NAMES = ["a.md", "b.md", "Ä.md", "deep/a.md", "deep/er/c.md", "d.md", "deep/d.md"]
TEXTS = [
    "plain\n",
    "---\nid: a\n---\nsays a\n",
    "---\nid: über\n---\nx\n",
    "---\nid: [broken\n",
    "",
    "<<<<<<< a\n",
    "x/y\n",
]
steps = st.lists(
    st.tuples(st.sampled_from(["write", "remove", "touch", "rename", "link", "folder"]), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    max_size=6,
)  # fmt: skip


def as_sources(seen: Mapping[str, Seen]) -> Sources:
    """Return what is remembered as the index gives it."""
    plain = {
        one.locator: (one.signature, one.ids[0]) for one in seen.values() if len(one.ids) == 1 and not one.problems
    }
    return Sources(plain, {locator: one for locator, one in seen.items() if locator not in plain})


def carry_out(root: Path, step: tuple[str, str, str]) -> None:
    what, name, text = step
    path = root / name
    if what == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    elif what == "folder":
        (root / "new" / "one").mkdir(parents=True, exist_ok=True)
        (root / "new" / "one" / path.name).write_text(text)
    elif what == "link":
        if not os.path.lexists(root / "link.md"):
            (root / "link.md").symlink_to("a.md")
    elif path.exists():
        if what == "remove":
            path.unlink()
        elif what == "touch":
            os.utime(path, ns=(1, 1))
        else:
            path.rename(path.with_name("renamed.md"))


def told(changes: Changes) -> tuple[object, ...]:
    stored = sorted((one.memory.id, one.revision, one.locator) for one in changes.stored)
    # Whether a change is young enough to be looked at again ("~") depends on when one looks.
    seen = sorted((one.locator, one.signature.replace("~", ""), one.ids, one.problems) for one in changes.seen)
    return (
        stored,
        sorted(changes.gone),
        seen,
        sorted(changes.unseen),
        changes.used,
        changes.problems,
        changes.everything,
    )


def age(root: Path) -> None:
    """Have every note be of long ago, so that its time tells of the next change."""
    for path in root.rglob("*.md"):
        os.utime(path, ns=(10**18, 10**18), follow_symlinks=False)


@settings(max_examples=150, deadline=None)
@given(steps, steps)
def test_what_changed_is_told_as_by_going_through_everything(before: list[tuple[str, str, str]], after: list[tuple[str, str, str]]) -> None:  # fmt: skip
    with TemporaryDirectory() as place:
        root = Path(place)
        for step in before:
            carry_out(root, step)
        age(root)
        first = VaultStore(root)
        changes = first.changes_since(Mark())
        seen = {one.locator: replace(one, signature=one.signature.replace("~", "")) for one in changes.seen}
        first.close()
        for step in after:
            carry_out(root, step)
        slow, quick = VaultStore(root), VaultStore(root)
        expected = slow.changes_since(Mark(changes.token, seen))
        found = quick.changes_since(Mark(changes.token, as_sources(seen)))
        assert told(found) == told(expected)
        ids = [id for id, _ in slow.listing()]
        asked = [*ids, "nobody", "ÜBER", "uber"]
        assert quick.get_many(asked) == slow.get_many(asked)
        assert sorted(quick.listing()) == sorted(slow.listing())
        assert sorted(p.message for p in quick.problems()) == sorted(p.message for p in slow.problems())
        slow.close()
        quick.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for n in range(5):
        (tmp_path / f"note-{n}.md").write_text(f"text {n}\n")
    age(tmp_path)
    return tmp_path


def remembered(root: Path) -> tuple[str, Sources]:
    store = VaultStore(root)
    changes = store.changes_since(Mark())
    store.close()
    return changes.token, as_sources(
        {o.locator: replace(o, signature=o.signature.replace("~", "")) for o in changes.seen}
    )


def test_nothing_is_made_of_what_did_not_change(root: Path) -> None:
    token, seen = remembered(root)
    store = VaultStore(root)
    changes = store.changes_since(Mark(token, seen))
    assert (list(changes.stored), changes.seen, changes.gone, changes.unseen) == ([], (), (), ())
    assert store.get("note-3").memory.content == "text 3"
    assert list(store.get_many(["note-1", "note-4"])) == ["note-1", "note-4"]
    assert store._shelf.asleep is seen
    with pytest.raises(NotFound):
        store.get("note-9")


def test_what_comes_later_is_noticed_and_written(root: Path) -> None:
    token, seen = remembered(root)
    store = VaultStore(root)
    token = store.changes_since(Mark(token, seen)).token
    (root / "note-0.md").write_text("another text\n")
    (root / "new.md").write_text("new\n")
    (root / "note-1.md").unlink()
    changes = store.changes_since(Mark(token, seen))
    assert {one.memory.id for one in changes.stored} == {"note-0", "new"}
    assert (changes.gone, changes.unseen) == (("note-1",), ("note-1.md",))


def test_a_store_that_only_remembers_can_be_written_to(root: Path) -> None:
    token, seen = remembered(root)
    store = VaultStore(root)
    store.changes_since(Mark(token, seen))
    known = store.get("note-2")
    store.apply([Put(replace(known.memory, content="changed"), known.revision), Remove("note-3")])
    store.apply([Put(Memory("note-9", "the last", title="Note 9"))])
    store.record([Use("note-4", NOON, accesses=2), Use("nobody", NOON, accesses=1)])
    assert store.get("note-4").memory.usage.accesses == 2
    assert sorted(id for id, _ in store.listing()) == ["note-0", "note-1", "note-2", "note-4", "note-9"]
    assert store.get("note-2").memory.content == "changed"


def test_the_form_of_a_signature_is_the_one_that_a_glance_compares(root: Path) -> None:
    found = os.stat(root / "note-0.md")
    facts = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    _, seen = remembered(root)
    assert seen.plain["note-0.md"][0].startswith(signature_of(facts) + ":")


def test_sources_are_a_mapping_of_what_was_seen() -> None:
    odd = Seen("b.md", "s2", (), ())
    seen = Sources({"a.md": ("s1", "a")}, {"b.md": odd})
    assert dict(seen) == {"a.md": Seen("a.md", "s1", ("a",)), "b.md": odd}
    assert (len(seen), "a.md" in seen, "c.md" in seen, seen.owner("a"), seen.owner("b")) == (
        2,
        True,
        False,
        "a.md",
        None,
    )
    with pytest.raises(KeyError):
        seen["c.md"]
