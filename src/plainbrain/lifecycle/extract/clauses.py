"""From a message to the clauses in which a person speaks of herself, for now and for good.

Owns: what is masked (code, quotes, logs, transcripts, what was recalled), and how sentences and clauses are cut and
read: the subject that was left out, the contractions without their mark. Promises: every clause is a part of the
message, told by its offsets. Must not know what a clause reveals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainbrain.lifecycle.extract.telling import (
    has_own_subject,
    is_question,
    is_telling,
    silence,
    statements_beside,
    without_politeness,
)
from plainbrain.records import record
from plainbrain.text.patterns import compiled, searchable

_SAME_LENGTH = str.maketrans({"’": "'", "‘": "'", "`": " ", "*": " ", "\t": " ", "\u00a0": " "})


@record(frozen=True, slots=True)
class Clause:
    """Hold a clause and where it stands; ``subject`` is a pronoun carried over from the clause before, or ``""``.

    ``lead`` is what was said before a colon or as an opening ("quick context", "no", "actually");
    ``sentence`` is the whole of which it is a part, and ``begins`` where that begins; ``asks``: it is a question, which tells
    something only beside the point.
    """

    text: str
    start: int
    end: int
    subject: str
    lead: str
    sentence: str
    begins: int
    asks: bool = False

    @property
    def onward(self) -> str:
        """The sentence from this clause on, with the subject that was left out."""
        rest = self.sentence[self.start - self.begins :]
        return f"{self.subject} {rest}" if self.subject else rest


def clauses(message: str, *, recalled: Sequence[str] = ()) -> Iterator[Clause]:
    """Yield the clauses of a message that may reveal something lasting."""
    text = masked(message, recalled=recalled)
    for start, end in _sentences(text):
        sentence = text[start:end]
        if (end < len(text) and text[end] in "?？؟") or is_question(sentence):
            for begin, stop in statements_beside(sentence):
                if is_telling(sentence[begin:stop]):
                    yield from _clauses_of(text, start + begin, start + stop)
            yield Clause(sentence, start, end, "", "", sentence, start, asks=True)
        elif is_telling(sentence):
            yield from _clauses_of(text, start, end)


def masked(message: str, *, recalled: Sequence[str] = ()) -> str:
    """Return the message with everything that is not the user's own present word blanked, at the same length."""
    text = searchable(message[:LONGEST_MESSAGE])
    for pattern in _NOT_OWN:
        text = _blank(text, pattern)
    text = text.translate(_SAME_LENGTH)
    text = _blank_quotes(text)
    if _is_transcript(text):
        text = _blank(text, r"(?m)^[ ]*[\pL][\pL ]{0,20}: [^\n]*")
    lowered = text.casefold()
    for known in recalled:
        at = lowered.find(known.casefold().rstrip(".")) if len(known) >= 8 else -1
        if at >= 0 and len(lowered) == len(text):
            text = text[:at] + " " * len(known.rstrip(".")) + text[at + len(known.rstrip(".")) :]
    return text


_NOT_OWN = (
    r"(?s)```.*?(?:```|$)",
    r"(?m)^ *>[^\n]*",
    r"`[^`\n]*(?:[ =(][^`\n]*){3,}`",
    r"(?im)^\s*(?:\[?(?:error|warn|warning|info|debug|fatal|trace|critical)\b[\]:].*|traceback .*|\s+at [\w.$<>]+\(?.*|\d{4}-\d\d-\d\d[ T]\d\d:.*|\$ .*|(?:\+\+\+|---|@@).*)$",
    r"(?im)^.*\b(?:recalled|memory says|from memory|stored memory|memories?|you remember(?:ed)?|according to your (?:notes|memory))\b ?:.*$",
    r"(?m)^ *\[(?:sure|likely|uncertain)\][^\n]*",
)


def _blank(text: str, pattern: str) -> str:
    pieces, at = [], 0
    for match in compiled(pattern).finditer(text):
        pieces += [text[at : match.start()], "".join("\n" if c == "\n" else " " for c in match.group())]
        at = match.end()
    return "".join((*pieces, text[at:]))


