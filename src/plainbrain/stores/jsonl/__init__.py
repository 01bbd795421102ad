"""The store that is a log: one line for each mutation, replayed at opening, with many processes at once.

``segments`` knows the files a log is made of, ``state`` what their lines come to, ``follow`` reads on from where it
was, ``append`` writes, ``snapshot`` shortens the opening, ``compact`` the log, ``store`` is the whole.
"""

from plainbrain.stores.jsonl.store import JsonlStore

__all__ = ["JsonlStore"]
