"""How an error shows outside: one table from its code to an exit status, an HTTP status and a word for tools.

Exit statuses: 0 done, 1 not done (unknown id, conflict, refusal), 2 the call itself is wrong, 3 the store
cannot be used now, 4 an optional part is missing, 130 interrupted.
"""

from __future__ import annotations

from plainbrain.errors import BrainError
from plainbrain.records import record


@record(frozen=True, slots=True)
class Outcome:
    """How one error code shows outside. ``retry`` says that the same call may succeed later."""

    exit_status: int
    http_status: int
    retry: bool = False


OUTCOMES = {
    "error": Outcome(1, 500),
    "bad-input": Outcome(1, 400),
    "invalid-field": Outcome(1, 400),
    "invalid-id": Outcome(1, 400),
    "unreadable": Outcome(1, 422),
    "not-found": Outcome(1, 404),
    "ambiguous": Outcome(1, 409),
    "conflict": Outcome(1, 409),
    "changed": Outcome(1, 409, retry=True),
    "already-exists": Outcome(1, 409),
    "cycle": Outcome(1, 409),
    "refused": Outcome(1, 403),
    "secret": Outcome(1, 403),
    "untrusted": Outcome(1, 403),
    "out-of-bounds": Outcome(1, 403),
    "store": Outcome(3, 500),
    "busy": Outcome(3, 503, retry=True),
    "read-only": Outcome(3, 403),
    "no-room": Outcome(3, 507),
    "partly-done": Outcome(3, 507),
    "damaged": Outcome(3, 500),
    "no-brain": Outcome(3, 404),
    "gone": Outcome(3, 503),
    "settings": Outcome(2, 400),
    "unavailable": Outcome(4, 503),
}


def outcome_of(error: BrainError) -> Outcome:
    """Return how an error shows outside."""
    return OUTCOMES[error.code]


def tell(error: BrainError) -> str:
    """Return the error as a person reads it: what is wrong, and on a second line what to do."""
    return f"{error.message}\n  {error.hint}" if error.hint else error.message
