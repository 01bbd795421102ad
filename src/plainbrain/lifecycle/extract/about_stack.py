"""What an English clause reveals about the stack: what is used, what is not any more, what replaces what.

Owns the rows, as data: first those whose words alone tell, then any thing of one's own that stands to a tool in some
relation. Must not know how clauses are cut nor how slots are read.
"""

from __future__ import annotations

from plainbrain.lifecycle.extract.rule import ADV, COMPONENT, LIST, PROJECT_NOUN, WE, ExtractRule, fact

STACK: tuple[ExtractRule, ...] = (
    fact(
        "not-used",
        rf"we {ADV}(?:don't|do not|no longer|never|stopped|quit) (?:use|using|run|running|support|have|do|doing|need|ship|target|write) (.+)",
        "Team does not use {0}",
        "project",
        "code.stack",
        check="negative",
    ),
    fact(
        "not-used",
        rf"(?:{WE} {ADV}(?:not|no longer) (?:using|on|running)|we have no|we {ADV}never (?:adopted|use|used|got into)|there is no|there's no) (.+)",
        "Team does not use {0}",
        "project",
        "code.stack",
        check="known",
    ),
    fact(
        "not-used",
        r"(?:no|zero) (.+?) (?:here|in (?:this|our|the) (?:project|repo|codebase|company|stack)|for us|allowed)$",
        "Team does not use {0}",
        "project",
        "code.stack",
        check="negative",
    ),
    fact(
        "not-used",
        r"([^,;:!?()]{2,40}) (?:is|are) (?:banned|forbidden|not allowed|off limits|a no-go|verboten|out of the question|not an option)\b.*",
        "Not used: {0} (not allowed)",
        "project",
        "code.stack",
        check="negative",
    ),
    fact(
        "replaced",
        rf"(?:we|i)(?:'ve)? {ADV}(?:replaced|swapped|traded|substituted|exchanged) (?:out )?.+? (?:with|for|by) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact(
        "not-used",
        rf"we(?:'ve)? {ADV}(?:dropped|abandoned|got rid of|ditched|moved off|moved away from|removed|retired) (.+)",
        "Team does not use {0} any more",
        "project",
        "code.stack",
    ),
    fact(
        "moving",
        rf"((?:we(?:'re| are)|i'm|i am) {ADV}(?:moving|migrating|switching|porting|converting|transitioning|upgrading|rewriting) .*(?:from|to|off|in|into) .+)",
        "Project: {0}",
        "project.migration",
        "code.stack",
    ),
    fact(
        "moved",
        rf"we(?:'ve)? {ADV}(?:switched|migrated|moved|upgraded|changed|went|ported everything|standardi[sz]ed)(?: over)? (?:from .+ )?(?:to|on|with) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact(
        "uses",
        rf"(?:for [^,]{{2,40}},? )?we {ADV}(?:use|run|run on|rely on|chose|picked|settled on|went with|adopted|code in|program in|develop in|develop with|work with|host on|host with|deploy on|deploy to|deploy with|build with|build on|test with|write in|are using|are running|have|ship with|manage .{{2,30}} with|store .{{2,30}} in) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="uses",
    ),
    fact(
        "in",
        rf"(?:i|we) {ADV}(?:write|build|develop|code|host|deploy|run|store|manage|keep|do|test|track|cache|handle|ship|implement|document|monitor|lint|format|model|containeri[sz]e|orchestrate|provision|log|query|draw|design|chat|communicate) [^,]{{2,40}}? (?:in|with|on|using|via|through|to) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="known",
    ),
    fact(
        "uses",
        rf"{WE} {ADV}(?:using|running|running on|on|built on|based on|hosted on|deployed on|deployed to|all in on|writing) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="uses",
    ),
    fact(
        "uses",
        rf"(?:for [^,]{{2,40}},? )?i {ADV}(?:use|run|code in|program in|develop in|write|work with|work in|chose|picked|went with) (.+)",
        "User uses {0}",
        "code.stack",
        check="uses",
    ),
    fact(
        "uses",
        rf"(?:i'm|i am|im) {ADV}(?:using|running|on|coding in|programming in|developing in|developing with|doing) (.+)",
        "User uses {0}",
        "code.stack",
        check="uses-known",
    ),
    fact(
        "shop",
        rf"{WE} an? (.{{1,30}}?)[ -](?:shop|house|team|codebase|company)\b.*",
        "Team uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact(
        "built",
        rf"{PROJECT_NOUN}(?:'s| is| are| was| were)? {ADV}(?:built|written|made|implemented|coded|developed|powered|deployed|hosted|backed|done|based|running|packaged|bundled|tested)(?: up)? (?:with|in|on|by|using|from|to|via) (.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact(
        "built",
        rf"{PROJECT_NOUN} {ADV}(?:runs on|runs in|uses|relies on|lives on|sits on|depends on|targets|is on|are on) (.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact(
        "component",
        rf"((?:(?:the|our|my) )?{COMPONENT})(?:'s| is| are| runs on|:)(?: in| on| an?| plain| just| all| the| now| still)* (.+)",
        "Project: {0} is {1}",
        "project",
        "code.stack",
        check="component",
    ),
    fact(
        "stack",
        r"(?:(?:the|our|my) )?(?:tech )?stack(?:'s| is| consists of|:) (.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check=LIST,
    ),
    fact("stack", r"((?:embedded|modern|plain|vanilla) .+)", "User uses {0}", "code.stack", check="known"),
    fact(
        "in",
        rf"(?:i|we) {ADV}(?:work|develop|code|write|use|ship|program|live|build) (?:on |in |with |for )?(.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="known",
    ),
)

