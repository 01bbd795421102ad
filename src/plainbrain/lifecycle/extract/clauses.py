"""From a message to the clauses in which a person speaks of herself, for now and for good.

Owns: what is masked (code, quotes, logs, transcripts, what was recalled), how sentences and clauses are cut,
and which sentences tell nothing (questions, suppositions, other people's words, passing states, one-off requests).
Promises: every clause is a slice of the message, told by its offsets. Must not know what a clause reveals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plainbrain.text.patterns import compiled, searchable

_SAME_LENGTH = str.maketrans({"’": "'", "‘": "'", "`": " ", "*": " ", "\t": " ", "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Clause:
    """Hold a clause and where it stands; ``subject`` is a pronoun carried over from the clause before, or ``""``.

    ``lead`` is what was said before a colon or as an opening ("quick context", "no", "actually");
    ``sentence`` is the whole of which it is a part.
    """

    text: str
    start: int
    end: int
    subject: str
    lead: str
    sentence: str


def clauses(message: str, *, recalled: Sequence[str] = ()) -> Iterator[Clause]:
    """Yield the clauses of a message that may reveal something lasting."""
    text = masked(message, recalled=recalled)
    for start, end in _sentences(text):
        sentence = text[start:end]
        if not is_telling(sentence, question=text[end : end + 1] in "?？؟" and end < len(text)):
            continue
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
    pieces, at = [], 0
    for match in compiled('["“„«][^"“”„«»\n]{1,400}["”“»]').finditer(text):
        inside = match.group()[1:-1]
        keep = len(inside.split()) <= 3 and "." not in inside
        pieces += [text[at : match.start()], f" {inside} " if keep else " " * len(match.group())]
        at = match.end()
    return "".join((*pieces, text[at:]))


def _is_transcript(text: str) -> bool:
    return len(compiled(r"(?m)^[ ]*[\pL][\pL ]{0,20}: \S").findall(text)) >= 2


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


def is_telling(sentence: str, *, question: bool) -> bool:
    """Tell whether a sentence may reveal something lasting about who says it."""
    # "I'd prefer it if you …" supposes nothing.
    lowered = compiled(r"(?:prefer|like|love|appreciate|great|nice)(?: it)? (?:if|when) you (?:could |would )?").sub(
        "prefer you ", sentence.strip().lower()
    )
    if question or lowered.startswith(("¿", "¡no sé")):
        return False
    return not any(compiled(pattern).search(lowered) for pattern in _TELLS_NOTHING)


_TELLS_NOTHING = (
    # questions without a mark, and requests put as questions
    r"^(?:(?:ok|okay|so|and|but|hey|hi|hmm|well|please)[, ]+)*(?:what|whats|which|who|whom|whose|where|why|how|is there|are there|do (?:you|we|i|they)|does|did|don't you|can (?:you|we|i)|could|should|shall|will (?:you|it)|would|am i|are (?:you|we)|is (?:it|this|that)|have (?:you|we)|has|any idea)\b",
    # suppositions
    r"^(?:(?:ok|okay|so|and|but|well|please)[, ]+)*(?:suppose|supposing|imagine|pretend|assume|assuming|what if|let's say|lets say|let us say|say (?:i|we|my|you)|hypothetically|in theory|act as|act like|role-?play|you are|you're)\b",
    r"\bif (?:i|we|you|it|they|he|she|someone|the|my|our|that|this|there|only|so|everything|all)\b",
    r"\b(?:i|we|you|it|they|he|she|that|this|one) (?:could|might|may|would(?:n't)? (?:have|be|never|also|still|probably)|should(?:n't)? have)\b",
    r"\b(?:i wish|i guess|maybe (?:i|we)|perhaps|i was thinking|i'm thinking|we're thinking|i'm considering|we're considering|i'd consider|were to|in that dream|not sure (?:if|whether)|wondering)\b",
    # what others said, or what we said ourselves
    r"\b(?:he|she|they|who|boss|colleague|friend|manager|cofounder|co-founder|teammate|coworker|client|customer|professor|teacher|readme|docs|documentation|article|book|paper|survey|speaker|author|tutorial|someone|somebody|people|everyone|everybody|guy|team ?lead|wife|husband|brother|sister|mother|father|mum|mom|dad|[a-z]+'s [a-z]+) (?:\w+ ){0,4}?(?:said|says|say|told|tells|wrote|writes|thinks?|swears?|claims?|claimed|mentioned|argues|insists?|reads?|asked|suggests?|suggested|recommends?|recommended|wants?|prefers?|likes?|loves?|hates?|uses?)\b",
    r"\b(?:according to|from their|in their|as you (?:noted|said|mentioned|know|remember|recall)|you (?:said|mentioned|noted|told me|remember)|quote|transcript|the (?:prompt|log|log line|message|output|error|sign|banner|page|string) (?:says|said|reads|is))\b",
    r"\btold (?:me|us)\b|\bi meant\b",
    r"^give (?:me|us) [^,]*$",
    # passing states and one-off requests
    r"\b(?:this time|for this one|just this once|for this (?:exercise|task|file|function|test|case|pr|example|script|answer|question|one|homework|ticket)|in this (?:file|function|case|example|exercise|test|snippet|answer)|just for (?:now|today|this)|for today|only today|tonight only)\b",
    r"^(?:i'm|i am|im|we're|we are|it's|it is|currently|still) (?:still |currently |just |now |already |trying|waiting|debugging|stuck|looking|getting|seeing|having|testing|checking|fixing)(?:\w+ing)?\b.*\b(?:right now|at the moment|error|bug|issue|build|it|this)\b",
    r"\b(?:right now|at the moment|just now|at this very moment|this morning|as we speak)\b",
    r"^(?:currently|still) (?:waiting|getting|seeing|debugging|trying|stuck|on)\b",
    r"^(?:translate|summari[sz]e|write|generate|draft|make|create|add|remove|rename|fix|refactor|convert|implement|show|list|find|explain|rewrite|sketch|delete|move|update|check|run|change) (?:this|that|it|me|the|a|an|some|these|those|all|my|up|two|three|one)\b",
    # other languages: conditions and requests
    r"\b(?:wenn ich|wenn wir|falls|angenommen|stell dir vor|soll ich|sollen wir|würde ich|könnten wir|vielleicht)\b",
    r"(?:^|[\s,])(?:si (?:j'|je|on|nous|yo|usara|usáramos|tuviera|fuera)|supposons|imagine que|peut-être|supongamos|imagina que|quizás|tal vez|se eu|se nós|suponha|imagine|talvez|supponiamo|se io|forse)",
    r"(?:если бы|предположим|представь|может быть|если мы|якщо)",
    r"(?:如果|要是|假如|假设|也许|可能会|もし|たとえば|かもしれ|仮に|만약|아마)",
    r"(?:してください|して下さい|ですか|ますか|ませんか|でしょうか|吗$|呢$|吧$|帮我|请把|请帮|까요|나요|해 ?줘|해주세요|할까|mısın|misin|musun|müsün|mı$|mi$|क्या)",
)


#: Openings that carry no content.
_OPENING = (
    r"(?i)(?:ok(?:ay)?|so|hi+|hey|hello|oh|ah|and|also|but|plus|btw|by the way|fyi|for the record|fwiw|well|anyway|thanks|thank you|please note(?: that)?|"
    r"just so you know|for context|remember(?: that)?|reminder|keep in mind(?: that)?|before i forget|ps|p\.s\.|honestly|personally|look|listen|yes|yeah|yep|sure|right|"
    r"in general|generally|as a rule|note(?: that)?|noted|good morning|guys|there|if anyone asks|as i said|like i said|again|anyhow|let me introduce myself|quick note|"
    r"one thing|heads up|please|pls|kindly|now|small thing|for next time|next time|from now on|going forward|in (?:the )?future|from here on|too|hallo|hola|bonjour|salut|olá|oi|ciao|привет|bitte|por favor|s'il te plaît)(?:[\s,:!-]+|$)"
)
#: Openings that announce a correction; they are kept as the lead.
_CORRECTING = (
    r"(?i)(?:no+[,:!]|no+ wait|nope|actually|correction|wrong|that's (?:wrong|not right|incorrect|outdated|not true)|that is (?:wrong|not right|incorrect)|not quite|wait|sorry|"
    r"(?:as )?i(?:'ve)? (?:already )?told you(?: already| before)?|you got [^,:]{2,30} wrong|you're wrong|it's not [^,]{2,30}|nein|eigentlich|non|en fait|en realidad|não|na verdade|нет|на самом деле)(?:[\s,:!-]+|$)"
)
_INTRO = r"(?i)(?:(?:quick |some |a bit of |my |our |the |new )?(?:intro|context|background|setup|stack|tech stack|about me|facts?)\b[^:,.]{0,30}:)\s*"
_SUBJECTS = (
    r"i|i'm|im|i've|i'd|we|we're|we've|my|our|it's|it|the|this|please|don't|never|always|before|after|whenever|everything|each|every|call me|avoid|stop|no|"
    r"use|keep|skip|front ?end|back ?end|orm|database|db|tests|ci|there's|package manager|any|explain|nothing"
)
_OTHER_SUBJECTS = r"ich|wir|je|j'|nous|yo|nosotros|eu|nós|io|noi|я|мы|mein|mon|mi|meu|jag|ik|uso|trabajo|vivo|trabalho|moro|travaille|habite|arbeite|wohne|lavoro"
#: Where a clause with a subject of its own begins: after "and", after a comma.
_JOINT = (
    rf"(?i)[,;:]?\s{{1,3}}(?:and|but|so|plus|also|because|since|while|though|although|und|et|y|e|и|aber|mais|pero|mas|ma|och|en)\s{{1,3}}({_SUBJECTS}|{_OTHER_SUBJECTS})(?:[\s'’]|$)"
    rf"|,\s{{0,3}}({_SUBJECTS}|{_OTHER_SUBJECTS})(?:[\s'’]|$)|:\s({_SUBJECTS})(?:[\s'’]|$)|([、，])"
)
#: "I live in X and work for Y": the subject before goes on.
_CARRIED = (
    r"(?i),?\s{1,3}(?:and|but|then)\s{1,3}((?:(?:always|usually|never|also|mostly|really) )?(?:work|live|use|prefer|like|love|hate|do|deploy|run|write|build|code|maintain|lead|manage|"
    r"own|am|are|have|ship|host|speak|study|teach|enjoy|dislike|avoid|need|want|test|review|merge|rebase|squash|commit|moved|joined)\b)"
)
_PRONOUN = r"(?i)^\W*(i|we)(?:'m|'re|'ve|'d| )"


def _clauses_of(text: str, start: int, end: int) -> Iterator[Clause]:
    subject = lead = ""
    sentence = text[start : min(end, start + LONGEST_SENTENCE)]
    for begin, stop, carried in _cut(sentence):
        body, here = _open(sentence[begin:stop])
        lead = here or lead
        if body:
            at = start + sentence.index(body, begin)
            yield Clause(body, at, at + len(body), subject if carried else "", lead, sentence)
            found = compiled(_PRONOUN).search(body)
            subject = found.group(1).lower() if found else subject


def _cut(sentence: str) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whether the subject is carried over) of the clauses of a sentence."""
    cuts = [
        (m.start(), max(m.span(1)[0], m.span(2)[0], m.span(3)[0], m.span(4)[1]), False)
        for m in compiled(_JOINT).finditer(sentence)
    ]
    cuts += [(m.start(), m.span(1)[0], True) for m in compiled(_CARRIED).finditer(sentence)]
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
        if not found:
            return clause, lead
        if telling:
            lead = found.group().strip(" ,:").lower()
        clause = clause[found.end() :]
