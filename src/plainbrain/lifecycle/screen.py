"""Text that is made to steer whoever reads it: how likely that is, from the signs in it.

Owns the signs and what each weighs; several add up like independent witnesses (1 - product of the doubts). Words that are
quoted or spoken about weigh a quarter; a command weighs the same in a code span, where commands stand. Signs are looked for
as they are read: characters that nobody sees do not hide them. Deterministic, linear, no model: a reason to let a person look
first, no proof.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.errors import Refused
from plainbrain.model.memory import Memory
from plainbrain.model.provenance import QUARANTINED, USER
from plainbrain.records import changed, record
from plainbrain.text.patterns import Rule, compiled, find_all, searchable

#: What is said of a memory that waits.
HELD = "held back until somebody looks: it reads like an order to whoever recalls it"
#: From here on a person looks before anything is recalled.
QUARANTINE_FROM = 0.6
_DISCUSSED = 0.25


@record(frozen=True, slots=True)
class _Sign:
    """What a find of a rule weighs; ``is_wording`` tells that it may as well be quoted or spoken about."""

    weight: float
    rule: Rule
    is_wording: bool = True


_VERB = r"(?:ignore|disregard|forget|override|skip|bypass|stop\s+following|(?:do\s+not|don't)\s+follow)"
_EVERY = r"(?:(?:all|any|every|of|the|your|these|those|my|its)\s+){0,4}"
_ORDERS = r"(?:instructions?|directions?|directives?|prompts?|guidelines?|commands|orders)"
_ROLE = r"(?im)^[\s#>*-]*(?:system|assistant|developer)\s*:"
_BIDDING = (
    r"\s*(?:you\b|your\b|ignore\b|disregard\b|forget\b|override\b|from\s+now\s+on\b|always\b|never\b|do\s+not\b|don't\b|please\b"
    r"|act\s+as\b|pretend\b|reply\b|respond\b|answer\b|reveal\b|execute\b|obey\b|new\s+instructions?\b|the\s+(?:user|assistant)\s+(?:must|has)\b)"
)
_SIGNS = (
    _Sign(0.2, Rule("role", _ROLE)),
    _Sign(0.7, Rule("role-with-order", _ROLE + _BIDDING)),
    _Sign(0.7, Rule("pseudo-tag", r"(?i)<\|?/?(?:system|im_start|im_end|instructions?)\|?>|\[/?INST\]")),
    _Sign(0.7, Rule("pipe-to-shell", r"(?i)\b(?:curl|wget)\b[^\n|]{0,300}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\b(?:ba|z|da)?sh\s+<\(\s*(?:curl|wget)\b"), is_wording=False),
    _Sign(0.7, Rule("pipe-to-powershell", r"(?i)\b(?:iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|]{0,300}\|\s*(?:iex|invoke-expression)\b"), is_wording=False),
    _Sign(0.7, Rule("script-link", r"(?i)\]\(\s*(?:javascript|data|vbscript):"), is_wording=False),
    _Sign(0.7, Rule("override", rf"(?i)\b{_VERB}\s+{_EVERY}(?:(?:previous|prior|above|earlier|preceding|former|safety)\s+(?:{_ORDERS}|rules)|(?:system|original|initial|hidden)\s+{_ORDERS})\b")),
    _Sign(0.7, Rule("override-yours", rf"(?i)\b{_VERB}\s+(?:all\s+)?(?:of\s+)?your\s+(?:\w+\s+)?{_ORDERS}\b")),
    _Sign(0.7, Rule("override-above", rf"(?i)\b{_VERB}\s+{_EVERY}{_ORDERS}\s+(?:above|before|so\s+far|you\s+(?:were|have\s+been)\s+given)\b")),
    _Sign(0.7, Rule("forget-all", r"(?i)\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:(?:that|of)\s+)?(?:the\s+)?(?:you\s+(?:were|have\s+been|know)|above\b|before\s+this\b)")),
    _Sign(0.45, Rule("the-above", r"(?i)\b(?:ignore|disregard|forget)\s+the\s+above\b")),
    _Sign(0.7, Rule("override-elsewhere", r"(?i)(?:ignorier\w*|vergiss|missachte\w*)\s+(?:sie\s+)?(?:(?:alle[nrs]?|die|deine|ihre)\s+)*(?:vorherigen|bisherigen|vorigen|obigen|früheren)\s+(?:anweisungen|befehle|regeln|vorgaben)|(?:ignor|oubli)\w+\s+(?:toutes?\s+)?(?:(?:les|vos|tes)\s+)?(?:instructions|consignes|directives)\s+(?:précédentes|antérieures|ci-dessus)|(?:ignor|olvid|esque|dimentic)[^\s]*\s+(?:(?:todas?|tutte)\s+)?(?:(?:las|as|le|tus|suas)\s+)?(?:instrucciones|instruções|istruzioni)\s+(?:anteriores|previas|precedenti)")),
    _Sign(0.7, Rule("override-in-other-scripts", r"(?:忽略|无视|忘记|無視|忽視)[^。\n]{0,12}(?:指令|指示|提示|命令)|(?:指示|命令|プロンプト)[^。\n]{0,8}(?:無視|忘れ)|(?i:игнорируй|забудь)[^\s]*\s+(?:все\s+)?(?:предыдущие|прежние|прошлые)\s+(?:инструкции|указания|команды)|(?:이전|위)[^.\n]{0,8}(?:지시|명령|지침)[^.\n]{0,6}무시")),
    _Sign(0.6, Rule("give-away", r"(?im)\b(?:send|upload|post|forward|exfiltrate|leak)\b[^\n]{0,80}(?:\.env|\bapi[ -]?keys|\bcredentials|\bpasswords|\bsecrets|\bprivate\s+keys|\btokens)\b[^\n]{0,80}\bhttps?://")),
    _Sign(0.7, Rule("keep-from-user", r"(?i)\b(?:do\s+not|don't|never)\s+(?:(?:tell|inform|notify|alert)\s+the\s+user\s+(?:about|of)\s+(?:this|these)\b|mention\s+(?:this|it|these)\b[^\n.]{0,30}\bto\s+the\s+user\b)")),
    _Sign(0.45, Rule("run-this", r"(?i)\b(?:run|execute)\s+the\s+following\s+(?:command|code|script)")),
    _Sign(0.45, Rule("never-ask", r"(?i)\b(?:never|do\s+not|don't|without)\s+(?:ask|asking)\s+for\s+(?:confirmation|permission|approval)\b")),
    _Sign(0.45, Rule("from-now-on", r"(?i)\bfrom\s+now\s+on,?\s+you\b")),
    _Sign(0.45, Rule("new-instructions", r"(?im)\b(?:new|updated)\s+instructions?\s*:|\bfollow\s+(?:these|my|the\s+new)\s+instructions\s+instead\b")),
    _Sign(0.45, Rule("show-prompt", r"(?i)\b(?:reveal|print|output|show|repeat|leak)\b[^\n.]{0,40}\b(?:system|hidden|initial|secret)\s+(?:prompt|instructions?)\b")),
    _Sign(0.3, Rule("always-approve", r"(?i)\balways\s+(?:approve|accept|allow|grant)\b")),
    _Sign(0.3, Rule("unbound", r"(?i)\b(?:no|without(?:\s+any)?)\s+restrictions\b|\bunrestricted\b|\bpretend\s+(?:that\s+)?you\b")),
    _Sign(0.3, Rule("reply-only", r"(?i)\b(?:reply|respond|answer)\s+(?:only\s+)?with\b")),
    _Sign(0.3, Rule("must-always", r"(?i)\byou\s+must\s+(?:always|never)\b")),
    _Sign(0.3, Rule("behind-the-back", r"(?i)\bwithout\s+(?:asking|telling|informing)\s+(?:the\s+)?user\b")),
)  # fmt: skip
#: Any of the signs: most texts have none, and are let through by one look.
_ANY = "|".join(f"(?:{sign.rule.pattern})" for sign in _SIGNS)
_LINK = Rule("link", r"\[([^\]\n]{1,200})\]\(\s*https?://([^/\s)]{1,200})")
_HOST = Rule("host", r"(?i)(?:https?://)?((?:[a-z0-9-]+\.)+[a-z]{2,})")
#: Characters without width: pasted along unseen, needed by some scripts and emoji, and at home in no text by the run.
_WIDTHLESS = dict.fromkeys([0xAD, *range(0x200B, 0x200E), 0x2060, 0xFEFF])
_RUN = "[\u00ad\u200b-\u200d\u2060\ufeff]{8,}"
#: The tags that spell the name of a flag, then tags and orders of direction that change what is seen.
_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
_HIDING = "[\u202d\u202e\U000e0000-\U000e007f]"
_PASTED, _HIDDEN = 0.1, 0.9
_QUOTES = {"'": "'", '"': '"', "`": "`", "“": "”", "‘": "’", "«": "»"}
_ABOUT = ("reject", "sanitize", "sanitise", "detect", "block", "phrases like")


def suspicion(text: str) -> float:
    """Return how likely it is that a text is made to steer its reader, 0..1."""
    text = searchable(text)
    doubt = 1.0
    if not text.isascii():
        doubt -= _invisible(text.removeprefix("\ufeff"))
        text = text.translate(_WIDTHLESS)
    for sign, at in _signs(text):
        doubt *= 1 - sign.weight * (_DISCUSSED if sign.is_wording and _is_discussed(text, at) else 1)
    return round(1 - doubt, 4)


def is_suspect(*texts: str) -> bool:
    """Tell whether any of the texts should wait for a person."""
    return any(suspicion(text) >= QUARANTINE_FROM for text in texts if text)


def steers(memory: Memory) -> bool:
    """Tell whether what a memory says should wait for a person."""
    texts = (memory.title, memory.content, memory.rationale, memory.description, memory.provenance.excerpt)
    return is_suspect("\n\n".join(filter(None, texts)))


def screened(memory: Memory) -> Memory:
    """Return the memory, quarantined where it reads like an order and did not come from a person's own hand."""
    if memory.provenance.origin == USER or not steers(memory):
        return memory
    return changed(memory, provenance=changed(memory.provenance, trust=QUARANTINED))


