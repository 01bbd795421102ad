"""Slugs: ids made from titles, fit for a file name on every operating system.

Owns how a title in any script becomes ``[a-z0-9-]``. Promises: never empty, at most 120 characters, the same
title gives the same slug for ever, and a title whose letters do not all come through keeps a short hash of
itself, so that two of them stay apart. Knows no files: whether a slug is taken is for the caller to find out.
"""

from __future__ import annotations

import unicodedata

from plainbrain.digests import blake2b

MAX_SLUG = 120
#: A longer title is cut on a word and gets a hash.
_LONG = 80
_HASH_BYTES = 4
#: Names that Windows keeps for devices, with any ending.
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(10))})
_APOSTROPHES = "'’ʼ`´"

_LATIN = "ß=ss æ=ae œ=oe ø=o đ=d ð=d þ=th ł=l ħ=h ı=i ĸ=k ŋ=ng ŧ=t ſ=s ə=e ƒ=f ɓ=b ɗ=d ƙ=k"
_CYRILLIC = (
    "а=a б=b в=v г=g д=d е=e ё=yo ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch "
    "ш=sh щ=shch ъ= ы=y ь= э=e ю=yu я=ya і=i ї=yi є=ye ґ=g ў=u ј=j љ=lj њ=nj ћ=c ђ=dj џ=dz ѓ=gj ќ=kj ѕ=dz"
)
_GREEK = "α=a β=v γ=g δ=d ε=e ζ=z η=i θ=th ι=i κ=k λ=l μ=m ν=n ξ=x ο=o π=p ρ=r σ=s ς=s τ=t υ=y φ=f χ=ch ψ=ps ω=o"
_SPELLED: dict[str, str] = {
    letter: spelling
    for pair in f"{_LATIN} {_CYRILLIC} {_GREEK}".split(" ")
    for letter, _, spelling in [pair.partition("=")]
} | dict.fromkeys(_APOSTROPHES, "")


def slugify(title: str) -> str:
    """Return the slug of ``title``: 1 to 120 characters of ``[a-z0-9-]``, neither first nor last a hyphen.

    Latin, Cyrillic and Greek letters are spelled out; a title with letters of another script, and one too
    long, ends with 8 hexadecimal digits of its hash.
    """
    plain = unicodedata.normalize("NFC", title).lower()
    spelled, whole = _spell(plain)
    slug = "-".join(word for word in spelled.split("-") if word)
    if whole and slug and len(slug) <= _LONG:
        return f"{slug}-note" if slug in _DEVICES else slug
    mark = _mark(plain)
    if not slug:
        return f"note-{mark}"
    return f"{_cut(slug, _LONG - len(mark) - 1)}-{mark}"


def with_suffix(slug: str, n: int) -> str:
    """Return ``slug-n``, shortened so that it stays within 120 characters."""
    suffix = f"-{n}"
    return slug[: MAX_SLUG - len(suffix)].rstrip("-") + suffix


def _spell(plain: str) -> tuple[str, bool]:
    """Spell a text in ``[a-z0-9-]``; tell whether every letter and digit came through."""
    if plain.isascii():
        return "".join(c if c.isalnum() else "" if c in _APOSTROPHES else "-" for c in plain), True
    spelled: list[str] = []
    whole = True
    for letter in plain:
        found = _spell_letter(letter)
        if found is None:
            whole = False
            found = "-"
        spelled.append(found)
    return "".join(spelled), whole


def _spell_letter(letter: str) -> str | None:
    if letter.isascii():
        return letter if letter.isalnum() else "" if letter in _APOSTROPHES else "-"
    spelling = _SPELLED.get(letter)
    if spelling is not None:
        return spelling
    digit = unicodedata.decimal(letter, None)
    if digit is not None:
        return str(digit)
    parts = [_spell_part(part) for part in unicodedata.normalize("NFKD", letter).lower()]
    if any(part is None for part in parts):
        return None
    return "".join(part for part in parts if part)


def _spell_part(part: str) -> str | None:
    if part.isascii():
        return part if part.isalnum() else "-"
    if part in _SPELLED:
        return _SPELLED[part]
    if unicodedata.combining(part):
        return ""
    return None if unicodedata.category(part)[0] in "LNMC" else "-"


def _cut(slug: str, length: int) -> str:
    """Shorten to ``length``, at the end of a word where there is one in the second half."""
    if len(slug) <= length:
        return slug
    end = slug.rfind("-", length // 2, length + 1)
    return slug[: end if end > 0 else length].rstrip("-")


def _mark(plain: str) -> str:
    text = " ".join(plain.split())
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_HASH_BYTES).hexdigest()
