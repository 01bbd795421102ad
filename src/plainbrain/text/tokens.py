"""Words of any script as tokens: the one tokeniser that indexing, search and comparison share.

Owns what a word is. Promises: the same text gives the same tokens everywhere; no text raises; a token
holds no space and no control character, so that tokens joined by spaces lose nothing. Knows nothing of
queries, memories or databases.

* Words are case-folded, accents dropped, English stemmed (``text.stem``).
* Scripts written without spaces (Chinese, Japanese, Korean, Thai ...) become pairs of neighbours, the
  last character alone, so that every character begins a token.
* Identifiers give their parts and themselves: ``userName`` gives ``username user name``.
* Versions give their chain from the left: ``v1.4.2`` gives ``1.4.2 1.4``, never ``142``.
* Emoji and other symbols outside ASCII are tokens of their own.
"""

from __future__ import annotations

import re
import unicodedata

from plainbrain.text.stem import stem

#: A longer token is cut here, in texts and queries alike.
MAX_TOKEN = 64
_MAX_CACHED, _MAX_CHUNK = 60_000, 48

_ATOMS = re.compile(r"[A-Za-z0-9_.'+#-]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SHARP = re.compile(r"([A-Za-z]+)(\+\+|#)")
_APOSTROPHES = {ord(c): "'" for c in "\u2018\u2019\u02bc\u2032\uff07"}
#: Ends of English words that an apostrophe cuts off; the others join (``don't``) or are words (``l'eau``).
_POSSESSIVE, _JOINED = frozenset({"s", ""}), frozenset({"t", "re", "ve", "ll", "d", "m"})

#: Blocks of scripts that write words without spaces between them, or glue endings on (first, last).
_UNSPACED = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0x2FDF),
    (0x3005, 0x3007), (0x3040, 0x30FF), (0x3100, 0x318F), (0x31A0, 0x31BF), (0x31F0, 0x31FF),
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F), (0xAC00, 0xD7FF), (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F), (0x20000, 0x3FFFF),
)  # fmt: skip
#: Accents and vowel points that do not make another word: Latin, Hebrew, Arabic.
_DROPPED_MARKS = ((0x0300, 0x036F), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670))
_ASCII, _WORD, _PAIR, _SYMBOL, _SILENT, _BREAK = range(6)


def token_text(text: str) -> str:
    """Return the tokens of ``text`` in order, separated by spaces."""
    return " ".join(filter(None, map(_CHUNKS.__getitem__, text.split())))


def tokens_of(text: str) -> list[str]:
    """Return the tokens of ``text`` in order."""
    return token_text(text).split()


def is_unspaced(token: str) -> bool:
    """Tell whether a token is of a script that gives pairs of characters."""
    return bool(token) and _class_of(token[0]) == _PAIR


class _Chunks(dict[str, str]):
    """Remember the tokens of what stands between two spaces: most of a text was seen before."""

    def __missing__(self, chunk: str) -> str:
        found = " ".join(_ascii_tokens(chunk) if chunk.isascii() else _any_tokens(chunk))
        if len(chunk) <= _MAX_CHUNK:
            if len(self) >= _MAX_CACHED:
                self.clear()
            self[chunk] = found
        return found


_CHUNKS = _Chunks()


def _ascii_tokens(text: str) -> list[str]:
    if text.isalpha() and (text.islower() or text.istitle()):
        return [stem(text.lower())[:MAX_TOKEN]]
    found: list[str] = []
    for atom in _ATOMS.findall(text):
        _add_atom(atom, found)
    return [token[:MAX_TOKEN] for token in found]


def _add_atom(atom: str, found: list[str]) -> None:
    """Add the tokens of one run of letters, digits and the signs that may stand within a name."""
    if "+" in atom or "#" in atom:
        if sharp := _SHARP.match(atom):
            found.append(sharp[0].lower())
            if len(sharp[1]) > 1:
                _add_atom(sharp[1], found)
            atom = atom[sharp.end() :]
        for piece in re.split(r"[+#]+", atom):
            if piece:
                _add_atom(piece, found)
        return
    dotted = atom.startswith(".") and atom[1:].isalpha()
    atom = atom.strip(".'-_")
    if not atom:
        return
    if dotted:
        found.append("." + atom.lower())
    if "'" in atom:
        _add_contraction(atom, found)
    else:
        _add_name(atom, found)