def _blank_quotes(text: str) -> str:
    """Blank what stands in double quotes when it is a sentence; a quoted name loses only its marks."""
    if not any(mark in text for mark in '"“„«'):
        return text
    pieces, at = [], 0
    for match in compiled('["“„«][^"“”„«»\n]{1,400}["”“»]').finditer(text):
        inside = match.group()[1:-1]
        keep = len(inside.split()) <= 3 and "." not in inside
        pieces += [text[at : match.start()], f" {inside} " if keep else " " * len(match.group())]
        at = match.end()
    return "".join((*pieces, text[at:]))


def _is_transcript(text: str) -> bool:
    # The look at colons spares most messages a pattern that is dear to compile.
    return text.count(": ") >= 2 and len(compiled(r"(?m)^[ ]*[\pL][\pL ]{0,20}: \S").findall(text)) >= 2


#: Where a sentence ends. A dot needs white space after it, so that Node.js and 3.12 stay whole.
_BREAK = r"[.]+(?:\s|$)|[!?…]+|[\n;。！？；؟।()（）]|\s[-–—]{1,3}\s|—|[.]{3}"
#: A longer sentence is no sentence; a longer message is pasted material, of which the beginning is read.
LONGEST_SENTENCE, LONGEST_MESSAGE = 600, 20_000


_ABBREVIATIONS = frozenset(
    ("dr", "mr", "mrs", "ms", "prof", "st", "vs", "e.g", "i.e", "approx", "no", "inc", "z.b", "bzw", "sr", "sra")
)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for found in compiled(_BREAK).finditer(text):
        before = text[start : found.start()]
        if found.group()[0] == "." and before.rsplit(" ", 1)[-1].lower() in _ABBREVIATIONS:
            continue
        if before.strip():
            yield start, found.start()
        start = found.end()
    if text[start:].strip():
        yield start, len(text)


