"""Cutting a sentence into words, figures and signs, and looking each up in the lexicon.

Any script: what is written without blanks is cut by known words; particles, articles and elided letters come off.
"""

from __future__ import annotations

import re
from dataclasses import replace

from plainbrain.lifecycle.conflicts.lexicon import MAX_PHRASE, Lexicon, Sense, fold_word, is_dense
from plainbrain.records import open_record

MAX_PIECES, MAX_WORD, MAX_ENDING = 80, 60, 5
#: Ends of English words behind an apostrophe that are words themselves; elsewhere an ending stands there (Turkish).
_CONTRACTED = frozenset({"t", "re", "ve", "ll", "d", "m"})
#: Letters and marks that \w leaves out: vowel signs of Indic and other scripts.
_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0980-\u0dff\u0e00-\u0e4e\u0e80-\u0ece\u1000-\u109f\u1780-\u17d3"
_PIECE = re.compile(
    r"(?P<figure>(?<![^\W_])[vV]?\d+(?:[.,:/-]\d+)*)"
    rf"|(?P<word>[^\W\d_][\w{_MARKS}]*(?:[.&/_+@'’-]\w[\w{_MARKS}]*)*(?:\+\+|#(?!\w))?)"
    r"|(?P<rest>\w+)"
    r"|(?P<sign>[%$€£¥₹#])"
    r"|(?P<comma>[,、，()])"
    r"|(?P<equals>[:=：])"
)
_PARTICLES = (
    "에서는",
    "에서",
    "으로",
    "에게",
    "까지",
    "부터",
    "은",
    "는",
    "이",
    "가",
    "을",
    "를",
    "에",
    "의",
    "로",
    "와",
    "과",
    "만",
)
_ELIDED = frozenset({"l", "d", "j", "n", "qu", "c", "s", "m", "t", "dell", "all", "nell", "sull", "un", "dall"})


@open_record(slots=True)
class WordPiece:
    """A part of a sentence before it is understood: its sort, as written, and folded."""

    sort: str
    text: str
    word: str
    sense: Sense | None = None
    first: bool = False
    glued: bool = False
    possessive: bool = False


def cut_sentence(sentence: str, words: Lexicon) -> list[WordPiece]:
    """Cut a sentence into its pieces, phrases of several words joined, at most the first eighty."""
    pieces: list[WordPiece] = []
    end = -1
    for match in _PIECE.finditer(sentence):
        sort, text = str(match.lastgroup), match[0]
        glued = match.start() == end
        end = match.end()
        if sort in ("word", "rest"):
            text = text[:MAX_WORD]
            for part in _cut_word(text, words):
                part.glued, glued = glued, False
                pieces.append(part)
        else:
            pieces.append(WordPiece(sort, text, text, glued=glued))
        if len(pieces) > MAX_PIECES:
            break
    if pieces:
        pieces[0].first = True
    return _join_phrases(pieces, words)


def _cut_word(text: str, words: Lexicon) -> list[WordPiece]:
    if not text.isascii() and any(map(is_dense, text)):
        return [piece for run in _by_density(text) for piece in _cut_run(run, words)]
    word = fold_word(text)
    if sense := words.find(word):
        return [WordPiece("word", text, word, sense)]
    if "'" in word:
        # Folding may make a word longer ("½" is three characters): its places are then no places of the text.
        text = text if len(text) == len(word) else word
        before, _, after = word.partition("'")
        if before in _ELIDED and after:
            return _cut_elided(before, words) + _cut_word(text[len(before) + 1 :], words)
        if before and after in ("s", ""):
            if whole := _cut_word(text[: len(before)], words):  # a hyphen alone is no word
                whole[-1].possessive = True
            return whole
        if len(before) > 1 and len(after) <= MAX_ENDING and after not in _CONTRACTED:
            return _cut_word(text[: len(before)], words)
    if "-" in word and not any(c.isdigit() for c in word):
        return [piece for part in text.split("-") if part for piece in _cut_word(part, words)]
    return [WordPiece("word", text, *_strip(word, words))]


def _cut_elided(word: str, words: Lexicon) -> list[WordPiece]:
    return [WordPiece("word", word, word, words.find(word))]


def _strip(word: str, words: Lexicon) -> tuple[str, Sense | None]:
    """Take off a Korean particle or an Arabic article, and look the rest up."""
    if "가" <= word[-1] <= "힣":
        for particle in _PARTICLES:
            if len(word) > len(particle) and word.endswith(particle):
                bare = word[: -len(particle)]
                return bare, words.find(bare)
    if word[0] in "والبل" and len(word) > 4:
        for article in ("وال", "بال", "ال", "لل"):
            if word.startswith(article):
                return word[len(article) :], words.find(word[len(article) :])
    return word, None


def _by_density(text: str) -> list[str]:
    runs: list[str] = []
    for char in text:
        if runs and is_dense(runs[-1][-1]) == is_dense(char):
            runs[-1] += char
        else:
            runs.append(char)
    return runs


def _cut_run(run: str, words: Lexicon) -> list[WordPiece]:
    """Cut a run of one density: known words first, unknown words of some scripts whole, other characters one by one."""
    if not is_dense(run[0]):
        return [
            WordPiece(str(m.lastgroup).replace("rest", "word"), m[0], fold_word(m[0]), words.find(fold_word(m[0])))
            for m in _PIECE.finditer(run)
        ]
    pieces, at = [], 0
    folded = fold_word(run) if len(fold_word(run)) == len(run) else run
    while at < len(folded):
        length = _known_length(folded, at, words)
        text = folded[at : at + (length or _foreign_length(folded, at, words))]
        pieces.append(WordPiece("word", text, text, words.dense_sense(text)))
        at += len(text)
    return pieces


def _known_length(run: str, at: int, words: Lexicon) -> int:
    for length in range(min(words.longest_dense, len(run) - at), 0, -1):
        if words.is_listed_dense(run[at : at + length]):
            return length
    return 0


def _foreign_length(run: str, at: int, words: Lexicon) -> int:
    """Return how long the unknown word at ``at`` is: katakana and the scripts of South-East Asia run on."""
    end = at + 1
    while end < len(run) and _runs_on(run[at]) and _runs_on(run[end]) and not _known_length(run, end, words):
        end += 1
    return end - at


def _runs_on(character: str) -> bool:
    return "\u0e00" <= character <= "\u17ff" or "\u30a1" <= character <= "\u30fa" or character == "\u30fc"


def _join_phrases(pieces: list[WordPiece], words: Lexicon) -> list[WordPiece]:
    joined: list[WordPiece] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        length = 1
        if piece.word in words.phrase_starts:
            for end in range(min(len(pieces), at + MAX_PHRASE), at + 1, -1):
                phrase = " ".join(p.word for p in pieces[at:end])
                if sense := words.sense(phrase):
                    piece, length = replace(piece, word=phrase, sense=sense, sort="word"), end - at
                    break
        joined.append(piece)
        at += length
    return joined
