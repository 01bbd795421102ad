"""English word stems by Porter's rules (M. F. Porter, "An algorithm for suffix stripping", 1980).

Owns nothing but the rules. Promises one stem for a word, whatever was stemmed before. Knows only words
of the letters a to z in lower case; everything else comes back as it went in. Differs from Porter in
two points: a word of three letters keeps its e, so that "use" and "one" are not "us" and "on", and a y after a vowel
stays one, so that "deploys" and "deployment" meet.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiou")

#: (suffix, what takes its place) where at least one vowel-consonant group stands before it.
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble",
    "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate",
    "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive",
    "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
#: Suffixes that go where at least two groups stand before them.
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism",
    "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def _by_length(suffixes: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(suffixes, key=lambda s: (-len(s), s)))


_ORDER_2, _ORDER_3, _ORDER_4 = _by_length(tuple(_STEP_2)), _by_length(tuple(_STEP_3)), _by_length(_STEP_4)


def stem(word: str) -> str:
    """Return the stem of ``word``; words of one or two letters, or of other letters, are their own."""
    if len(word) < 3 or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    word = _soften(_past_and_progressive(_plural(word)))
    word = _swap(word, order=_ORDER_2, table=_STEP_2)
    word = _swap(word, order=_ORDER_3, table=_STEP_3)
    return _tidy(_strip_long(word))


def root(word: str) -> str:
    """Return ``word`` without the endings of number and of time only: caching and caches are one, exceptions and except are not."""
    if len(word) < 4 or not (word.isascii() and word.isalpha() and word.islower()):
        return word
    return _tidy(_soften(_past_and_progressive(_plural(word))))


def _shape(stem: str) -> str:
    """Write a stem as c and v, letter by letter; y is a vowel after a consonant."""
    shape = ""
    for letter in stem:
        if letter in _VOWELS or (letter == "y" and shape.endswith("c")):
            shape += "v"
        else:
            shape += "c"
    return shape


def measure(stem: str) -> int:
    """Return how many vowel-to-consonant passages there are, Porter's m."""
    return _shape(stem).count("vc")


def _has_vowel(stem: str) -> bool:
    return "v" in _shape(stem)


def _ends_double(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and _shape(word)[-1] == "c"


def ends_short(word: str) -> bool:
    """Tell whether a stem ends consonant-vowel-consonant, the last not w, x or y (hop, fil, not snow)."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word[: -len(suffix)]):
            return _mend(word[: -len(suffix)])
    return word


def _mend(stem: str) -> str:
    """Give back the e, or take the doubled letter, that -ed and -ing had changed."""
    if stem.endswith(("at", "bl", "iz")) or _shape(stem) == "vc":
        return stem + "e"
    if (single := undouble(stem)) != stem:
        return single
    return stem + "e" if measure(stem) == 1 and ends_short(stem) else stem


def undouble(stem: str) -> str:
    """Return a stem with its last letter once where an ending had doubled it (planner), not that of fall, miss and buzz."""
    return stem[:-1] if _ends_double(stem) and stem[-1] not in "lsz" else stem


def _soften(word: str) -> str:
    """Write a last y after a consonant as i, as its plural does (story, stori-es)."""
    soft = word[-1] == "y" and _has_vowel(word[:-1]) and word[-2] not in _VOWELS
    return f"{word[:-1]}i" if soft else word


def _swap(word: str, *, order: tuple[str, ...], table: dict[str, str]) -> str:
    for suffix in order:
        if word.endswith(suffix):
            before = word[: -len(suffix)]
            return before + table[suffix] if measure(before) > 0 else word
    return word


def _strip_long(word: str) -> str:
    for suffix in _ORDER_4:
        if word.endswith(suffix):
            before = word[: -len(suffix)]
            fits = measure(before) > 1 and (suffix != "ion" or before[-1:] in ("s", "t"))
            return before if fits else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e") and len(word) > 3:
        before = word[:-1]
        groups = measure(before)
        if groups > 1 or (groups == 1 and not ends_short(before)):
            word = before
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word
