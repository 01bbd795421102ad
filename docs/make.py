"""Make the pages that are made from the code; ``--check`` tells whether they are up to date.

python -m docs.make [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from plainbrain.faces.cli.main import SECTIONS, brain
from plainbrain.faces.outcomes import OUTCOMES

HERE = Path(__file__).parent
_COMMON = {"store", "config", "as_json", "dry_run", "allow_secrets", "help"}


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
        "",
        "A text that begins with a dash is taken as a text where no option has that name; after `--` everything is text.",
        "",
    ]
    context = click.Context(brain, info_name="brain")
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
    lines = [f"### brain {command.name}", "", f"    brain {command.name} {usage}", "", (command.help or "").strip(), ""]
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
        3: "the store cannot be used now",
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


#: Page -> what makes it.
PAGES: dict[str, Callable[[], str]] = {"cli.md": cli_page}


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