#: Openings that carry no content.
_OPENING = (
    r"(?i)(?:ok(?:ay)?|so|hi+|hey|hello|oh|ah|and|also|but|plus|btw|by the way|fyi|for the record|fwiw|well|anyway|thanks|thank you|please note(?: that)?|"
    r"just so you know|for context|remember(?: that)?|reminder|keep in mind(?: that)?|before i forget|ps|p\.s\.|honestly|personally|look|listen|yes|yeah|yep|sure|right|"
    r"in general|generally|as a rule|note(?: that)?|noted|good morning|guys|there|if anyone asks|as i said|like i said|again|anyhow|let me introduce myself|quick note|"
    r"one (?:more |other )?thing|heads up|for what it's worth|if it helps|little about me|(?:a )?(?:bit|little) about (?:me|us)|quick question|long story short|first of all|to introduce myself|just to introduce myself|please|pls|kindly|now|small thing|for next time|next time|from now on|going forward|in (?:the )?future|from here on|too|hallo|hola|bonjour|salut|olá|oi|ciao|привет|bitte|por favor|s'il te plaît)(?:[\s,:!-]+|$)"
)
#: A conjunction before a statement of one's own.
_SUBORDINATE = r"(?i)^(since|because|given that|given|considering(?: that)?|seeing as|now that|as|while|although|though|even though|knowing that|fyi|just|basically|to be clear|for reference) (?:we|we're|we've|i|i'm|i've|im|our|my|it|it's|the|this|everything|all)\b"
#: Openings that announce a correction; they are kept as the lead.
_CORRECTING = (
    r"(?i)(?:no+[,:!]|no+ wait|nope|actually|correction|wrong|that's (?:wrong|not right|incorrect|outdated|not true)|that is (?:wrong|not right|incorrect)|not quite|wait|sorry|"
    r"(?:as )?i(?:'ve)? (?:already )?told you(?: already| before)?|you(?:'ve)? (?:got|have) [^,:]{2,30} (?:wrong|backwards|mixed up|reversed|confused)|small correction|minor correction|quick correction|i said|i meant(?: to say)?|scratch that|you're wrong|it's not [^,]{2,30}|nein|eigentlich|non|en fait|en realidad|não|na verdade|нет|на самом деле)(?:[\s,:!-]+|$)"
)
#: "No, we use …": the word before the comma says that something was wrong.
_NO = frozenset(("no", "nope", "wrong", "nein", "non"))
_INTRO = r"(?i)(?:(?:quick |some |a bit of |my |our |the |new |short |little )*(?:intro|just to introduce myself|to introduce myself|introducing myself|bit about (?:me|us)|tech|tooling|tools|context|background|setup|stack|tech stack|about me|facts?)\b[^:,.]{0,30}:)\s*"
_SUBJECTS = (
    r"i|i'm|im|i've|i'd|we|we're|we've|my|our|it's|it|the|this|please|don't|never|always|before|after|whenever|everything|each|every|call me|avoid|stop|no|"
    r"use|keep|skip|front ?end|back ?end|orm|database|db|tests|ci|there's|package manager|any|explain|nothing"
)
_OTHER_SUBJECTS = r"ich|wir|je|j'|nous|yo|nosotros|eu|nós|io|noi|я|мы|mein|mon|mi|meu|jag|ik|uso|trabajo|vivo|trabalho|moro|travaille|habite|arbeite|wohne|lavoro"
#: Where a clause with a subject of its own begins: after "and", after a comma.
_JOINT = (
    rf"(?i)[,;:]?\s{{1,3}}(?:and|but|so|plus|also|because|since|while|though|although|given that|which is why|whereas|und|et|y|e|и|aber|mais|pero|mas|ma|och|en)\s{{1,3}}({_SUBJECTS}|{_OTHER_SUBJECTS})(?:[\s'’]|$)"
    rf"|,\s{{0,3}}({_SUBJECTS}|{_OTHER_SUBJECTS})(?:[\s'’]|$)|:\s({_SUBJECTS})(?:[\s'’]|$)|([、，])"
)
#: ", app tier is Node 20": a noun with a verb of its own.
_NOUN_JOINT = r"(?i),\s{1,3}(?:and )?((?:[a-z]+ ){1,2}(?:is|are|runs on|goes through|lives in|lives on|uses)\s)"
#: "I live in X and work for Y": the subject before goes on.
_CARRIED = (
    r"(?i)(?:,?\s{1,3}(?:and|but|then)\s{1,3}|,\s)((?:(?:always|usually|never|also|mostly|really) )?(?:work|live|use|prefer|like|love|hate|do|deploy|run|write|build|code|maintain|lead|manage|"
    r"own|am|are|have|ship|host|speak|study|teach|enjoy|dislike|avoid|need|want|test|review|merge|rebase|squash|commit|moved|joined|living|based in)\b)|\s{1,3}and\s{1,3}((?:learning|building|working|running|using|studying|leading|maintaining|teaching)\b)"
)
_PRONOUN = r"(?i)^\W*(i|we)(?:'m|'re|'ve|'d| )"


def _clauses_of(text: str, start: int, end: int) -> Iterator[Clause]:
    subject = lead = hushed = ""
    sentence = text[start : min(end, start + LONGEST_SENTENCE)]
    for begin, stop, carried in _cut(sentence):
        body, here = _open(sentence[begin:stop])
        lead = here or lead
        if not begin and body.lower() in _NO:
            lead, body = body.lower(), ""
        if not body:
            continue
        if hushed != "the rest" and (not hushed or (not carried and has_own_subject(body))):
            hushed = silence(_spelled(body), begins=not begin)
            # "The customer wrote: …": all that follows is hers.
            hushed = "the rest" if hushed and sentence[stop : stop + 1] == ":" else hushed
        if not hushed:
            at = start + sentence.index(body, begin)
            told = _spelled(without_politeness(body))
            before = _fitted(subject, told) if carried else _left_out(told)
            yield Clause(told, at, at + len(body), before, lead, sentence, start)
        if hushed == "itself":
            hushed = ""
        found = compiled(_PRONOUN).search(body)
        subject = found.group(1).lower() if found else subject