#: A thing of one's own, however it is called; a tool has to follow, so that any noun may stand here.
_OWN_THING = (
    r"(?:(?:our|my|the|this|all|most|half|some|every|each|everything|anything|it|that|both|two of)\b[^,.;:!?()]{0,45}?)"
)
_DONE = (
    r"(?:built|rewritten|ported|redone|migrated|moved|carried|written|made|implemented|coded|developed|powered|deployed|hosted|backed|done|based|running|packaged|bundled|tested|handled|managed|processed|served|rendered|stored|kept|cached|tracked|"
    r"provisioned|orchestrated|sitting|living|saved|persisted|queued|routed|proxied|containeri[sz]ed|shipped|released|published|compiled|generated|styled|typed|monitored|logged|sent|synced|hooked up|wired up|set up|configured|linted|formatted|defined|documented|scheduled|stuck|pinned|standardi[sz]ed)"
)
_DOES = (
    r"(?:runs|run|lives?|sits?|rel(?:y|ies)|depends?|goes|go|talks?|speaks?|hangs?|builds?|compiles?|deploys?|ships?|uses?|targets?|consists?|stands?|is|are|connects?|flows?|ends? up|lands?|"
    r"authenticates?|publish(?:es)?|reports?|logs?|writes?|streams?|syncs?|exports?|works?|comes?|gets? (?:built|deployed|sent|stored|shipped|pushed|handled|served|processed|run))"
)
_VIA = r"(?:on top of|out of|up with|against|with|in|on|by|using|from|to|via|through|behind|inside|atop|off|into|over|under)"
RELATIONS: tuple[ExtractRule, ...] = (
    fact(
        "thing-is",
        rf"{_OWN_THING}(?:'s| is| are| was| were| has been| have been| get| gets| got| all| both)*(?: \w+ly)? {ADV}{_DONE} (?:up |mostly |entirely |locally |and \w+ |for us )*{_VIA} (.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check="thing-is",
    ),
    fact(
        "thing-is",
        rf"{_OWN_THING} {ADV}{_DOES} (?:\w+ly )?{_VIA} (.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check="thing-is",
    ),
    fact(
        "uses",
        rf"(?:{WE}|i'm|i am) {ADV}(?:stuck|standardi[sz]ed|settled|pinned|locked|invested|heavily|fully|relying|dependent|based|big|heavy|deploying|hosting|serving|building|testing|developing|writing|shipping|monitoring)(?: (?:users|everything|it all|stuff|things|in|heavily|mostly))? (?:on top of|on|in|to|into|with|off|from|users of|using) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="known",
    ),
    fact(
        "moved",
        r"(?:just |recently |finally )?(?:i|we)?(?:'ve)? ?(?:just |recently |finally |already |now )*(?:switched|migrated|moved|ported|converted|upgraded|bumped|rewrote|rebuilt|redid|ported) (?:us |everything |it all |it |all [^,]{2,25} |the [^,]{2,25}? |our [^,]{2,25}? |over )?(?:from .+? )?(?:over )?(?:to|onto|on|with|in|into|using) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="known",
    ),
    fact(
        "tool-first",
        r"([^,;:!?()]{1,35}?) (?:powers|backs|stores|serves|hosts|caches|renders|queues|fronts|sits (?:in front of|behind|between|on top of)|underpins|orchestrates|provisions|is (?:what|our|the \w+ we)|are our) ?(?:we use|we run)?\b.*",
        "Project uses {0}",
        "project",
        "code.stack",
        check="tool",
    ),
    fact(
        "tool-first",
        r"([^,;:!?()]{1,35}?) (?:handles|runs|drives|manages|does|takes care of|processes|covers|routes|feeds|schedules|builds|deploys|provides|gives us) (?:all |most of )?(?:our|the|my|all|everything|most|us)\b.*",
        "Project uses {0}",
        "project",
        "code.stack",
        check="known-tool",
    ),
    fact(
        "thing-is",
        r"(?:our|my|the|this|all|most|half|some|everything|it|both)\b[^,.;:!?()]{0,40}?(?: is| are|'s|'re) (?:still |all |mostly |plain |just |only |pure |an? |in |now |good old |vanilla |some |mainly |entirely |100% )*(.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check="thing-is",
    ),
    fact(
        "uses",
        rf"(?:i|we)(?:'ve| have)? {ADV}(?:gone with|gone for|been using|been on|been running|landed on|ended up (?:with|on)|opted for|decided on|committed to|got|love|swear by|pay for|pay|depend on|bet on|lean on|live in|standardi[sz]ed on|[a-z]+ (?:with|on|via|using|through|against|in)|[a-z]+ (?:them|everything|code|stuff|things) (?:with|on|via|using|through|in|to)) (.+)",
        "Team uses {0}",
        "project",
        "code.stack",
        check="listed",
    ),
    fact(
        "thing-is",
        r"[a-z]+(?: [a-z]+)?(?: is| are|'s) (?:still |all |mostly |plain |just |only |an? |in |on |done with |done in )*(.+)",
        "Project uses {0}",
        "project",
        "code.stack",
        check="thing-is",
    ),
    fact(
        "moving-on",
        rf"(we(?:'re| are|'ve|'ll)? {ADV}(?:moving|switching|transitioning|moved|went|changed|switched) (?:over )?(?:from .+ )?to .+)",
        "Project: {0}",
        "project",
    ),
)
