"""Which sentences and clauses tell nothing lasting, and what a question says beside what it asks.

Owns the signs of questions, suppositions, other people's words, passing states and one-off requests. Promises: a
clause is judged by itself, so that a fact beside a request is not lost with it. Must not know what a clause reveals.
"""

from __future__ import annotations

from typing import Literal

from plainbrain.text.patterns import compiled, find_first

#: What a clause silences: nothing, itself alone, or also what hangs on it.
Silence = Literal["", "itself", "what hangs on it", "the rest"]
_WELL = r"^(?:(?:ok|okay|so|and|but|then|also|hey|hi|hmm|well|please|oh|alright|now)[, ]+)*"
_WISHED_IF = r"(?i)(?:prefer|like|love|appreciate|great|nice)(?: it)? (?:if|when) you (?:could |would )?"
#: What looks like a supposition and tells who asks.
_KNOWN = r"(?i)\b(?:assume|assuming) (?:that )?i(?:'m| am|'ve| have| know| already| understand)\b|\byou(?:'re| are) (?:talking|speaking|dealing|chatting|working) (?:to|with) an?\b"
#: Conditions that suppose nothing: politeness, and where a standing wish holds.
_POLITE_IF = (
    r"(?i),? ?\b(?:if (?:that's|that is|it's|it is|that|it|this) (?:easier|ok|okay|possible|fine|helps?|matters?|useful|relevant|simpler|alright|not too much)(?: (?:for you|trouble))?|"
    r"if (?:anyone|anybody|someone|you) (?:asks?|can|could|like|want|don't mind|wonder|wondered|were wondering|need to know)|if possible|if needed|if it makes a difference|in case (?:it|that) (?:matters|helps))\b"
)
_QUESTION = (
    _WELL
    + r"(?:what|what's|whats|which|who|who's|whom|whose|where|where's|why|how|how's|is there|are there|do (?:you|we|i|they)|does|did|don't you|can (?:you|we|i|someone|anyone)|could|should|shall|will (?:you|it)|would|am i|are (?:you|we|these|those|our)|is (?:it|this|that|the|our|my)|have (?:you|we|i)|has|any (?:idea|ideas|tips?|thoughts|suggestions|advice|chance|way)|anyone|thoughts|ideas)\b"
)
_SUPPOSED = (
    _WELL
    + r"(?:suppose|supposing|imagine|pretend|assume|assuming|what if|let's say|lets say|let us say|say (?:i|we|my|you)|hypothetically|in theory|act as|act like|role-?play|you are|you're)\b",
    r"\bif (?:i|we|you|it|they|he|she|someone|the|my|our|that|this|there|only|so|everything|all)\b",
    r"\b(?:i wish|were to|in that dream)\b",
)
_UNSURE = (
    r"\b(?:i|we|you|it|they|he|she|that|this|one) (?:could|might|may|would(?:n't)? (?:have|be|never|also|still|probably)|should(?:n't)? have)\b",
    r"\b(?:i'd|we'd) (?:use|try|have|go|be|pick|choose|probably|never|move|switch)\b|\b(?:i guess|maybe (?:i|we)|perhaps|i was thinking|(?:i'm|we're) (?:thinking|considering|toying|tempted|evaluating|wondering)|i'd consider|not sure (?:if|whether)|wondering)\b",
)
_OTHERS = (
    r"\b(?:he|she|they|boss|colleagues?|friends?|competitors?|rivals?|managers?|cofounder|co-founder|teammate|coworker|professor|teacher|readme|docs|documentation|article|book|paper|survey|speaker|author|tutorial|someone|somebody|people|everyone|everybody|guy|recruiter|candidate|interviewer|narrator|team ?lead|wife|husband|brother|sister|mother|father|mum|mom|dad|[a-z]+'s [a-z]+) (?:\w+ ){0,4}?(?:said|says?|told|tells|wrote|writes|thinks?|swears?|claims?|claimed|mentioned|argues|insists?|reads?|asked|decided|chose|picked|opted|suggests?|suggested|recommends?|recommended|wants?|prefers?|likes?|loves?|hates?|uses?|uses)\b",
    r"\b(?:client|customer) (?:\w+ ){0,4}?(?:said|says?|told|wrote|thinks?|claims?|mentioned|insists?|asked|decided|chose|picked|opted|suggests?|suggested|wants?|prefers?|likes?|hates?)\b",
    r"\b(?:according to|from their|in their|as you (?:noted|said|mentioned|know|remember|recall)|you (?:said|mentioned|noted|told me|remember)|quote|transcript|the (?:prompt|log|log line|message|output|error|sign|banner|page|string) (?:says|said|reads|is))\b",
    r"\btold (?:me|us)\b|\bi meant (?:the|this|that|it)\b",
    r"^(?:most|many|some|other|a lot of) (?:people|teams|companies|devs|developers|engineers|folks|projects)\b",
)
#: Somebody speaks, whoever it is, but for the author and for papers that bind.
_SPOKEN = (
    r"^(?:\w+ ){1,4}(?:says|said|claims|claimed|thinks|recommends?|argues|swears|wrote|insists|suggests|suggested)\b"
)
_BINDING = r"^(?:i|we|our|my|the (?:contract|sla|spec|law|policy|licen[sc]e|regulator|grant)|legal|compliance)\b"
#: What governs all of its sentence: "as you noted, I'm …", "your notes say I'm …".
_REPORTED = r"^(?:as|like) you \w+|^(?:according to|from (?:their|his|her|your) |in (?:their|his|her) |quote|transcript|you (?:said|mentioned|noted|told me|remember|wrote|claimed)|your (?:notes|memory|last))\b"
_ONCE = (
    r"^(?:\w+ )?(?:summari[sz]e|improve|shorten|expand|correct|edit|polish|simplify|parse|classify|label|tag|extract|spellcheck)\b[^:]{0,25}:",
    r"^(?:input|output|(?:an? |for )?examples?(?: \w+)?|sample(?: \w+)?|text|(?:\w+ ){0,3}sentence|rewrite|rephrase|translate|proofread|paraphrase|fix the grammar|generate[^:]*|change[^:]*|write[^:]*|template|lyrics|caption|subject|title|as an? (?:user|admin|customer|visitor|guest)\b[^:]* i (?:want|can|should|need)[^:]*)(?:\s?:|$)",
    r"\b(?:this time|for this one|just this once|for this (?:exercise|task|file|function|test|case|pr|example|script|answer|question|one|homework|ticket|commit|snippet|page|reply|assignment|demo)|in this (?:file|function|case|example|exercise|test|snippet|answer|pr|commit|script)|(?:just )?for (?:now|today|tonight|the moment)|for just this|only today|tonight only|here instead)\b",
)
_PASSING = (
    r"^give (?:me|us) [^,]*$",
    r"^(?:i'm|i am|im|we're|we are|it's|it is|currently|still) (?:still |currently |just |now |already )*(?:trying|waiting|debugging|stuck|looking|getting|seeing|having|testing|checking|fixing|about to|halfway through (?:the|this|reading))\b.*\b(?:right now|at the moment|error|bug|issue|build|it|this)\b",
    r"\b(?:right now|at the moment|just now|at this very moment|this morning|as we speak|a minute ago|an hour ago)\b",
    r"^(?:currently|still) (?:waiting|getting|seeing|debugging|trying|stuck|on)\b",
    r"^(?:translate|summari[sz]e|write|generate|draft|make|create|add|remove|rename|fix|refactor|convert|implement|list|find|explain|rewrite|sketch|delete|move|update|check|run|change|review|look at|compare|debug|port|clean up|show me how|help) (?:(?:this|that|it|me|the|a|an|some|these|those|all|my|our|up|two|three|one) ?)\b",
)
_ELSEWHERE = (
    r"\b(?:wenn ich|wenn wir|falls|angenommen|stell dir vor|soll ich|sollen wir|würde ich|könnten wir|vielleicht)\b",
    r"(?:^|[\s,])(?:si (?:j'|je|on|nous|yo|usara|usáramos|tuviera|fuera)|supposons|imagine que|peut-être|supongamos|imagina que|quizás|tal vez|se eu|se nós|suponha|imagine|talvez|supponiamo|se io|forse)",
    r"(?:если бы|предположим|представь|может быть|если мы|якщо)",
    r"(?:如果|要是|假如|假设|也许|可能会|もし|たとえば|かもしれ|仮に|만약|아마)",
    r"(?:してください|して下さい|ですか|ますか|ませんか|でしょうか|吗$|呢$|吧$|帮我|请把|请帮|까요|나요|해 ?줘|해주세요|할까|\smısın|\smisin|\smusun|\smüsün|\s[mM][ıiuü]$|क्या)",
)
#: Where a question begins after a statement; where a statement follows a question.
_ASKS = (
    r"(?i)(?:[,:]\s{0,3}|\s(?:so|and|but|then)\s)(?:(?:so|and|but|then|also|ok|hey|please)[ ,]{1,2})*(?:what|what's|whats|which|who|whose|where|where's|why|how|when should|is|are|am|do|does|did|can|could|should|shall|will|would|have|has|any|anyone|anything|thoughts|ideas|help|possible|worth|suggestions|tips|pointers|mind|got)\b"
    r"|\s(?:how|what|why|where|which)(?:'s|s)? (?:do|does|should|can|would|is|are|to|could|did|the|a)\b"
)
_BECAUSE = r"(?i)[,(]?\s(?:given that|given|since|considering|seeing as|because|bearing in mind(?: that)?|knowing that|keeping in mind(?: that)?|as)\s((?:we|we're|we've|i|i'm|i've|our|my)\b.*)$"
_TELLER = r"(?i)^(?:(?:ok|okay|so|and|but|hey|hi|hello|well|also|btw|fyi|quick question|since|as|because|given(?: that)?|considering|seeing as|now that|while|though|although)[, :]+)*(?:i|i'm|im|i've|ive|we|we're|we've|our|my|it's|the|in (?:our|my)|on (?:our|my)|as an?|working|using|running|for our|new here)\b"
_POLITE = r"(?i)^(?:(?:ok|okay|hey|so|and|also|but|please|btw)[, ]+)*(?:can|could|will|would) you (?:please |maybe |kindly |just |pls )*((?:not|stop|quit|avoid|always|never|keep|start|refrain from|drop|skip|prefer|stick to|use|answer|reply|call me|write|explain|give|show|be)\b.*)$"
_ENDURES = r"(?i)^(?:stop|quit|avoid|always|never|refrain|stick|call me|not use|be )|^keep (?:it|your|answers|replies|things|explanations|responses)\b|\b(?:always|never|from now on|in (?:the )?future|going forward|every time|by default|in general|whenever)\b"
_OWN = r"^(?:i|i'm|im|i've|we|we're|we've|my|our)\b"