#: Contractions as they are typed in haste.
_HASTY = (
    (r"(?i)\bdont\b", "don't"),
    (r"(?i)\bcant\b", "can't"),
    (r"(?i)\bdoesnt\b", "doesn't"),
    (r"(?i)\bisnt\b", "isn't"),
    (r"(?i)\bwont\b", "won't"),
    (r"(?i)\bive\b", "I've"),
    (r"(?i)\bim\b", "I'm"),
    (r"(?i)\bweve\b", "we've"),
    (r"(?i)\bthats\b", "that's"),
    (r"(?i)^(?:its)\b", "it's"),
    (r"(?i)^(?:theres)\b", "there's"),
    (r"(?i)^names\b", "name's"),
)
_ANY_HASTY = r"(?i)\b(?:dont|cant|doesnt|isnt|wont|ive|im|weve|thats|its|theres|names)\b"


def _spelled(clause: str) -> str:
    """Return a clause with the marks that its contractions lack; its words stay."""
    if compiled(_ANY_HASTY).search(clause):
        for pattern, full in _HASTY:
            clause = compiled(pattern).sub(full, clause)
    return clause


_SPARED = (
    (
        r"(?i)^(?:(?:just|currently|recently|also|now|still|mostly|finally|already|mainly) )*(?:using|running|working|building|writing|based|living|located|learning|studying|developing|coding|deploying|hosting|stuck on|responsible for|in charge of|new to|migrating|moving|maintaining|leading|allergic to)\b",
        "i'm",
    ),
    (
        r"(?i)^(?:(?:just|recently|also|finally|already|mostly) )*(?:been|gone) ",
        "i've",
    ),
    (
        r"(?i)^(?:(?:just|recently|also|finally|already|personally|honestly|usually|mostly) )*(?:moved|joined|switched|migrated|upgraded|relocated|started|got hired|got promoted|love|prefer|hate|dislike|work|live|can't stand|really like) ",
        "i",
    ),
)


def _fitted(subject: str, clause: str) -> str:
    """Return the subject that was carried over with the verb that the form of the clause asks for."""
    first = clause.split(" ", 1)[0]
    continues = first.endswith("ing") or first == "based"
    return {"i": "i'm", "we": "we're"}.get(subject, subject) if continues else subject


def _left_out(clause: str) -> str:
    """Return the subject that a clause without one leaves out: "Been at Globex", "currently using Go"."""
    return next((subject for pattern, subject in _SPARED if compiled(pattern).search(clause)), "")


def _cut(sentence: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether the subject is carried over) of the clauses of a sentence."""
    cuts = [
        (m.start(), max(m.span(1)[0], m.span(2)[0], m.span(3)[0], m.span(4)[1]), False)
        for m in compiled(_JOINT).finditer(sentence)
    ]
    cuts += [(m.start(), m.span(1)[0], False) for m in compiled(_NOUN_JOINT).finditer(sentence)]
    cuts += [(m.start(), max(m.span(1)[0], m.span(2)[0]), True) for m in compiled(_CARRIED).finditer(sentence)]
    at, carried = 0, False
    for cut, after, carries in sorted(cuts):
        if cut >= at:
            yield at, cut, carried
            at, carried = after, carries
    yield at, len(sentence), carried


def _open(clause: str) -> tuple[str, str]:
    """Take the openings off a clause; return it, and the last that announced a correction or a list of facts."""
    lead = ""
    while True:
        clause = clause.strip(" ,:!\t")
        if clause.startswith(("- ", ". ")):
            clause = clause[2:]
        opening = compiled(_OPENING).match(clause)
        telling = compiled(_CORRECTING).match(clause) or compiled(_INTRO).match(clause)
        found = telling or opening
        hung = compiled(_SUBORDINATE).match(clause)
        if hung and not telling:
            clause = clause[hung.end(1) :]
            continue
        if not found:
            return clause, lead
        if telling:
            lead = found.group().strip(" ,:").lower()
        clause = clause[found.end() :]
