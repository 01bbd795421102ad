"""What was done to a store that an older program wrote, as a value that a face can print."""

from __future__ import annotations

import os

from plainbrain.files.atomic import discard, publish, sweep_left, write_temp
from plainbrain.files.beneath import Folder
from plainbrain.model.problem import Problem
from plainbrain.records import record


@record(frozen=True, slots=True)
class Migration:
    """Tell how many entries were carried over, where the old form is kept, and what could not be read.

    ``lines`` are agent-brain's own words for it, to be printed before a command's output.
    """

    count: int
    backup: str
    lines: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def keep_backup(folder: Folder, data: bytes, name: str, *, like: os.stat_result | None) -> str:
    """Write ``data``, on the disk, under the first free name of ``name``, ``name.1`` …; return it. Raise OSError.

    An older backup is never overwritten.
    """
    number = 0
    while True:
        target = f"{name}.{number}" if number else name
        temp = write_temp(folder, data, like=like)
        sweep_left(folder, folder.stat(temp).st_mtime)  # of a migration that was killed
        try:
            publish(folder, temp, target)
        except FileExistsError:
            discard(folder, temp)
            number += 1
            continue
        except BaseException:
            discard(folder, temp)
            raise
        folder.sync()
        return target