def is_question(sentence: str) -> bool:
    """Tell whether a sentence asks although no mark says so."""
    return find_first(_QUESTION, sentence.strip().lower()) or sentence.startswith(("¿", "¡no sé"))


def is_telling(sentence: str) -> bool:
    """Tell whether a sentence that is no question may reveal something lasting; its clauses are judged one by one."""
    lowered = sentence.strip().lower()
    return not any(find_first(pattern, lowered) for pattern in (*_ONCE, *_ELSEWHERE))


def silence(clause: str, *, begins: bool) -> Silence:
    """Tell what a clause silences; ``begins``: it is the first of its sentence, where a supposition governs all."""
    # "I'd prefer it if you …" supposes nothing.
    clause = compiled(_KNOWN).sub("treat me as", clause)
    lowered = compiled(_WISHED_IF).sub("prefer you ", compiled(_POLITE_IF).sub("", clause).strip().lower())
    # "Let's" is nobody's, as "Anna's team" is Anna's.
    lowered = lowered.replace("let's ", "let us ")
    if any(find_first(pattern, lowered) for pattern in _SUPPOSED):
        return "the rest"
    if begins and find_first(_REPORTED, lowered):
        return "the rest"
    spoken = find_first(_SPOKEN, lowered) and not find_first(_BINDING, lowered)
    if spoken or any(find_first(pattern, lowered) for pattern in (*_UNSURE, *_OTHERS)):
        return "what hangs on it"
    if find_first(_QUESTION, lowered):
        return "the rest" if begins else "what hangs on it"
    return "itself" if any(find_first(pattern, lowered) for pattern in _PASSING) else ""


def has_own_subject(clause: str) -> bool:
    """Tell whether a clause speaks in the first person, so that it does not hang on the one before."""
    return find_first(_OWN, clause.strip().lower())


def without_politeness(clause: str) -> str:
    """Return a clause without conditions that suppose nothing: "call me Bo if that's easier"."""
    return str(compiled(_POLITE_IF).sub("", clause)) if " if " in clause or "in case" in clause else clause


def statements_beside(question: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of what a question tells: "We use X, how do I …", "how do I …, since we use X"."""
    asked = compiled(_POLITE).search(question)
    if asked:
        return (asked.span(1),) if find_first(_ENDURES, asked.group(1)) else ()
    if not is_question(question) and find_first(_TELLER, question):
        asks = compiled(_ASKS).search(question)
        return ((0, asks.start()),) if asks else ()
    reason = compiled(_BECAUSE).search(question)
    return (reason.span(1),) if reason else ()
