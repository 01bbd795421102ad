"""Make the pages that are made from the code; ``--check`` tells whether they are up to date.

python -m docs.make [--check]
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path

import click

from plainbrain.faces.cli.main import SECTIONS, brain
from plainbrain.faces.mcp.arguments import INTEGER, LIST, Parameter
from plainbrain.faces.mcp.http import MAX_BODY, PATH
from plainbrain.faces.mcp.options import DEFAULT_PORT
from plainbrain.faces.mcp.pages import BUDGET
from plainbrain.faces.mcp.server import PROTOCOL_PROMPT
from plainbrain.faces.mcp.stdio import MAX_LINE
from plainbrain.faces.mcp.tools import INSTRUCTIONS, TOOLS
from plainbrain.faces.outcomes import OUTCOMES

HERE = Path(__file__).parent
_COMMON = {"store", "config", "as_json", "dry_run", "allow_secrets", "audit", "help"}


def cli_page() -> str:
    """Return docs/cli.md."""
    lines = [
        "# The command line",
        "",
        "Made from the code by `make docs`. Data goes to standard output, talk to standard error.",
        "",
        "Every command takes:",
        "",
        "| option | meaning |",
        "|---|---|",
        "| `--store URL` | the store: `vault:DIR`, `sqlite:FILE`, `json:FILE`, `jsonl:FILE`, a path, or a configured name |",
        "| `--config FILE` | the configuration file (TOML) |",
        "| `--json` | print JSON |",
        "| `--dry-run` | commands that write: show what would be done and write nothing |",
        "| `--allow-secrets` | commands that write: store even what looks like a credential |",
        "| `--audit jsonl:FILE` | commands that write: keep every change in this event log as well |",
        "",
        "A text that begins with a dash is taken as a text where no option has that name; after `--` everything is text.",
        "",
    ]
    context = click.Context(brain, info_name="brain", help_option_names=["-h", "--help"])
    for section, commands in SECTIONS.items():
        lines += [f"## {section}", ""]
        for name in commands:
            command = brain.get_command(context, name)
            assert command is not None
            lines += _command_lines(command, context)
    return "\n".join([*lines, *_exit_lines()])


def _command_lines(command: click.Command, parent: click.Context) -> list[str]:
    context = click.Context(command, info_name=command.name, parent=parent)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f"### brain {command.name}",
        "",
        f"    brain {command.name} {usage}",
        "",
        inspect.cleandoc(command.help or ""),
        "",
    ]
    rows = [
        f"| `{', '.join([*p.opts, *p.secondary_opts])}{' ' + p.make_metavar(context) if not p.is_flag else ''}` | {p.help or ''} |"
        for p in command.params
        if isinstance(p, click.Option) and p.name not in _COMMON and not p.hidden
    ]
    if rows:
        lines += [
            "| option | meaning |",
            "|---|---|",
            *(row.replace("[default", "(default").replace("|...", r"\|...") for row in rows),
            "",
        ]
    return lines


def _exit_lines() -> list[str]:
    statuses: dict[int, list[str]] = {}
    for code, outcome in OUTCOMES.items():
        statuses.setdefault(outcome.exit_status, []).append(f"`{code}`")
    meaning = {
        1: "it was not done",
        2: "the call itself is wrong",
        3: "the store cannot be used now, or (`partly-done`) what was asked stands, and what goes with it does not",
        4: "an optional part is missing",
    }
    rows = [f"| {status} | {meaning[status]} | {', '.join(codes)} |" for status, codes in sorted(statuses.items())]
    return [
        "## Exit statuses",
        "",
        'With `--json` an error is one object on standard output, `{"error": {"code", "message", "hint", "retry"}}`,',
        "and the message stands on standard error as well.",
        "",
        "| status | meaning | error codes |",
        "|---|---|---|",
        "| 0 | done | |",
        *rows,
        "| 70 | a fault of brain itself (`BRAIN_DEBUG=1` shows where) | |",
        "| 130 | interrupted | |",
        "",
    ]


def mcp_page() -> str:
    """Return docs/mcp.md."""
    lines = [
        "# The MCP server",
        "",
        "Made from the code by `make docs`. How to add the server to a host stands in [hosts.md](hosts.md).",
        "",
        "`brain mcp` (the same as `brain-mcp`) serves one brain over stdio: the one that the settings name, `--store URL`,",
        "or brains by the names that the configuration file gives them (`--brain NAME`, may be repeated; the first is the",
        "default, and every tool then takes one more parameter, `brain`). Nothing is opened before the first call that",
        "needs it. A read never makes a brain; the first `brain_encode` does.",
        "",
        "## The tools",
        "",
        "Numbers, booleans and lists may come as text, and null or an empty text stands for nothing. Ids are exact: a near miss is",
        "an error that names what may have been meant. An answer comes twice, as text for a model and as data for a program,",
        f"together under {BUDGET:,} bytes and a little framing; what is longer has `total` and `next_offset`.",
        "",
    ]
    for tool in TOOLS:
        lines += [f"### {tool.name}", "", tool.description, "", "| parameter | type | | meaning |", "|---|---|---|---|"]
        lines += [_parameter_row(parameter) for parameter in tool.parameters]
        lines += ["", f"Answers with: {', '.join(f'`{name}`' for name in tool.output['properties'])}.", ""]
    return "\n".join([*lines, *_mcp_about()])


def _parameter_row(parameter: Parameter) -> str:
    kind = "list of texts" if parameter.kind == LIST else {"string": "text"}.get(parameter.kind, parameter.kind)
    need = "required" if parameter.required else ""
    if not parameter.required and parameter.default is not None:
        need = f"{json.dumps(parameter.default)} when left out"
    bounds = f" From {parameter.low} to {parameter.high:,}." if parameter.kind == INTEGER else ""
    return f"| `{parameter.name}` | {kind} | {need} | {parameter.description}{bounds} |"


def _mcp_about() -> list[str]:
    return [
        "## Resources and the prompt",
        "",
        "Every note is a resource, `brain://note/ID` (`brain://NAME/note/ID` where several brains are served). The prompt",
        f"`{PROTOCOL_PROMPT}` is the protocol of [templates/AGENTS.md](../templates/AGENTS.md).",
        "",
        "## What a model is told",
        "",
        "```text",
        INSTRUCTIONS,
        "```",
        "",
        "## Recalled text is data",
        "",
        "In the text of an answer everything that was stored stands between `<stored-note MARK>` and `</stored-note MARK>`;",
        "the mark is random and new in each answer. Tags that look like roles or fences lose their `<`, a line that speaks as",
        "somebody (`System:`) is put in quotes, and characters that do not show are written as escapes. A line tells where a",
        "note comes from, how far it is trusted and when it was checked. The data hold the raw fields and `trust`.",
        "What a tool writes has the origin `agent` and the name of the client; no parameter can say otherwise.",
        "",
        "## On the wire",
        "",
        "Protocol versions 2024-11-05 to 2025-11-25 with a handshake, and 2026-07-28 without one. On stdio nothing but messages",
        f"reaches standard output, in UTF-8 whatever the locale; a line over {MAX_LINE // 2**20} MiB is refused; when the input ends,",
        "calls that are under way are finished and the server leaves within two seconds.",
        "",
        "## Over HTTP",
        "",
        f"`brain mcp --http [--port N]` serves streamable HTTP at `http://127.0.0.1:{DEFAULT_PORT}{PATH}`, without sessions, and prints that",
        "address. It listens on the loopback address alone, answers to its own `Host` and `Origin` alone, takes bodies of at most",
        f"{MAX_BODY // 2**20} MiB, and wants `Authorization: Bearer TOKEN` on every path. The token has 256 random bits and lies in",
        "`mcp-token` in the state folder of plainbrain, readable by its owner only; the server says where. `--no-auth` leaves the",
        "token out: then every program and user on the machine can read and change the brain.",
        "",
    ]


#: Page -> what makes it.
PAGES: dict[str, Callable[[], str]] = {"cli.md": cli_page, "mcp.md": mcp_page}


def main(arguments: list[str]) -> int:
    """Write the pages, or check them."""
    stale = 0
    for name, make in PAGES.items():
        path, text = HERE / name, make()
        if "--check" in arguments:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                print(f"docs/{name} is not up to date: make docs")
                stale = 1
        else:
            path.write_text(text, encoding="utf-8")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
