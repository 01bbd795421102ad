"""What an English clause reveals about its author beside name and role: places, field, past, circumstances.

Owns the rows, as data, tried after those of the plain introductions. Must not know how clauses are cut nor how slots
are read.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.rule import ADV, COMPANY, I_AM, NAME, PERSON, PLACE, WE, ExtractRule, fact

LIFE: tuple[ExtractRule, ...] = (
    fact(
        "moving-house",
        rf"{I_AM} {ADV}((?:moving|relocating|emigrating)(?: back)?(?: from [^,]+?)? to .+)",
        "User is {0}",
        "identity.location",
        "personal",
    ),
    fact("place", rf"{I_AM} {ADV}in (.+)", "User is based in {0}", "identity.location", "personal", check=PLACE),
    fact("personal", rf"{I_AM} {ADV}(left[- ]handed|right[- ]handed)$", "User is {0}", "identity.personal", "personal"),
    fact(
        "company",
        r"i(?:'ve| have) been (?:with|at) (.+)",
        "User works at {0}",
        "identity.company",
        "work",
        check=COMPANY,
    ),
    fact(
        "company",
        r"(?:currently |now )?working ((?:at|for|with|as) .+)",
        "User works {0}",
        "identity.company",
        "work",
        check="works",
    ),
    fact(
        "name",
        r"([^\s,.;:!?()]+) from [^\s,.;:!?()]+(?: here)?$",
        "The user's name is {0}",
        "identity.name",
        "personal",
        check="own-name",
    ),
    fact(
        "name",
        r"(?:name|user ?name|signed|cheers|regards|best)[:,] (.+)",
        "The user's name is {0}",
        "identity.name",
        "personal",
        check="own-name",
    ),
    fact("work", r"i (report to .+|answer to the .+)", "User: {0}", "identity.role", "work"),
    fact(
        "name",
        r"(?:(?:the )?names? (?:is |are )?|you may call me |(?:just |you can )?(?:refer to|address) me (?:as|by) |my friends call me |i answer to |i usually go by )([A-Z].+)".replace(
            "(?:the )?names? ", "(?:the )?name(?:'s)? "
        ),
        "The user's name is {0}",
        "identity.name",
        "personal",
        check=NAME,
    ),
    fact(
        "company",
        rf"i(?:'ve)? {ADV}((?:(?:got|was|am|been) (?:recently )?(?:hired|employed|recruited|poached|brought in|contracted)|landed an? [^,.;:!?()]{{2,25}}|took an? [^,.;:!?()]{{2,25}}|got an? [^,.;:!?()]{{2,25}}|started (?:a new job|as [^,.;:!?()]{{2,25}})|transferred|am employed|do [^,.;:!?()]{{2,40}}) (?:at|by|with|to|for|in|on) .+)",
        "User: {0}",
        "identity.company",
        "work",
        check="task",
    ),
    fact(
        "field",
        rf"i {ADV}do ((?:\w+ )?(?:qa|frontend|front-end|backend|back-end|devops|data|ml|ai|security|support|infra|infrastructure|design|mobile|embedded|consulting|contract|research|sales|marketing|full[- ]?stack|ops|platform|web|game|ios|android|firmware|hardware|bioinformatics|analytics|bi|it|sysadmin|testing|freelance|contracting|robotics|graphics|compilers?)\b.*)",
        "User does {0}",
        "identity.role",
        "work",
    ),
    fact(
        "work",
        rf"i {ADV}((?:speciali[sz]e|major(?:ed)?|minor|focus|mentor|oversee|look after|take care of|trained as|used to be|used to work|switched from|come from|hold an?|have an? (?:[^\s,.;:!?()]+ ){0, 3}(?:degree|phd|masters?|master's|background|startup|company|team)|have (?:about |around |over |roughly |nearly |almost )?(?:\d+\+?|two|three|four|five|ten|twenty|a few|several) years|work mostly|work mainly|spend most|split my time|switched (?:careers|fields|jobs)|worked (?:at|as|in|for)|got (?:married|certified|into)|earned|served|code in my|am (?:responsible|on call)|supervise|train|handle|administer|operate) .+)",
        "User: {0}",
        "identity.role",
        "work",
        check="task",
    ),
    fact(
        "people",
        rf"(?:our|my|the) ((?:[^\s,.;:!?()]+ )?{PERSON}(?: is|'s) .+)",
        "The user's {0}",
        "identity.team",
        "work",
    ),
    fact(
        "personal",
        r"my ((?:current |new |day |main |first |second |old )*(?:job|role|title|position|day-to-day|focus|special(?:i)?ty|field|area|major|degree|manager|boss|team|background|working hours|hours|working day|locale|keyboard|eyesight|screen reader|level|experience|wi?fe|kids?|pronouns) (?:is|are|'s|involves?|covers?|at|with|in) .+)",
        "The user's {0}",
        "identity.personal",
        "personal",
    ),
    fact(
        "team",
        rf"we {ADV}((?:own|look after|are responsible for|are in charge of|take care of|operate|are on the hook for|are the .{{2,25}} team|report to) .+)",
        "The user's team: {0}",
        "identity.team",
        "work",
        check="task",
    ),
    fact(
        "personal",
        r"(?:i'm|i am|im) ((?:colou?r[- ]?blind|left handed|short-sighted|visually|hearing|autistic|neurodivergent|a (?:dad|mum|mom|parent|father|mother|native)|blind|deaf|pregnant|usually (?:online|around|available)|(?:only )?(?:online|available|around) (?:from|until|between|after|on)|on (?:a )?(?:\w+ )?(?:time|timezone|hours)|a? ?(?:part[- ]time|full[- ]time)|half |originally |bilingual|one of (?:the|two|three|four|five|\d+))\b.*)",
        "User is {0}",
        "identity.personal",
        "personal",
    ),
    fact(
        "place",
        rf"(?:{WE} {ADV}in|(?:originally )?from) (.+)",
        "User is based in {0}",
        "identity.location",
        "personal",
        check=PLACE,
    ),
    fact(
        "place",
        r"(?:i|we) (?:both |all )?(?:live|work|sit|reside|operate) (?:\w+ )*?(?:in|near|outside of|outside|close to|around|out of|from) ([A-Z].+)",
        "User is based in {0}",
        "identity.location",
        "personal",
        check=PLACE,
    ),
    fact(
        "level",
        r"you(?:'re| are) (?:talking|speaking|dealing|chatting|working) (?:to|with) (.+)",
        "User is {0}",
        "identity.skill",
        "personal",
    ),
    fact("level", r"(?:assume|assuming)(?: that)? (i .+)", "User: {0}", "identity.skill", "personal"),
    fact(
        "study",
        rf"{I_AM} {ADV}((?:doing|finishing|pursuing|taking|writing up|halfway through|in) (?:an?|my) (?:\w+ )?(?:apprenticeship|internship|phd|ph\.d|master'?s|masters|bootcamp|degree|bachelor'?s|residency|traineeship|postdoc|sabbatical|fellowship|mba)\b.*)",
        "User is {0}",
        "identity.role",
        "work",
    ),
)
