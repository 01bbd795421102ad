"""The flags of ``get`` and ``loop`` as agent-brain reads them: anywhere among the words, until ``--``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from plainbrain.faces.cli.entry import InvalidArguments
from plainbrain.model.kinds import ENTRY_CLASSES
from plainbrain.records import open_record

POLICIES = {"fast": 10, "balanced": 12, "deep": 20}
_LONG = {"-p": "--policy", "-s": "--stores", "-r": "--response"}
_VALUED = frozenset({"--policy", "--stores", "--user-feedback", "--response"})


@open_record(slots=True)
class Flags:
    """What was typed: the words of the query and the flags among them."""

    words: list[str] = field(default_factory=list)
    policy: str = "balanced"
    classes: tuple[str, ...] = ()
    explain: bool = False
    feedback: str = ""
    response: str = ""

    @property
    def text(self) -> str:
        """The words joined by a space."""
        return " ".join(self.words).strip()

    @property
    def limit(self) -> int:
        """How many results the policy prints."""
        return POLICIES[self.policy]


def read_flags(arguments: Sequence[str], *, loop: bool) -> Flags:
    """Read the arguments of ``get`` (``loop`` False) or ``loop``. Raise InvalidArguments in agent-brain's words."""
    found = Flags()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            found.words += rest
            break
        if not word.startswith("-") or word == "-":
            found.words.append(word)
            continue
        name, equals, value = word.partition("=")
        name = _LONG.get(name, name)
        if name == "--explain" and not equals:
            found.explain = True
            continue
        if name not in _VALUED:
            raise InvalidArguments(f"Unknown flag: {word}. Use -- before query text that starts with '-'")
        if not loop and name in ("--user-feedback", "--response"):
            raise InvalidArguments("get does not accept --response or --user-feedback")
        if not equals:
            if not rest:
                raise InvalidArguments(f"Missing value for {name}")
            value = rest.pop(0)
        _set(found, name, value)
    return found


def _set(found: Flags, name: str, value: str) -> None:
    match name:
        case "--policy":
            found.policy = value.strip().lower()
            if found.policy not in POLICIES:
                raise InvalidArguments("Policy must be one of: fast | balanced | deep")
        case "--stores":
            names = [part.strip().lower() for part in value.split(",") if part.strip()]
            unknown = [part for part in names if part not in ENTRY_CLASSES]
            if unknown:
                raise InvalidArguments(f"Invalid stores: {','.join(unknown)}. Allowed: {','.join(ENTRY_CLASSES)}")
            found.classes = tuple(names)
        case "--user-feedback":
            found.feedback = value
        case _:
            found.response = value
