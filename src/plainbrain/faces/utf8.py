"""UTF-8 for file names, whatever the locale says: notes are named in any script."""

from __future__ import annotations

import os
import sys


def insist_on_utf8() -> None:
    """Start this process over in Python's UTF-8 mode when the locale could not write a file name such as ``größe.md``.

    To be called before anything is read, printed or opened. Does nothing where names are UTF-8 already.
    """
    known = sys.getfilesystemencoding().lower().replace("-", "") == "utf8" or bool(sys.flags.utf8_mode)
    if not known and os.name == "posix" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
