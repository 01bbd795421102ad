"""A vault under git: what a pull, a merge or a rebase left to be done, and which files belong in the repository.

Owns the words. Looks at git's files only; changes nothing, since how a merge ends is for a person to say.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from plainbrain.files.git import Index, Repository, Unreadable, find_repository, read_index, under_way
from plainbrain.model.problem import Problem
from plainbrain.ports import Store

_HOME = ".brain"
#: What in our own folder is of one machine alone. The journal is for all.
_OWN = ("lock", "values.json", "intent", "history", "machine-")
_JOURNAL = f"{_HOME}/journal"
#: Lines of a ``.gitignore`` by which the journal is left out with all of our folder. Who names the journal means it: a vault that
#: is published leaves it out.
_HIDING = frozenset({_HOME, f"{_HOME}/", f"/{_HOME}", f"/{_HOME}/", f"{_HOME}/*", f"{_HOME}/**", f"/{_HOME}/*", ".*", ".*/", f"**/{_HOME}", f"**/{_HOME}/"})  # fmt: skip
_MERGING, _OPEN, _TRACKED, _LEFT_OUT, _UNREAD = (
    "git-under-way",
    "git-unmerged",
    "git-tracked",
    "git-ignored",
    "git-unreadable",
)
_ENDING = {
    "merge": ("git commit", "git merge --abort"),
    "rebase": ("git rebase --continue", "git rebase --abort"),
    "cherry-pick": ("git cherry-pick --continue", "git cherry-pick --abort"),
    "revert": ("git revert --continue", "git revert --abort"),
    "am": ("git am --continue", "git am --abort"),
}
_ANCESTOR, _OURS, _THEIRS = 1, 2, 3


def problems_of_merges(store: Store) -> Iterator[Problem]:
    """Yield what git left to be done in a folder of notes; nothing for other stores and outside of a repository."""
    if not store.traits.folder:
        return
    try:
        repository = find_repository(Path(store.url.partition(":")[2]))
        if repository is None:
            return
        index = read_index(repository)
    except Unreadable as error:
        yield Problem(_UNREAD, str(error), "", hint="see what is wrong with it: git status")
        return
    except OSError as error:
        yield Problem(
            _UNREAD,
            f"the repository cannot be read: {error.strerror}",
            "",
            hint="see what is wrong with it: git status",
        )
        return
    what = under_way(repository)
    if what and index.tracked:
        yield _unfinished(what, index)
    yield from _open(index, what)
    yield from _misplaced(index)
    yield from _left_out(repository)


def _unfinished(what: str, index: Index) -> Problem:
    on, back = _ENDING[what]
    first = "settle the files below and `git add` them, then " if index.unmerged else ""
    message = "git am is under way" if what == "am" else f"a {what} of git is under way"
    return Problem(_MERGING, message, "", hint=f"{first}go on: {on}; or take it all back: {back}")


def _open(index: Index, what: str) -> Iterator[Problem]:
    for path, stages in index.unmerged.items():
        if what in ("rebase", "am"):
            # There git calls the branch that one's own work is put on this side, and the work the other.
            stages = frozenset({_OURS: _THEIRS, _THEIRS: _OURS}.get(stage, stage) for stage in stages)
        message, hint = _told(path, stages)
        yield Problem(_OPEN, message, path, hint=hint)


def _told(path: str, stages: frozenset[int]) -> tuple[str, str]:
    """Return what happened to a path on the two sides, and what to do."""
    name = shlex.quote(path)
    add, remove = f"git add {name}", f"git rm {name}"
    if path.startswith(f"{_JOURNAL}/"):
        return "both sides wrote to the journal", f"keep the lines of both, take the marks of the merge out, then {add}"
    if _OURS in stages and _THEIRS in stages:
        if _ANCESTOR not in stages:
            return (
                "both sides added a note of this name",
                f"make one text of both, or give one of them another name; then {add}",
            )
        return (
            "it was changed on both sides, and git could not put the changes together",
            f"make one text of it, then {add}",
        )
    if _OURS in stages and _ANCESTOR in stages:
        return "it was changed here and removed on the other side", f"keep it: {add}; or let it go: {remove}"
    if _THEIRS in stages and _ANCESTOR in stages:
        return "it was removed here and changed on the other side", f"take it back: {add}; or let it go: {remove}"
    if stages == {_ANCESTOR}:
        return "both sides removed or renamed it", f"let the old name go: {remove}"
    side = "this side" if _OURS in stages else "the other side"
    return f"it is new by {side}, which renamed it otherwise than the other", f"keep it: {add}; or let it go: {remove}"


def _misplaced(index: Index) -> Iterator[Problem]:
    for path in sorted(index.tracked):
        home, _, rest = path.partition("/")
        if home == _HOME and (rest.startswith(_OWN) or rest.endswith(".brain-tmp")):
            hint = f"let git forget it, the file stays: git rm --cached {shlex.quote(path)}"
            yield Problem(_TRACKED, "this file is of one machine alone, and git hands it to all", path, hint=hint)


def _left_out(repository: Repository) -> Iterator[Problem]:
    place = repository.root / repository.within
    if not (place / _JOURNAL).is_dir():
        return
    for file in (place / ".gitignore", repository.root / ".gitignore", repository.folder / "info" / "exclude"):
        for number, line in enumerate(_lines(file), 1):
            if line.strip() in _HIDING:
                where = file.relative_to(place).as_posix() if file.is_relative_to(place) else str(file)
                hint = (
                    f"take the line out: {_HOME}/.gitignore names what is of one machine alone; "
                    f"where the notes are published, write {_JOURNAL}/ in its place"
                )
                message = "it leaves the journal out of git: what other machines did is not known here"
                yield Problem(_LEFT_OUT, message, where, number, hint)
                return


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []  # there is none
