"""Credentials in text: found, named by their rule, and cut out.

Owns: ``find_secrets``, ``redact``, ``check_memory``. Promises: time linear in the text, some microseconds where no
keyword of a rule occurs; a find says which rule and where, and nothing here repeats the secret. Must not
know what is done about a find: refusing, redacting and warning are the caller's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from plainbrain.lifecycle.secrets.context import RULES, find_by_context
from plainbrain.lifecycle.secrets.keys import SECRET_NAMES
from plainbrain.lifecycle.secrets.values import entropy, is_identifier, is_placeholder, looks_random
from plainbrain.lifecycle.secrets.vendors import VENDOR_RULES, WEAK
from plainbrain.model.memory import Memory
from plainbrain.records import record
from plainbrain.text.patterns import RuleSet, find_all, searchable


@record(frozen=True, slots=True)
class Finding:
    """Say which rule saw a secret and where: ``start`` and ``end`` count characters of the text.

    ``field`` names the field of a memory (``metadata.db.password``); ``""`` where a plain text was searched.
    """

    rule: str
    start: int
    end: int
    field: str = ""


def find_secrets(text: str) -> tuple[Finding, ...]:
    """Return the secrets in a text, left to right and not overlapping; a vendor's rule goes before a general one."""
    return _EVERYTHING.find(text)


class Sieve:
    """Search texts that come together: a keyword that none of them holds is looked for once, not in each.

    Finds in each text what ``find_secrets`` finds.
    """

    __slots__ = ("_formats", "_names", "_rules")

    def __init__(self, texts: Iterable[str] | None = None) -> None:
        self._formats, self._rules, self._names = _FORMATS, RULES, tuple(SECRET_NAMES)
        if texts is not None:
            lowered = "\n".join(map(searchable, texts)).lower()
            self._formats, self._rules = _FORMATS.within(lowered), RULES.within(lowered)
            self._names = tuple(name for name in SECRET_NAMES if name in lowered)

    def find(self, text: str) -> tuple[Finding, ...]:
        """Return the secrets in one of the texts."""
        text = searchable(text)
        lowered = text.lower()
        found = (
            *_find_by_format(text, lowered, self._formats),
            *find_by_context(text, lowered, rules=self._rules, names=self._names),
        )
        return _apart(found) if found else ()

    def check(self, texts: Iterable[tuple[str, str]]) -> Finding | None:
        """Return the first secret in texts that stand in named fields; None where there is none."""
        for name, text in texts:
            if len(text) >= SHORTEST:
                for finding in self.find(text):
                    return Finding(finding.rule, finding.start, finding.end, name)
        return None


def check_many(memories: Iterable[Memory]) -> list[Finding | None]:
    """Return for each memory what ``check_memory`` returns: faster than one by one."""
    texts = [list(texts_of(memory)) for memory in memories]
    sieve = Sieve(text for those in texts for _, text in those)
    return [sieve.check(those) for those in texts]


def _apart(found: Iterable[tuple[str, int, int]]) -> tuple[Finding, ...]:
    """Return what was found left to right; of what overlaps, the first rule's."""
    taken: list[Finding] = []
    for rule, start, end in found:
        if all(end <= other.start or start >= other.end for other in taken):
            taken.append(Finding(rule, start, end))
    return tuple(sorted(taken, key=lambda finding: finding.start))


def redact(text: str) -> str:
    """Return the text with each secret replaced by ``[secret:RULE]``; a text without any comes back as it was."""
    pieces, at = [], 0
    for finding in find_secrets(text):
        pieces += [text[at : finding.start], f"[secret:{finding.rule}]"]
        at = finding.end
    return "".join((*pieces, text[at:])) if pieces else text


def check_memory(memory: Memory) -> Finding | None:
    """Return the first secret in any text of a memory, with the name of its field; None where there is none."""
    return _EVERYTHING.check(texts_of(memory))


#: No rule can find anything in fewer characters.
SHORTEST = 6


def texts_of(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Yield (field, text) for every text in a value, however deep; a mapping's as ``key: text``, so that keys tell."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            path = f"{name}.{key}" if name else str(key)
            if isinstance(inner, (str, int)):
                yield path, f"{key}: {inner}"
            else:
                yield path, str(key)
                yield from texts_of(inner, path)
    elif isinstance(value, (list, tuple, set, frozenset)):
        if not value or not isinstance(next(iter(value)), float):
            for inner in value:
                yield from texts_of(inner, name)
    elif names := _fields_of(type(value)):
        for field in names:
            inner = getattr(value, field)
            if inner:
                path = f"{name}.{field}" if name else field
                if isinstance(inner, str):
                    yield path, inner
                else:
                    yield from texts_of(inner, path)


_known_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    """Return the fields of a record's class, none for any other; each class is looked at once."""
    if kind not in _known_fields:
        _known_fields[kind] = tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()
    return _known_fields[kind]


def _find_by_format(text: str, lowered: str, rules: RuleSet) -> Iterator[tuple[str, int, int]]:
    for _, rule in rules.worth_trying(lowered):
        for found in find_all(rule, text):
            if _is_key(rule.name, found.value):
                yield rule.name, found.value_start, found.value_start + len(found.value)


_FORMATS = RuleSet(VENDOR_RULES)
_EVERYTHING = Sieve()


def _is_key(rule: str, value: str) -> bool:
    """A known prefix is proof, but for stand-ins; a weak prefix also asks for a look of chance after it."""
    if rule == "private-key":
        return "..." not in value and "…" not in value
    if is_placeholder(value):
        return False
    if rule in WEAK:
        return looks_random(value) or (not is_identifier(value) and entropy(value) >= 3.6)
    return True
