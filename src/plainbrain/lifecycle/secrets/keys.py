"""Assignments: whether ``name = value`` gives a secret its value.

Owns the reading of names (``DB_PASSWORD``, ``clientSecret``, "Wifi password") and what each asks of its value.
Must not know how assignments are found.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.secrets.values import is_assigned_key, is_password, is_placeholder, looks_random
from plainbrain.lifecycle.secrets.words import KEY_KEYS, KEY_QUALIFIERS, PASSWORD_KEYS, VETOES
from plainbrain.text.patterns import Found, Rule, compiled, find_all, words

#: A name of a secret holds one of these. The short ones hold the long ones.
SECRET_NAMES = tuple(
    words("""
    pass pwd psk pw secret token key cred auth pat pin sas sig session cookie jwt hmac seed salt pepper bearer
    kennwort schlüssel clave chave clé contrase senha wachtwoord lösenord adgangskode kodeord salasana hasło haslo
    heslo jelsz parol şifre sifre пароль κωδικός mdp sid hook
    """)
)
#: The end of such a name and what assigns it; the value is read apart, so that ``key: https://x?token=…`` is read twice.
ASSIGNED_NAME = Rule(
    "assignment",
    rf"(?i)(?:{'|'.join(SECRET_NAMES)})[^\s\"'`,;:=(){{}}<>&?|/\\\])*“”：→]{{0,24}}[\"'`\])*_]{{0,3}}\s{{0,3}}(?::=|=>|==|=|:|：|->|→)\s{{0,3}}",
    SECRET_NAMES,
)
_SPLITTERS = frozenset(" \t\n\r\"'`,;:=(){}<>&?|/\\“”：→")
_VALUE = r"(?:[brf]?[\"'`“]([^\"'`”\n]{3,200})[\"'`”]|[*_]{0,2}([^\s\"'`,;“”&]{3,200}))"
_LONGEST = 220


def find_assignments(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the values that are assigned to names of secrets."""
    for found in find_all(ASSIGNED_NAME, text):
        asks = _asks(split_name(_whole_name(text, found)))
        if not asks:
            continue
        match = compiled(_VALUE).match(text[found.end : found.end + _LONGEST])
        if match:
            group = 1 if match.group(1) else 2
            start, end = (found.end + at for at in match.span(group))
            if _is_secret(text, start, end, asks=asks):
                yield start, end


def _whole_name(text: str, found: Found) -> str:
    """The name with up to two words before it ("API key: …"); it may be said in words."""
    begin = found.start
    while begin > max(0, found.start - 60) and text[begin - 1] not in _SPLITTERS:
        begin -= 1
    name = text[begin : found.end].rstrip(" \t\n\r:=>-：→\"'`])*")
    line = text[max(0, begin - 40) : begin].rsplit("\n", 1)[-1]
    return " ".join((*line.split()[-2:], name)) if line.endswith(" ") else name


def _is_secret(text: str, start: int, end: int, *, asks: str) -> bool:
    value = text[start:end]
    if is_placeholder(value) or "://" in value or text[end : end + 1] == "(":
        return False
    if asks == "password":
        return _password(text, start, end)
    if asks == "qualified":
        return is_assigned_key(value) or (len(value) >= 16 and looks_random(value, 2.5))
    return len(value) >= 16 and looks_random(value, 3.0)


def split_name(name: str) -> list[str]:
    """Split a name into lower-case words: ``DB_PASSWORD``, ``clientSecret`` and "Wifi password" alike."""
    words: list[str] = []
    word = ""
    for before, char in zip(" " + name, name, strict=False):
        if not char.isalnum():
            words.append(word)
            word = ""
        elif char.isupper() and before.islower():
            words.append(word)
            word = char
        else:
            word += char
    return [each.lower() for each in (*words, word) if each]


def _asks(words: list[str]) -> str:
    """Return what a name asks of its value: "password", "qualified" (a key surely), "key" (maybe), or nothing."""
    while words and (
        words[-1].isdigit() or words[-1] in ("value", "prod", "live", "old", "new", "current", "is", "env")
    ):
        words = words[:-1]
    if not words:
        return ""
    last, before = words[-1], words[:-1]
    if last in VETOES or any(word in ("public", "publishable", "pub") for word in before):
        return ""
    if last in PASSWORD_KEYS or _ends_with(last, ("password", "passwd", "passphrase", "passwort", "pwd", "kennwort")):
        return "" if before[-1:] == ["bypass"] else "password"
    if last in ("key", "keys", "schlüssel", "clave", "chave", "clé"):
        if any(word in VETOES for word in before[-1:]):
            return ""
        return "qualified" if any(word in KEY_QUALIFIERS for word in before) else ("key" if before else "")
    if last in KEY_KEYS or _ends_with(last, ("secret", "token", "apikey", "accesskey", "secretkey")):
        return "" if any(word in ("csrf", "cancellation", "design", "pad", "eos") for word in before) else "qualified"
    return (
        "key"
        if last in ("sig", "signature", "bearer", "session", "cookie", "jwt", "hmac", "salt", "pepper", "pin", "seed")
        else ""
    )


def _ends_with(word: str, endings: tuple[str, ...]) -> bool:
    return word.endswith(endings) and len(word) > 5


def _password(text: str, start: int, end: int) -> bool:
    """A password needs no look of chance, but it must not be the beginning of a remark."""
    value = text[start:end].rstrip(",;)")
    quoted = text[start - 1] in "\"'`“"
    if value.isdigit():
        return len(value) >= 4
    if " " in value:
        marks = any(char.isdigit() or not (char.isalnum() or char in " '-,.") for char in value)
        return quoted and marks and len(value.split()) <= 6
    rest = text[end : end + 80].split("\n", 1)[0].strip()
    tight = "=" in text[max(0, start - 3) : start]
    return is_password(value, ends=tight or not rest or rest[0] in ",;.)}#/|&", quoted=quoted)
