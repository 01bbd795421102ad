"""What an English clause reveals about the project: its shape, goal, limits and dates.

Owns the rows, as data. Must not know how clauses are cut nor how slots are read.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.rule import ADV, WE, ExtractRule, fact

PROJECT: tuple[ExtractRule, ...] = (
    fact(
        "building",
        rf"((?:i'm|i am|im|we're|we are|i've been|we've been) {ADV}(?:building|putting together|assembling|organi[sz]ing|rewriting|making|developing|creating|writing|working on|designing|prototyping|shipping|launching|running|starting|maintaining|teaching|studying|planning|hosting) (?:an? |the |our |my |some |two |three )?.+)",
        "Project: {0}",
        "project.goal",
        check="building",
    ),
    fact(
        "about",
        r"(?:my|our|the|this) (?:side |main |current |new |pet |hobby )?(?:project|product|startup|app|master's thesis|phd|thesis|game|book|site|company|service|tool|library|bot|paper|dissertation|research|product|website|codebase|client|repo)(?: is|'s)? ((?:about|for|called|named|helps?|lets|targets|aims|on|serves|tracks|sells|supports?) .+)",
        "Project: {0}",
        "project.goal",
    ),
    fact(
        "shape",
        r"(?:it|this|the (?:repo|project|app|codebase|code|product|service|thing)|our (?:repo|project|app|codebase|code|product))(?:'s| is) (an? (?:[^\s,;:!?()]+ ){0,4}(?:monorepo|monolith|library|package|cli|app|application|api|plugin|extension|website|site|game|service|bot|prototype|mvp|startup|framework|sdk|saas|tool|project|dashboard|pipeline|compiler|fork|marketplace|platform|store|blog|crate|module|microservice)\b.*)",
        "Project: {0}",
        "project.shape",
    ),
    fact(
        "needs",
        r"(we (?:need|must|have to|are required|are bound|comply|are subject|can't|cannot|aren't allowed) (?:to )?.+)",
        "Project: {0}",
        "project.constraint",
        check="needs",
    ),
    fact(
        "dates",
        r"((?:we|i|the [^,.;:!?()]{2,30}|our [^,.;:!?()]{2,30}|my [^,.;:!?()]{2,30}|launch|release|deadline|beta|it) (?:'ll )?(?:will )?(?:launch|launches|ship|ships|go live|goes live|release|releases|freeze|freezes|start|starts|present|presents|demo|demos|deliver|is due|are due|is on|is in|is|ends?|open|opens|close|closes|submit)\b .*(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|spring|summer|autumn|fall|winter|q[1-4]|monday|tuesday|wednesday|thursday|friday|weeks?|months?|quarter|year|20\d\d)\b.*)",
        "Project: {0}",
        "project.date",
    ),
    fact(
        "deadline",
        r"((?:the |our |my )?(?:deadline|launch|release|due date|launch date|release date|budget|budget for [^,.;:!?()]+|target|goal|scope|client|customer|audience|users|users are|sla|repo|license|licence|domain)(?: is| are|'s|:) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "supports",
        r"(we (?:support|target|only support|still support|cater to|sell|serve|process|handle) .+)",
        "Project: {0}",
        "project.constraint",
        check="needs",
    ),
    fact(
        "size",
        r"(we (?:have|serve|get|expect) (?:about |around |roughly |some |over |only |nearly )?(?:\d[\d.,]*[km]?|two|three|four|five|six|ten|a (?:hundred|thousand|million)) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "must",
        r"(?:it |the app |the code |everything )?(must (?:run|work|support|be|fit|stay|comply|handle) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "users",
        r"(?:our|my|the) ((?:users|customers|clients|readers|audience|students|patients|stakeholders|data|dataset|traffic|api|sla|license|launch|mvp|beta|demo|exam|defen[cs]e|conference|client) (?:is|are|has|have|must|need|needs|expects?|wants?|comes?|arrives?|speaks?|live) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "goal",
        r"(?:the|our|my) (?:goal|aim|plan|idea|mission|roadmap|objective|milestone) (?:is|are) (?:to )?(.+)",
        "Project: goal {0}",
        "project.goal",
    ),
    fact(
        "renamed",
        r"((?:the |our |my )?[^,.;:!?()]{2,30} (?:was|has been|got|is now) (?:renamed|moved|called|named) .+)",
        "Project: {0}",
        "project",
    ),
    fact(
        "team-size",
        r"((?:two|three|four|five|six|\d+) (?:devs?|developers?|engineers?|people))$",
        "Team: {0}",
        "project.team",
    ),
    fact(
        "place-of",
        r"((?:the |our )?(?:tests|docs|migrations|configs?|fixtures|assets|scripts|sources?|code|specs|schemas?|templates|secrets|logs|types|components|services|repo|repos|frontend|backend|staging|prod|production) (?:lives?|live in|are in|is in|sits?|belongs? in|goes? in|are under|is under|is at|are at|is read[ -]only)\b.+)",
        "Project: {0}",
        "project.layout",
    ),
    fact(
        "is",
        r"the ([^\s,.;:!?()]+(?: [^\s,.;:!?()]+)? is (?:rest|graphql|grpc|soap|read[ -]only|multi-tenant|single-tenant|offline-first|serverless|event-driven|open source|closed source|proprietary|internal)\b.*)",
        "Project: the {0}",
        "project.shape",
    ),
    fact("applies", r"(.+ (?:applies|apply) to us)", "Project: {0}", "project.constraint"),
    fact(
        "must",
        r"((?:it|everything|the [^,.;:!?()]{2,25}|our [^,.;:!?()]{2,25}) (?:has to|have to|needs to|must|must not|can't|cannot) (?:also )?(?:run|work|support|be|fit|stay|comply|handle|scale|cost|exceed|finish|load|respond) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "dates",
        r"([^,.;:!?()]{2,30} (?:launch|launches|ships?|goes live|releases|freezes?|is planned for|are planned for|is scheduled for|is due|comes out|kicks off|starts|ends) .*(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|q[1-4]|weeks?|months?|quarter|year|20\d\d)\b.*)",
        "Project: {0}",
        "project.date",
    ),
    fact(
        "users",
        r"((?:users|customers|clients|readers|students|patients) (?:are|have|need|expect|want|speak|live) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "shape",
        r"this (?:repo|project|app|codebase|product|service|tool|site|thing) is ((?:a|an|the|our|for|about) .+)",
        "Project: {0}",
        "project.shape",
    ),
    fact(
        "about",
        r"(?:it|this)(?:'s| is) (?:all )?(?:about|for) ([^,.;:!?()]{4,60})$",
        "Project: about {0}",
        "project.goal",
        check="about",
    ),
    fact(
        "needs",
        rf"({WE} (?:subject to|bound by|covered by|regulated|under|dropping|retiring|sunsetting|phasing out|abandoning|targeting|aiming for|expected to) .+)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "needs",
        rf"({WE} {ADV}(?:going for|aiming at|working towards?|preparing for|getting|required to|bound to|obliged to|audited|certified|halfway|planning to|about to launch|launching|live in|pre-launch|in (?:beta|alpha|production)|hoping to (?:launch|ship|release)|hiring) ?.+)",
        "Project: {0}",
        "project.constraint",
        check="needs",
    ),
    fact(
        "needs",
        r"(we (?:plan|intend|aim|expect|hope|want) to (?:drop|launch|ship|release|migrate|move|switch|replace|retire|sunset|deprecate|support|open[ -]source|go live|be|get|reach|hit) .+)",
        "Project: {0}",
        "project.goal",
        check="needs",
    ),
    fact(
        "law",
        r"((?:gdpr|hipaa|soc ?2|pci(?:[- ]dss)?|iso ?\d+|ccpa|fedramp|ferpa|coppa|dora|nis2|wcag|sox|fda|mdr|accessibility|compliance|security|legal|audit(?:s|ors)?)\b.* (?:applies|apply|matters?|is (?:a|required|mandatory|important|non-negotiable)|requires?|covers?|means?|compliance|compliant|rules?|demands?|wants?|needs?|forbids?|won't allow) ?.*)",
        "Project: {0}",
        "project.constraint",
    ),
    fact(
        "law",
        r"((?:everything|it|all of it|the \w+|our \w+|data|all data|all [^,]{2,20})(?: i touch| we do| we store| we ship)? (?:has|have|needs?|must|ought|had better|can only|can't|cannot|may not|must not) (?:to )?(?:be|stay|work|run|comply|remain|never|leave|go|fit|use|meet|pass) .+)",
        "Project: {0}",
        "project.constraint",
        check="needs",
    ),
    fact(
        "shape",
        r"(?:it's|it is|it will be|this is|this will be|(?:it|this) is (?:going|supposed|meant) to be|that's|we're|what we do is|what i'm building is) (?:basically |essentially |really |just |actually |mostly |kind of |more or less )*(an? (?:[^\s,;:!?()]+ ){0,4}(?:bot|app|tool|game|service|site|website|platform|library|cli|plugin|extension|dashboard|marketplace|scheduler|tracker|planner|simulator|engine|editor|compiler|wrapper|sdk|prototype|mvp|side project|hobby project|school project|weekend project|client|server|api|database|framework|saas|product|blog|store|shop|crm|erp|wiki|scraper|crawler|parser|portal|newsletter|course|thesis|monorepo|monolith|alternative|clone|replacement|rewrite|port|guide|experiment|project|thing|system|solution|helper|assistant|toolkit|suite|package|language|os|device|robot|drone|pipeline|company)\b.*)",
        "Project: {0}",
        "project.shape",
        check="shape",
    ),
    fact(
        "dates",
        rf"({WE} .{{1,40}}(?:from|away from|before|until|past|to|short of|off) (?:the )?(?:launch|release|go-live|shipping|beta|ga|deadline|mvp|demo|cutover|freeze)\b.*)",
        "Project: {0}",
        "project.date",
    ),
    fact(
        "building",
        r"((?:i|we)(?:'ve| have)? (?:just |recently |finally )?(?:started|launched|created|began|founded|released|published|open[- ]sourced|run|kicked off) (?:building |working on |writing )?(?:an?|my|our|the) (?:[^\s,.;:!?()]+ ){0,5}(?:project|app|product|startup|company|site|tool|library|service|blog|channel|podcast|newsletter|game|business|bot|plugin|framework|course)\b.*)",
        "Project: {0}",
        "project.goal",
        check="shape",
    ),
)