def _add_contraction(atom: str, found: list[str]) -> None:
    before, _, after = atom.rpartition("'")
    before = before.replace("'", "")
    if after.lower() in _POSSESSIVE:
        _add_name(before, found)
    elif after.lower() in _JOINED:
        found.append((before + after).lower())
    else:
        _add_name(before, found)
        _add_name(after, found)


def _add_name(name: str, found: list[str]) -> None:
    """Add a name and its parts, cut at ``-`` and ``_``, at dots, at humps and where digits begin."""
    pieces = [piece for piece in re.split(r"[-_]+|\.\.+", name.strip("-_")) if piece.strip(".")]
    if len(pieces) > 1 and "." not in name:
        found.append(stem("".join(pieces).lower()))
    for piece in pieces:
        if "." in piece:
            _add_dotted(piece.strip("."), found)
        else:
            _add_word(piece, found)


def _add_dotted(piece: str, found: list[str]) -> None:
    parts = [part for part in piece.split(".") if part]
    if len(parts) < 2:
        _add_word(parts[0], found)
        return
    first = parts[0].lower()
    bare = [first[1:] if first[:1] == "v" and first[1:].isdigit() else first, *parts[1:]]
    if all(part.isdigit() for part in bare):
        found.extend(".".join(bare[:end]) for end in range(len(bare), 1, -1))
        return
    found.append(".".join(bare).lower())
    for part in parts:
        _add_word(part, found)


def _add_word(word: str, found: list[str]) -> None:
    if word.isalpha() and (word.islower() or word.istitle() or word.isupper()):
        found.append(stem(word.lower()))
        return
    parts = _CAMEL.findall(word)
    if len(parts) < 2:
        found.append(stem(word.lower()))
        return
    found.append(stem(word.lower()))
    letters = word.rstrip("0123456789")
    if letters != word and len(letters) > 1 and len(parts) > 2 and letters.isalpha():
        found.append(stem(letters.lower()))
    found.extend(stem(part.lower()) for part in parts if len(part) > 1)


def _any_tokens(chunk: str) -> list[str]:
    """Return the tokens of a text that is not all ASCII."""
    plain = _fold(chunk)
    if plain.isascii():
        return [token for part in plain.split() for token in _ascii_tokens(part)]
    found: list[str] = []
    for sort, run in _runs(plain):
        if sort == _PAIR:
            found.extend(run[at : at + 2] for at in range(len(run)))
        elif sort == _SYMBOL:
            found.extend(run)
        elif run.isascii():
            found.extend(_ascii_tokens(run))
        else:
            _add_foreign(run, found)
    return found


def _add_foreign(run: str, found: list[str]) -> None:
    """Add a run with letters beyond ASCII: whole words between the signs that names may hold."""
    for piece in re.split(r"[.'+#_-]+", run):
        folded = piece.casefold()
        if folded.isascii():
            found.extend(_ascii_tokens(folded))
        elif folded:
            found.append(folded[:MAX_TOKEN])


def _fold(text: str) -> str:
    """Drop accents and widths and straighten apostrophes, keeping case."""
    apart = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES))
    kept = "".join(c for c in apart if not any(low <= ord(c) <= high for low, high in _DROPPED_MARKS))
    return unicodedata.normalize("NFC", kept)


def _runs(text: str) -> list[tuple[int, str]]:
    """Cut a text where the sort of its characters changes; ASCII joins the letters it stands with."""
    runs: list[tuple[int, str]] = []
    last = _BREAK
    for char in text:
        sort = _class_of(char)
        if sort == _SILENT:
            continue
        if sort == _ASCII:
            sort = _WORD
        if sort == last and sort != _BREAK:
            runs[-1] = (sort, runs[-1][1] + char)
        elif sort != _BREAK:
            runs.append((sort, char))
        last = sort
    return runs


def _class_of(char: str) -> int:
    code = ord(char)
    if code < 128:
        return _ASCII if char.isalnum() or char in "_.'+#-" else _BREAK
    category = unicodedata.category(char)
    if category[0] in "LNM" and not 0xFE00 <= code <= 0xFE0F:
        return _PAIR if any(low <= code <= high for low, high in _UNSPACED) else _WORD
    if category in ("So", "Sm", "Sc"):
        return _SYMBOL
    return _SILENT if category in ("Cf", "Sk") or category[0] == "M" else _BREAK
