"""The command that shows the main job on a temporary brain."""

from __future__ import annotations

from plainbrain.faces.cli.call import Call, command, say


@command("demo")
def demo_command(call: Call) -> None:
    """Recall, encode, contradict, supersede, edit by hand and recall again, each step shown and checked.

    Works on a temporary copy of the example brain, through an MCP client and a server of its own.
    """
    # Loaded here: the SDK is heavy, and no other command needs it.
    from plainbrain.faces.mcp.demo import run_demo

    run_demo(say)
