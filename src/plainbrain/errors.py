"""Every error that Plainbrain raises on purpose, in one tree.

::

    BrainError
    ├── InputError            what was asked cannot be meant
    │   ├── InvalidField      a value that a field cannot hold
    │   ├── InvalidId         an id that we would not write
    │   └── Unreadable        a text that is not of the form it claims
    ├── NotFound              no memory of that id
    │   └── Ambiguous         a name that several memories answer to
    ├── Conflict              the store is not as the caller thought
    │   ├── Changed           somebody wrote it since it was read
    │   ├── AlreadyExists     the id is taken
    │   └── Cycle             a chain of supersession would bite its tail
    ├── Refused               a rule says no
    │   ├── SecretRefused     the text holds a credential
    │   ├── Untrusted         the origin may not do this
    │   └── OutOfBounds       a path that leaves the brain
    ├── StoreError            the store cannot do it now
    │   ├── Busy              another process holds the lock
    │   ├── ReadOnly          it cannot be written
    │   ├── NoRoom            the disk or the quota is full
    │   ├── PartlyDone        the change stands, what goes with it is missing
    │   ├── Damaged           it holds something that is not whole
    │   └── NoBrain           there is no brain at that place
    │       └── Gone          there was one a moment ago
    ├── SettingsError         a setting that makes no sense
    └── Unavailable           an optional part is not installed or not reachable

Each class has a stable ``code``; each instance says what is wrong (``str(error)``), with which
``value``, and what to do next (``hint``). ``faces/outcomes.py`` turns codes into exit statuses,
HTTP statuses and tool errors.
"""

from __future__ import annotations

from typing import ClassVar


class BrainError(Exception):
    """Say what went wrong, with which value, and what to do next."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, value: object = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.value = value
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.__dict__.copy()))


def _rebuild(kind: type[BrainError], state: dict[str, object]) -> BrainError:
    error = kind.__new__(kind, state["message"])
    error.__dict__.update(state)
    return error


class InputError(BrainError):
    code = "bad-input"


class InvalidField(InputError):
    code = "invalid-field"


class InvalidId(InputError):
    code = "invalid-id"


class Unreadable(InputError):
    """A text that is not of the form it claims; ``path`` and ``line`` (from 1) say where."""

    code = "unreadable"

    def __init__(self, message: str, *, value: object = None, hint: str = "", path: str = "", line: int = 0) -> None:
        super().__init__(message, value=value, hint=hint)
        self.path = path
        self.line = line


class NotFound(BrainError):
    """No memory of that id; ``candidates`` are ids that look alike, best first."""

    code = "not-found"

    def __init__(self, message: str, *, value: object = None, hint: str = "", candidates: tuple[str, ...] = ()) -> None:
        super().__init__(message, value=value, hint=hint)
        self.candidates = candidates


class Ambiguous(NotFound):
    code = "ambiguous"


class Conflict(BrainError):
    code = "conflict"


class Changed(Conflict):
    code = "changed"


class AlreadyExists(Conflict):
    code = "already-exists"


class Cycle(Conflict):
    code = "cycle"


class Refused(BrainError):
    code = "refused"


class SecretRefused(Refused):
    """The text holds a credential; ``rule`` names which rule saw it, the text is never repeated."""

    code = "secret"

    def __init__(self, message: str, *, rule: str, hint: str = "") -> None:
        super().__init__(message, value=rule, hint=hint)
        self.rule = rule


class Untrusted(Refused):
    code = "untrusted"


class OutOfBounds(Refused):
    code = "out-of-bounds"


class StoreError(BrainError):
    code = "store"


class Busy(StoreError):
    code = "busy"


class ReadOnly(StoreError):
    code = "read-only"


class NoRoom(StoreError):
    code = "no-room"


class PartlyDone(StoreError):
    """What was asked stands in the store, and what goes with it (``missing``: the journal, say) could not be written.

    ``revisions`` are those of the changes, where they are known. The same call must not be made again.
    """

    code = "partly-done"

    def __init__(
        self, message: str, *, value: object = None, hint: str = "", missing: str = "", revisions: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, value=value, hint=hint)
        self.missing = missing
        self.revisions = revisions


class Damaged(StoreError):
    code = "damaged"


class NoBrain(StoreError):
    code = "no-brain"


class Gone(NoBrain):
    code = "gone"


class SettingsError(BrainError):
    code = "settings"


class Unavailable(BrainError):
    code = "unavailable"