def check_may_replace(memory: Memory) -> None:
    """Raise Refused for what is held back: it may not take the place of what somebody relies on."""
    if memory.provenance.trust == QUARANTINED:
        hint = "say what is so, not what the reader is to do; or let a person replace it"
        raise Refused("what reads like an order to whoever recalls it replaces nothing", value=memory.id, hint=hint)


def _invisible(text: str) -> float:
    """Return what the characters weigh that nobody sees."""
    if text.isprintable():
        return 0.0
    if compiled(_RUN).search(text) or compiled(_HIDING).search(compiled(_FLAG).sub("", text)):
        return _HIDDEN
    return _PASTED if text.translate(_WIDTHLESS) != text else 0.0


def _signs(text: str) -> Iterator[tuple[_Sign, int]]:
    for sign in _SIGNS if compiled(_ANY).search(text) else ():
        found = next(find_all(sign.rule, text), None)
        if found is not None:
            yield sign, found.start
    if "](" in text:
        for link in find_all(_LINK, text):
            shown = next(find_all(_HOST, link.groups[0]), None)
            if shown is not None and not _same_site(shown.groups[0], link.groups[1]):
                yield _Sign(0.5, _LINK), link.start
                return


def _same_site(shown: str, real: str) -> bool:
    shown, real = shown.lower(), real.lower().partition(":")[0]
    return real == shown or real.endswith("." + shown) or shown.endswith("." + real)


def _is_discussed(text: str, at: int) -> bool:
    """Tell whether what stands at a place is quoted, or named as something to avoid."""
    line = text[max(0, at - 60) : at].rpartition("\n")[2]
    closing = _QUOTES.get(line.rstrip()[-1:])
    quoted = closing is not None and closing in text[at : at + 300].partition("\n")[0]
    words = line.lower()
    return quoted or any(word in words for word in _ABOUT)
