"""Text that is made to steer whoever reads it: how likely that is, from the signs in it.

Owns the signs and what each weighs; several add up like independent witnesses (1 - product of the doubts). What
is quoted or spoken about weighs a quarter. Deterministic, linear, no model: a reason to let a person look first, no proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.text.patterns import Rule, find_all, searchable

#: From here on a person looks before anything is recalled.
QUARANTINE_FROM = 0.6
_DISCUSSED = 0.25
_INVISIBLE = {0x200B, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080)}
_RULES = (
    (0.7, Rule("role", r"(?im)^\s*(?:system|assistant|developer)\s*:", ("system", "assistant", "developer"))),
    (0.7, Rule("pseudo-tag", r"(?i)<\|?/?(?:system|im_start|im_end|instructions?)\|?>|\[/?INST\]", ("<", "["))),
    (0.7, Rule("pipe-to-shell", r"(?i)\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b", ("curl", "wget"))),
    (0.7, Rule("script-link", r"(?i)\]\(\s*(?:javascript|data|vbscript):", ("](",))),
    (0.45, Rule("override", r"(?i)\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+){0,2}(?:previous|prior|above|earlier)\s+(?:instructions?|rules?|prompts?)", ("ignore", "disregard", "forget"))),
    (0.45, Rule("run-this", r"(?i)\b(?:run|execute)\s+the\s+following\s+(?:command|code|script)", ("following",))),
    (0.3, Rule("must-always", r"(?i)\byou\s+must\s+(?:always|never)\b", ("must",))),
    (0.3, Rule("behind-the-back", r"(?i)\bwithout\s+(?:asking|telling|informing)\s+(?:the\s+)?user\b", ("without",))),
)  # fmt: skip
_LINK = Rule("link", r"\[([^\]\n]{1,200})\]\(\s*https?://([^/\s)]{1,200})", ("](",))
_HOST = Rule("host", r"(?i)(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})", (".",))


def suspicion(text: str) -> float:
    """Return how likely it is that a text is made to steer its reader, 0..1."""
    text = searchable(text)
    doubt = 1.0
    if not text.isascii() and any(ord(char) in _INVISIBLE for char in text.removeprefix("\ufeff")):
        doubt *= 0.1
    lowered = text.lower()
    for weight, at in _signs(text, lowered):
        doubt *= 1 - weight * (_DISCUSSED if _is_discussed(text, at) else 1)
    return round(1 - doubt, 4)


def is_suspect(*texts: str) -> bool:
    """Tell whether any of the texts should wait for a person."""
    return any(suspicion(text) >= QUARANTINE_FROM for text in texts if text)


def _signs(text: str, lowered: str) -> Iterator[tuple[float, int]]:
    for weight, rule in _RULES:
        if any(keyword in lowered for keyword in rule.keywords):
            found = next(find_all(rule, text), None)
            if found is not None:
                yield weight, found.start
    if "](" in text:
        for link in find_all(_LINK, text):
            shown = next(find_all(_HOST, link.groups[0]), None)
            if shown is not None and not _same_site(shown.groups[0], link.groups[1]):
                yield 0.5, link.start
                return


def _same_site(shown: str, real: str) -> bool:
    shown, real = shown.lower(), real.lower().partition(":")[0]
    return real == shown or real.endswith("." + shown) or shown.endswith("." + real)


def _is_discussed(text: str, at: int) -> bool:
    """Tell whether what stands at a place is quoted, or named as something to avoid."""
    before = text[max(0, at - 60) : at]
    line = before.rpartition("\n")[2]
    quoted = line.rstrip()[-1:] in ("'", '"', "`", "“", "‘", "«")
    words = line.lower()
    return quoted or any(
        word in words for word in ("reject", "sanitize", "sanitise", "detect", "block", "phrases like")
    )
