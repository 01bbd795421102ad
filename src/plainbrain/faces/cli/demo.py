"""The command that shows the main job on a temporary brain."""

from __future__ import annotations

from plainbrain.app import models
from plainbrain.errors import BrainError
from plainbrain.faces.cli.call import Call, command, say

_QUESTION = "where does the cat sleep?"
_TEXTS = (
    "Our kitten likes to nap on the windowsill.",
    "The central bank raised interest rates again.",
    "We ship new versions to production every Thursday.",
)


@command("demo")
def demo_command(call: Call) -> None:
    """Recall, encode, contradict, supersede, edit by hand and recall again, each step shown and checked.

    Works on a temporary copy of the example brain, through an MCP client and a server of its own. Where a model is
    installed, it is tried as well.
    """
    # Loaded here: the SDK is heavy, and no other command needs it.
    from plainbrain.faces.mcp.demo import run_demo

    _try_model(call)
    run_demo(say)


def _try_model(call: Call) -> None:
    """Show that the model finds what a question means. Raise BrainError when it does not."""
    found = models.likeness(call.settings(), _QUESTION, _TEXTS)
    if found is None:
        say("No model is installed, so recall went by words alone: brain model install gets one.")
        return
    say(f"The model, asked: {_QUESTION}")
    for text, cosine in sorted(zip(_TEXTS, found, strict=True), key=lambda one: -one[1]):
        say(f"  {cosine:5.2f}  {text}")
    say()
    if max(found) != found[0]:
        raise BrainError(
            "the model does not know what a cat is", hint="choose another: brain model use all-MiniLM-L6-v2"
        )
