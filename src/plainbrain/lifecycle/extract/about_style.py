"""What an English clause reveals about preferences and ways of working.

Owns the rows, as data. Must not know how clauses are cut nor how slots are read.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.rule import ADV, I_AM, ExtractRule, habit, liking

PREFERENCES: tuple[ExtractRule, ...] = (
    liking(
        "dislikes",
        rf"i {ADV}(?:hate|dislike|can't stand|cannot stand|despise|loathe|detest|don't like|do not like|don't want|do not want|am not a fan of|avoid|never use|don't use|don't drink|don't eat|don't enjoy|don't care for|am tired of|am sick of) (.+)",
        "Avoids {0}",
    ),
    liking(
        "dislikes",
        rf"{I_AM} {ADV}(?:not a (?:big |huge )?fan of|not into|not keen on|tired of|sick of|allergic to the idea of) (.+)",
        "Dislikes {0}",
    ),
    liking(
        "likes",
        rf"(?:i|we) {ADV}(?:prefer|like|love|enjoy|favou?r|adore|would prefer|would rather|would like|would love|appreciate|lean towards|swear by) (.+)",
        "Prefers {0}",
    ),
    liking("likes", rf"(?:i'd|we'd) {ADV}(?:prefer|rather|like|love|appreciate|welcome) (.+)", "Prefers {0}"),
    liking(
        "likes",
        rf"{I_AM} {ADV}(?:an? )?(?:big |huge |great )?(?:fan of|into|fond of|keen on|partial to) (.+)",
        "Prefers {0}",
    ),
    liking(
        "likes",
        rf"{I_AM} {ADV}(?:more of )?(an? [^,.;:!?()]{{2,25}}) (?:person|guy|gal|kind of person|type)\b.*",
        "Prefers {0}: a person of that kind",
    ),
    liking(
        "likes",
        r"(?:my preference is|my favou?rite [^,.;:!?()]{2,20} is|preferably|i want you to|i need you to always) (.+)",
        "Prefers {0}",
    ),
    liking(
        "likes",
        r"((?:[^,.;:!?() ']+ ){1,4}over (?:[^,.;:!?() ]+ ?){1,5}?)(?:,? (?:please|always|any day|every time|for me).*)?$",
        "Prefers {0}",
    ),
    liking(
        "likes",
        r"i (?:want|need|expect) ((?:you to (?:always |never )?.+|(?:short|brief|long|concise|detailed|direct|honest|plain|clean|simple|complete|full|working|everything|all|code|tests|answers|no|only|just) .+))",
        "Prefers {0}",
    ),
    liking(
        "skip",
        r"(?:you (?:can|may) )?(?:skip|drop|leave out|spare me|go easy on|cut|omit|ditch|hold) ((?:the |all |your )?[^,.;:!?()]{3,40})$",
        "Avoids {0}",
        "style.answers",
    ),
    liking(
        "first",
        r"((?:give|show|tell) me .+ first\b.*|(?:code|answer|summary|conclusion|examples?|tl;?dr) first\b.*)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "annoys",
        r"([^,.;:!?()]{2,50}) (?:drives? me (?:crazy|nuts|mad|insane|up the wall)|annoys? me|bugs? me|irritates? me|makes? me (?:cringe|angry|sad)|gets? on my nerves|is a pet peeve|are a pet peeve|(?:is|are) not (?:my thing|for me))\b.*",
        "Dislikes {0}",
    ),
    liking(
        "refuse",
        r"i (?:refuse to (?:use|touch|write)|never liked|'ve never liked|could live without|can't deal with|have no love for|won't use|will not use|don't do|don't use) (.+)",
        "Avoids {0}",
    ),
    liking("refuse", r"(?:i've|i have) never (?:liked|been a fan of|cared for) (.+)", "Dislikes {0}"),
    liking("fan", r"(?:big |huge )?fan of (.+)", "Prefers {0}"),
    liking("fan", r"not a (?:big |huge )?fan of (.+)", "Dislikes {0}"),
    liking(
        "favourite",
        r"([^,;:!?()]{2,40}) (?:is|are) my (?:favou?rite|go-to|preference|default|weapon of choice|preferred)\b.*",
        "Prefers {0}",
    ),
    liking(
        "favourite", r"my (?:go-to|default|preferred|favou?rite)(?: [^,.;:!?()]{2,25})? (?:is|are) (.+)", "Prefers {0}"
    ),
    liking(
        "finds",
        r"(i find [^,.;:!?()]{2,50} (?:ugly|unreadable|annoying|hard to read|confusing|noisy|distracting|easier|clearer|harder|more readable|useless|helpful).*)",
        "Preference: {0}",
    ),
    liking(
        "needless",
        r"(?:there's )?(?:no need to|no need for|you don't (?:need|have) to|you needn't) (.+)",
        "Avoids: no need to {0}",
        "style.answers",
    ),
    liking(
        "answers",
        r"((?:bullet points?|short answers|code only|just the code|plain text|plain english|examples|diffs only|full files|british english|one-liners|type hints|docstrings|tables|links|sources|metric)[^,.;:!?()]*?)(?:,? (?:please|pls|thanks|always|preferred|over .+|when(?:ever)? .+))$",
        "Prefers {0}",
        "style.answers",
    ),
    liking("stick", r"(?:please )?(?:stick (?:to|with)|stay with|default to|go easy on|lean on) (.+)", "Prefers {0}"),
    liking(
        "answers",
        r"((?:as short as possible|less is more|the shorter the better|get to the point|straight to the point)\b.*)",
        "Prefers {0}",
        "style.answers",
    ),
    liking(
        "forms",
        r"((?:dates?|numbers|units|times|comments|code comments|variable names|commit messages|answers|temperatures|prices|names) (?:as|in|with|without) .+)",
        "Prefers {0}",
        "style",
    ),
    liking(
        "avoid", r"(?:don't|do not|never|stop|quit|no longer|avoid) (?:ever |even )?(?:using |use )?(.+)", "Avoids {0}"
    ),
    liking(
        "avoid", r"(?:no more|no) ([^,.;:!?()]{3,40}) (?:please|in (?:my|our|the) .+|ever|anymore)$", "Avoids using {0}"
    ),
    liking("always", r"(?:always) (.+)", "Always {0}"),
    liking(
        "standing",
        r"((?:whenever|every time|each time|when(?:ever)? you (?:show|give|write|explain|answer|review)|by default,?) .+)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "answers",
        r"((?:keep|make) (?:it|functions|files|lines|methods|classes|commits|names|comments|variables|modules|tests|paragraphs|sentences|prs|your (?:answers|replies|responses|explanations|messages|code)|answers|replies|responses|explanations|things|code|them|the (?:answers|replies|explanations|code|comments)) .+)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "answers",
        r"((?:be|stay) (?:more |less |very )?(?:concise|brief|direct|blunt|terse|formal|informal|polite|honest|verbose|specific|detailed|short|casual|friendly|strict|critical).*)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "answers",
        r"((?:answer|reply|respond|talk to me|speak|write to me|address me|explain (?:things|it|stuff|everything)|format (?:answers|code|dates|your .+)) (?:in|with|using|as|by|like|only|briefly|shortly|formally|me)\b.*)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "answers",
        r"((?:use|give me|show me|write|stick to|stick with|go with|format|indent|prefer|default to|name|put) .+ (?:with me|for me|in (?:all )?(?:my|our|your) .+|by default|everywhere|from now on|in (?:every|all) .+|over .+|instead of .+|rather than .+|at all times|going forward))",
        "Prefers: {0}",
        "style",
    ),
    liking(
        "answers",
        r"(use (?:metric|imperial|british|american|uk|us|24-hour|iso|celsius|fahrenheit|simple|plain|formal) .+)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking("answers", r"(prefer .+)", "Prefers: {0}"),
    liking(
        "spelling",
        r"((?:british|american|uk|us|canadian|australian) (?:spelling|english)\b.*)",
        "Prefers {0}",
        "style.answers",
    ),
    liking(
        "brevity",
        r"((?:shorter|briefer|more concise|less verbose|longer|more detailed|fewer [^\s,.;:!?()]+|less [^\s,.;:!?()]+|more [^\s,.;:!?()]+)(?: [^\s,.;:!?()]+){0,3},? (?:please|from now on|in general))",
        "Prefers {0}",
        "style.answers",
    ),
    liking("no", r"no (.+)", "Avoids {0}"),
    liking("dislikes", r"not (?:keen on|into|a fan of|fond of) (.+)", "Dislikes {0}"),
    liking("balance", r"((?:less|more|fewer) [^,.;:!?()]+, ?(?:less|more|fewer) .+)", "Prefers {0}", "style.answers"),
    liking(
        "answers",
        r"(explain (?:things|it|stuff|everything|concepts|code) (?:to me )?(?:like|as if) .+)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking("likes", r"i want ([^,.;:!?()]+ (?:as|in) .+)", "Prefers {0}"),
    liking(
        "imperative",
        r"((?:write|format|name|prefix|put|spell|phrase|structure|order|sort|group|document|wrap|indent|end|start|keep|use|show|quote|cite) (?:all |your |my |every )?(?:[a-z]+ )?[a-z]+s (?:in|as|with|by|like|at|under|on|first|before|after|using|not|short|small|simple|lowercase) .*)",
        "Prefers: {0}",
        "style",
    ),
    liking(
        "must",
        r"(.+ (?:should (?:be|follow|have|start|use|stay|never|always)|(?:is|are) (?:a must|mandatory|required|preferred|non-negotiable)).*)",
        "Prefers: {0}",
        "style",
    ),
    liking("likes", r"([^,.;:!?()]{3,50}) (?:whenever|wherever|where|when|as much as) possible", "Prefers {0}"),
    liking(
        "asked-for",
        r"(?:i'd|i would|we'd|i) (?:rather|prefer|like|love|appreciate)(?: it)?(?: if| that| when)? you (?:to |would |could |always )*(.+)",
        "Prefers that you {0}",
    ),
    liking(
        "likes",
        rf"(?:i|we) {ADV}(?:tend to (?:prefer|favou?r|like|use|go for)|go for|go with|care (?:more |a lot |most |deeply )?about|gravitate towards?|value|insist on|live by|stand by|opt for|am all about|like it when|want|think best in|read best|learn best (?:from|with|by|through)|understand things better with|work best with) (.+)",
        "Prefers {0}",
    ),
    liking(
        "annoys",
        r"(?:what (?:really )?(?:annoys|bugs|irritates) me (?:most |more )?(?:is|are)|nothing (?:annoys|bugs|irritates|bothers) me more than|(?:one |the one )?thing (?:that )?i (?:really )?(?:hate|can't stand|dislike|don't like) is|what i (?:hate|dislike|can't stand) is|(?:my )?(?:biggest )?pet peeves?(?: is| are|:)?|i get annoyed (?:by|when|with)|i have no patience for|i (?:could|can) do without|i have an aversion to|i'm allergic to|down with|enough with the) (.+)",
        "Dislikes {0}",
    ),
    liking(
        "suits",
        r"([^,.;:!?()]{3,50}) (?:works? best for me|suits? me|(?:is|are) (?:easier|better|best|clearer|enough|plenty) for me|helps? me (?:a lot|most|focus|learn|understand)|(?:is|are) how i (?:like|learn)|makes? me happy|is what i (?:like|prefer|want))\b.*",
        "Prefers {0}",
    ),
    liking(
        "standing-noun",
        r"((?:[^\s,.;:!?()']+ ){1,4}?(?:everywhere|all the way|all day|any day|for the win|ftw|every time|by default|at all times|where possible|whenever possible|wherever possible|only)(?:,? (?:please|pls|for me|thanks))*)$",
        "Prefers {0}",
    ),
    liking(
        "spelling",
        r"((?:snake|camel|kebab|pascal|title|upper|lower|sentence|screaming)[ _-]?case\b.*|(?:name|call|prefix|suffix|label) (?:all |the |your |my |our |any |every )?(?:\w+ )?\w+s? (?:\*|[a-z]+[_-]|\w*\.|with|after|like|as|in|by|_).*)",
        "Prefers {0}",
    ),
    liking(
        "make-sure",
        r"(?:try to|make sure (?:to|you|that you)|be sure to|remember to|let's (?:always|never|keep|use|stick to)|feel free to|you (?:should|can) (?:always|just|safely)|when in doubt,?|do|when unsure,?|assume (?:that )?i (?:know|already know|have|understand)|treat me (?:like|as)|talk to me (?:like|as)|go straight to|lead with|start with|end with|include|add|leave|put|give me|show me|cite|link|quote) (.+)",
        "Prefers: {0}",
        "style.answers",
    ),
    liking(
        "avoid-asked",
        r"(?:please )?(?:not use|refrain from(?: using)?|steer clear of|stay away from|keep away from|don't bother with|don't bother|no need for|lay off|drop|leave out|go without|hold back on|less of) (.+)",
        "Avoids {0}",
    ),
    liking(
        "avoid-asked",
        r"(?:stop|quit|no more|enough) (?:it )?(?:with|of) (?:the |all the |your |all )?(.+)",
        "Avoids {0}",
    ),
    liking(
        "standing",
        r"((?:give|show|tell|use|add|state|say|cite|quote|explain|write|put|ask|warn|check|prefer|pick|include|mention|link|answer|reply|call)\b [^,]{2,60} (?:whenever|every time|each time|unless i|unless asked|when(?:ever)? you) .+)",
        "Prefers: {0}",
    ),
    liking(
        "finds",
        r"(i (?:find|consider) [^,.;:!?()]{2,50}? (?:(?:really|quite|too|very|a bit|so|rather|pretty) )?(?:\w+(?:ous|ful|less|ing|able|ible|ic|al|ly|ary|ive|er)|ugly|noisy|clunky|fiddly|messy|cute|a pain|a chore|a mess|overkill))$",
        "Preference: {0}",
    ),
    liking(
        "in-mine",
        r"(in (?:all )?(?:my|our) (?:own )?(?:code|files|projects?|repos?|prs|commits|writing|docs|team|codebase|css|js|javascript|typescript|python|sql|go|rust|java|tests|notes|emails|house|company|world|scripts), .+)",
        "Prefers: {0}",
    ),
)
WORKFLOW: tuple[ExtractRule, ...] = (
    habit(
        "habit",
        r"((?:before|after|when|whenever|once|every time|each time|on every|for every|for each|until) [^,]{2,60},? (?:i|we) (?:\w+ )?.+)",
    ),
    habit("habit", r"((?:before|after|when(?:ever)?|once) [^\s,.;:!?()]+ing\b.+)"),
    habit("habit", r"(first (?:i|we) .+)"),
    habit(
        "habit",
        r"((?:i|we) [^\s,.;:!?()]+ .+ (?:before|after|first|every|each|whenever|until|unless|at the end of|once|on every|on each|daily|weekly|when|then) .+)",
    ),
    habit(
        "habit",
        r"((?:i|we) [^\s,.;:!?()]+ .+ (?:first|daily|weekly|small and often|every time|monthly|nightly|in pairs|on [^\s,.;:!?()]+days?))",
    ),
    habit(
        "habit",
        r"(?:my|our) ((?:habit|routine|approach|way of working|usual flow|ritual|rhythm|cadence|sprints?|standups?|retros?|releases?|code reviews?|deploys?|branches) (?:is|are|happen|happens|run|runs|last|lasts|goes|go) .+)",
    ),
    habit(
        "habit",
        r"((?:i|we) (?:start by|begin with|start with|begin by|end with|finish with|work in|cut a|have a (?:standup|retro|release|code freeze|merge freeze)|never push|never merge|never deploy|only merge|only deploy|only push|sign off|write adrs|keep a) .+)",
    ),
    habit(
        "rule",
        r"(no (?:direct )?(?:pushes?|pushing|commits?|merges?|merging|deploys?|deploying|deployments?|releases?|prs?|force.push(?:es|ing)?|changes|code) .+)",
    ),
    habit(
        "rule",
        r"((?:[^\s,.;:!?()]+ ){1,3}(?:signs? off|approves?|reviews?|merges?|deploys?) .*(?:before|after|on|every|each|only)\b.*)",
    ),
    habit(
        "rule",
        r"((?:the |our |code )?[^,.;:!?()]{3,30} (?:is|are|happens?|takes place) (?:every|each|only|always|on [^\s,.;:!?()]+days?|at the end of|before|after) .+)",
    ),
    habit(
        "habit",
        r"((?:i|we) (?:always|usually|typically|normally|generally|never|tend to|first|mostly|often|only|only ever|make sure to|try to always|like to) .+)",
    ),
    habit(
        "habit",
        r"((?:i|we) (?:branch|rebase|squash|merge|deploy|release|ship|review|test|commit|tag|pair|freeze|cut|write tests|start with|do|follow|require|practi[cs]e|work in|keep|sign|lint|format|track|plan|estimate|version|document|log|run) .+)",
    ),
    habit(
        "rule",
        r"(?:our|my|the|team|house|company) (?:rule|process|policy|workflow|flow|convention|branching model|release process|deploy process|standard|routine|practice|definition of done|rule of thumb)(?: here)?(?: is(?: that)?|'s|:|,)? (.+)",
    ),
    habit(
        "rule",
        r"((?:commits?|commit messages?|branches|prs?|pull requests?|merge requests?|releases?|migrations?|deploys?|deployments?|tests|tickets?|reviews?|features?|builds?|hotfixes|code|changes|secrets|docs|issues|versions|tags|each one|each [^,.;:!?()]{2,20}|every [^,.;:!?()]{2,20}|any [^,.;:!?()]{2,20}|everything|nothing|all [^,.;:!?()]{2,20}|no one|nobody) (?:always |never |only |all )?(?:follows?|needs?|must|must not|has to|have to|requires?|should|goes|go|gets?|happens?|live|lives|are|is|may|can|cannot|can't|touch(?:es)?|start|starts|end|ends|use|uses)\b .+)",
    ),
    habit("rule", r"((?:two|three|one|four|\d+) (?:approvals?|reviews?|reviewers?|sign-?offs?) .+)"),
    habit(
        "rule",
        r"((?:nobody|no one|everyone|everybody|someone|the [^,.;:!?()]{2,20}|[a-z]+ [a-z]+|[a-z]+) (?:comes?|goes|go|runs?|pushes|push|merges|lands?|ships?|needs?|gets?|happens?|reviews?|approves?|deploys?|branch(?:es)?|starts?|waits?|blocks?|triggers?|requires?) (?:.* )?(?:main|master|develop|trunk|prod|production|staging|push|merge|merging|commit|release|review|deploy|deploying|branch|ticket|prs?|ci|qa|approval|friday|fridays)\b.*)",
    ),
    habit(
        "habit",
        r"((?:i|we) (?:rebase|squash|branch|pair|mob|freeze|version|tag|write an? [^,.;:!?()]{2,20} for|write [^,.;:!?()]{2,20} (?:for|before|after)|don't (?:merge|deploy|push|release|ship|commit)|do not (?:merge|deploy|push|release)).*)",
    ),
    habit(
        "rule",
        r"((?:one|two|three|four|\d+|another|a second) [a-z]+ (?:have to|has to|must|needs? to|should) (?:approve|review|sign|look|check|test|read|agree) .+)",
    ),
    habit("rule", r"([a-z]+ [a-z]+ (?:come|comes|go|goes|happen|happens) (?:before|after|first) .+)"),
    habit(
        "habit",
        r"((?:if|when|unless|until|as soon as|whenever) [^,]{2,60},? (?:i|we) (?:always |never |don't |do not |only |just |first |then )*(?:merge|revert|roll|split|ask|ping|open|close|file|block|stop|deploy|push|rebase|write|run|add|tag|review|page|pair|freeze|rerun|fix|wait|talk|create|start|ship)\b.*)",
    ),
    habit(
        "habit",
        r"((?:i|we)(?:'ve)? (?:\w+ly )?(?:gate|protect|stage|stash|bump|backport|cherry-pick|triage|groom|demo|hold|name|prefix|label|cut|open|close|assign|rotate|publish|automate|schedule|approve|develop|spike|prototype|sketch|draft|timebox|batch|split|stack|block|roll|bisect|profile|benchmark|snapshot|fork|do|run|write|use|keep|work|review|test|require|check|have|start|end|put|build|make|go|track|plan|meet) .*\b(?:prs?|pull requests?|merge requests?|branch(?:es)?|commits?|trunk|main|staging|canary|canaries|releases?|sprints?|standups?|retros?|kanban|scrum|tdd|bdd|adrs?|rfcs?|design docs?|postmortems?|code reviews?|pair(?:ing)?|mob(?:bing)?|changelogs?|conventional commits|semver|feature flags?|blue[- ]green|on-call|checklists?|tickets?|issues?|approvals?|reviewers?|hotfix(?:es)?|pre-commit|hooks?|squash(?:ing)?|rebas(?:e|ing)|gitflow|weekly|daily|biweekly|fortnightly|every \w+|each \w+|on (?:mon|tues|wednes|thurs|fri)days?)\b.*)",
    ),
    habit(
        "rule",
        r"((?:our|the|my) (?:\w+ )?(?:branching model|branching strategy|branches|flow|release cycle|release train|deploy cadence|cadence|sprints?|iterations?|standups?|retros?|planning|definition of done|review process|on-call rotation|on-call|merge strategy|commit style|versioning|code freeze|freeze|test strategy|rollout|ci|pipeline|hotfixes|releases|deploys|prs|pull requests|rule|policy|process|routine|ritual|convention) (?:is|are|goes|go|starts?|ends?|lasts?|takes?|happens?|runs?|follows?|requires?|needs?|blocks?|rotates?|says?|must|should) .+)",
    ),
    habit(
        "rule",
        r"((?:[^\s,.;:!?()]+ ){1,4}first,? (?:and )?then .+|(?:[^\s,.;:!?()]+ ){1,4}(?:comes?|goes|go) (?:before|after|first|through) .+)",
    ),
    habit("rule", r"(no [a-z]+(?: [a-z]+)?,? no [a-z]+.*)"),
    habit(
        "every",
        r"((?:every|each|any|all|both|no) [^,.;:!?()]{2,35}? (?:triggers?|goes|gets?|runs?|must|has|have|needs?|requires?|starts?|ends?|lands?|ships?|is|are|comes?|lives?|waits?|carries|carry|takes?) \S+ .+)",
    ),
    habit(
        "habit",
        r"((?:if|when|once|whenever) (?:an?|any|something|anything|ci|qa|two|nobody|somebody|somebody) [^,]{2,40}?,? (?:we|i) [a-z]+ .+)",
    ),
)
