"""How an error reads to a model: what is wrong, what to send instead, and ids that may have been meant."""

from __future__ import annotations

import sys
import traceback

from plainbrain.errors import BrainError, NotFound
from plainbrain.faces.outcomes import outcome_of
from plainbrain.notation.prompt import show_harmless

#: What to do next, by code, where the command line's own hint is of no use to a model.
_HINTS = {
    "secret": "Nothing was stored. Leave the secret out and store where it lies instead.",
    "no-brain": "Nothing is remembered there yet. The first brain_encode makes it; if there should be notes, the server was started "
    "with the wrong folder: tell the user.",
    "gone": "It was there before: moved away, or its disk is not mounted. Nothing was written, and nothing can be recalled until it is "
    "back; then the same call works again. Tell the user.",
    "not-found": "Find the exact id with brain_search or brain_list, and send that.",
    "untrusted": "Ask the user to review the newer note first.",
    "read-only": "It can be read but not written: tell the user.",
    "already-exists": "Leave the id out, or supersede the other note.",
}


#: Words that begin a sentence. Any other first word may be a path, an id or a parameter's name, and stays as it is.
_OPENERS = """
a an the this there no nothing every several only others more which it if where to did cannot
write name give look use check keep bring say make see leave choose install take read let repeat split save remove set
convert export open run reinstall try switch mend start download fetch embed copy shorten supersede pipe put send
"""


def _begin(text: str) -> str:
    """Return a text as a sentence, its first letter a capital where that is a word of ours."""
    return text[:1].upper() + text[1:] if text.split(" ", 1)[0] in _OPENERS.split() else text


def explain(error: BrainError) -> str:
    """Return the error as a tool's answer."""
    candidates = error.candidates if isinstance(error, NotFound) else ()
    lines = [f"{_begin(error.message)}."]
    if candidates:
        lines.append("Did you mean one of these ids? " + ", ".join(candidates))
    elif hint := _HINTS.get(error.code, error.hint):
        # A command of a shell is of no use to who has the tools alone.
        lines.append(f"Tell the user: {hint}" if "brain doctor" in hint else _begin(hint))
    if outcome_of(error).retry:
        lines.append("Nothing was written. The same call may succeed in a moment: send it again.")
    return show_harmless("\n".join(lines))[:4_000]


def report_fault(error: Exception) -> str:
    """Tell standard error where an unforeseen error arose; return what to tell the model."""
    traceback.print_exception(error, file=sys.stderr)
    return f"This is a fault of the brain server, not of the call: {type(error).__name__}. Tell the user; its log says more."
