"""What a clause reveals in other languages than English: the plain statements, as data.

Owns rows for German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Turkish, Russian, Ukrainian, Japanese, Chinese, Korean, Hindi
and Arabic. Promises: the memory keeps the user's words. Must not know how clauses are cut.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainbrain.lifecycle.extract.clauses import Clause
from plainbrain.lifecycle.extract.rule import ExtractRule
from plainbrain.lifecycle.extract.slots import is_pointing, items, person_name, trim
from plainbrain.model.kinds import CORRECTION, FACT, PREFERENCE, PROCEDURE
from plainbrain.text.patterns import compiled

_NAME_TAGS, _WORK, _PLACE = ("identity.name", "personal"), ("identity.role", "work"), ("identity.location", "personal")
_STACK, _STYLE, _FLOW = ("project", "code.stack"), ("style", "preferences"), ("workflow", "process")


def _row(pattern: str, template: str, kind: str, tags: tuple[str, ...], *, check: str = "phrase") -> ExtractRule:
    return ExtractRule("other-language", "(?i)" + pattern, kind, template, tags, check)


def _names(pattern: str) -> ExtractRule:
    return _row(pattern, "The user's name is {0}", FACT, _NAME_TAGS, check="name")


def _uses(pattern: str, template: str = "Team uses {0}") -> ExtractRule:
    return _row(pattern, template, FACT, _STACK, check="list")


def _role(pattern: str) -> ExtractRule:
    return _row(pattern, "User is {0}", FACT, _WORK, check="short")


def _works(pattern: str) -> ExtractRule:
    return _row(pattern, "User works at {0}", FACT, ("identity.company", "work"))


def _lives(pattern: str) -> ExtractRule:
    return _row(pattern, "User is based in {0}", FACT, _PLACE)


def _likes(pattern: str) -> ExtractRule:
    return _row(pattern, "Prefers {0}", PREFERENCE, _STYLE)


def _avoids(pattern: str, kind: str = PREFERENCE) -> ExtractRule:
    return _row(pattern, "Avoids {0}", kind, _STYLE)


def _habit(pattern: str) -> ExtractRule:
    return _row(pattern, "Workflow: {0}", PROCEDURE, _FLOW)


_NO_JA = "[^、。,\\s]"
OTHER_LANGUAGES: tuple[ExtractRule, ...] = (
    # German
    _names(
        r"(?:^|[\s,.;:!?()'’-])(?:ich heiße|ich heisse|mein name ist|nenn mich) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _row(
        r"(?:^|[\s,.;:!?()'’-])arbeite (?:\w+ )?((?:bei|für|als) .+)",
        "User works {0}",
        FACT,
        ("identity.company", "work"),
    ),
    _lives(r"(?:^|[\s,.;:!?()'’-])(?:wohne|lebe|sitze|komme aus) (?:in |im |bei )?(.+)"),
    _role(
        r"^ich bin (?:(?:eine?|die|der) )?([^\s,.;:!?()]+(?:in|er|ist|or|ant|ent|eur|ekt|iker|leiter|entwickler)(?: (?:bei|für|an|in) .+)?)$"
    ),
    _uses(r"^wir (?:nutzen|benutzen|verwenden|setzen auf|arbeiten mit|entwickeln in|haben|deployen auf|sind auf) (.+)"),
    _uses(r"^ich (?:nutze|benutze|verwende|arbeite mit|programmiere in|entwickle in) (.+)", "User uses {0}"),
    _avoids(
        r"^(?:ich (?:hasse|mag kein(?:e|en)?|möchte kein(?:e|en)?|will kein(?:e|en)?)|bitte (?:nie|niemals|keine?)|(?:verwende|nutze|benutze) (?:bitte )?(?:nie|niemals|keine?n?)|keine?n?) (.+)"
    ),
    _likes(r"^ich (?:bevorzuge|mag(?: lieber)?|liebe|hätte lieber|arbeite am liebsten mit|ziehe) (.+)"),
    _habit(
        r"^((?:ich|wir) .*\b(?:immer|grundsätzlich|normalerweise|stets|jedes mal|zuerst)\b.+|(?:vor|nach) (?:dem|jedem|der) .+ (?:ich|wir) .+)"
    ),
    _likes(
        r"^(?:bitte )?((?:antworte|schreib|erklär|erkläre|sprich)(?: mir)?(?: bitte)?(?: immer)? (?:auf|in|kurz|knapp|mit) .+|(?:immer) .+)"
    ),
    # French
    _names(
        r"(?:je m'appelle|mon nom est|mon prénom est|appelle-moi|appelez-moi|moi c'est) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _row(
        r"(?:^|[\s,.;:!?()'’-])(?:je )?(?:travaille|bosse) ((?:chez|pour|à|comme|en tant que|au sein de) .+)",
        "User works {0}",
        FACT,
        ("identity.company", "work"),
    ),
    _lives(r"(?:j'habite|j'vis|je vis|habite|je suis basée?|je suis de) (?:à |au |en |dans )?(.+)"),
    _role(
        r"^je suis ((?:une? )?(?:développeu|ingénieu|design|chef|chercheu|étudiant|professeur|prof\b|analyst|architect|responsable|direct|médecin|infirmi|consultant|administrat|data|tech|devops|testeu|product|avocat|journaliste|freelance|rédact)[^\s,.;:!?()]*.*)"
    ),
    _uses(
        r"^(?:nous|on) (?:utilisons|utilise|travaillons avec|travaille avec|développe en|développons en|déploie sur|déployons sur|tourne sur|est sur|est passés? à) (.+)"
    ),
    _uses(r"^j'utilise (.+)", "User uses {0}"),
    _avoids(
        r"^(?:je (?:déteste|n'aime pas|ne supporte pas|ne veux pas de?)|n'utilisez? (?:jamais|pas)|évitez?|ne (?:mets|mettez|fais|faites) (?:jamais|pas)|pas d[e']) ?(.+)"
    ),
    _avoids(r"^arrêtez? (?:de |d')(.+)", CORRECTION),
    _likes(r"^(?:je préfère|j'aime(?: bien)?|j'adore|je voudrais toujours|je préférerais) (.+)"),
    _habit(
        r"^((?:je|nous|on|j') ?.*\b(?:toujours|d'habitude|normalement|systématiquement)\b.+|(?:avant|après) (?:de|chaque) .+)"
    ),
    _likes(r"^((?:réponds?|répondez|écris|explique)(?:-moi)? (?:toujours )?(?:en|avec|brièvement) .+|toujours .+)"),
    # Spanish
    _names(
        r"(?:me llamo|mi nombre es|llámame|puedes llamarme) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _row(
        r"(?:^|[\s,.;:!?()'’-])trabajo ((?:en|para|como|de) .+)", "User works {0}", FACT, ("identity.company", "work")
    ),
    _lives(r"(?:^|[\s,.;:!?()'’-])(?:vivo en|soy de|estoy basad[oa] en|resido en) (.+)"),
    _role(
        r"^soy ((?:una? )?[^,.;:!?()]*(?:or|ora|ista|iero|iera|ero|era|ente|ante|ico|ica|ogo|oga|tico|dor|dora|lead|fe|SRE|CTO)\b.*)$"
    ),
    _uses(
        r"^(?:nosotros )?(?:usamos|utilizamos|trabajamos con|programamos en|desplegamos en|corremos en|estamos con) (.+)"
    ),
    _uses(r"^(?:yo )?(?:uso|utilizo|programo en|desarrollo en) (.+)", "User uses {0}"),
    _avoids(r"^(?:odio|detesto|no me gustan?|no soporto|no uses|nunca uses|evita|no quiero|nunca|no pongas) (.+)"),
    _avoids(r"^(?:deja de|para de) (.+)", CORRECTION),
    _likes(r"^(?:yo )?(?:prefiero|me gustan?(?: más)?|me encantan?|preferiría) (.+)"),
    _habit(r"^(.*\b(?:siempre|normalmente|habitualmente)\b.+|(?:antes|después) de .+)"),
    _likes(r"^((?:responde|contesta|escribe|explica)(?:me)? (?:siempre )?(?:en|con|brevemente) .+)"),
    # Portuguese
    _names(
        r"(?:me chamo|chamo-me|meu nome é|o meu nome é|pode me chamar de) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _row(
        r"(?:^|[\s,.;:!?()'’-])trabalho ((?:na|no|em|para|como|com) .+)",
        "User works {0}",
        FACT,
        ("identity.company", "work"),
    ),
    _lives(r"(?:^|[\s,.;:!?()'’-])(?:moro (?:em|no|na)|vivo em|sou d[eoa]) (.+)"),
    _role(
        r"^(?:eu )?sou ((?:uma? )?[^,.;:!?()]*(?:or|ora|ista|eiro|eira|ente|ante|ico|ica|ogo|oga|dor|dora|lead|fe|SRE|CTO)\b.*)$"
    ),
    _uses(r"^(?:nós |a gente )?(?:usamos|utilizamos|usa|trabalhamos com|programamos em|rodamos (?:em|no|na)) (.+)"),
    _uses(r"^(?:eu )?(?:utilizo|uso|programo em) (.+)", "User uses {0}"),
    _avoids(r"^(?:eu )?(?:odeio|detesto|não gosto d[eoa]s?|não suporto|não use|nunca use|evite|não quero) (.+)"),
    _avoids(r"^(?:pare de|para de) (.+)", CORRECTION),
    _likes(r"^(?:eu )?(?:prefiro|gosto d[eoa]s?|adoro|gosto mais d[eoa]s?) (.+)"),
    _habit(r"^(.*\bsempre\b.+|(?:antes|depois) de .+)"),
    _likes(r"^((?:responda|responde|escreva|explique) (?:sempre )?(?:em|com) .+)"),
    # Italian
    _names(r"(?:mi chiamo|il mio nome è|chiamami) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"),
    _row(
        r"(?:^|[\s,.;:!?()'’-])lavoro ((?:in|per|come|da|alla|al|presso|a) .+)",
        "User works {0}",
        FACT,
        ("identity.company", "work"),
    ),
    _lives(r"(?:^|[\s,.;:!?()'’-])(?:vivo a|abito a|vivo in|abito in|sono di) (.+)"),
    _role(r"^sono ((?:un[oa']? ?)?[^,.;:!?()]*(?:ore|rice|ista|iere|iera|ente|ante|ologo|ologa|ico|dev|lead)\b.*)$"),
    _uses(r"^(?:noi )?(?:usiamo|utilizziamo|lavoriamo con|programmiamo in) (.+)"),
    _avoids(
        r"^(?:odio|detesto|non mi piacc?i?ono|non mi piace|non sopporto|non usare|evita|mai|smetti di|smettila di) (.+)"
    ),
    _likes(r"^(?:preferisco|mi piac(?:e|ciono)(?: di più)?|adoro) (.+)"),
    _habit(r"^(.*\b(?:sempre|di solito)\b.+|prima di .+)"),
    # Dutch, Swedish, Polish, Turkish
    _names(
        r"(?:ik heet|mijn naam is|jag heter|mitt namn är|nazywam się|mam na imię|benim adım|adım|jeg hedder|jeg heter|minun nimeni on|jmenuji se|mă numesc) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _works(
        r"(?:(?:^|[\s,.;:!?()'’-])werk bij|(?:^|[\s,.;:!?()'’-])jobbar på|(?:^|[\s,.;:!?()'’-])jobbar hos|(?:^|[\s,.;:!?()'’-])arbetar på|(?:^|[\s,.;:!?()'’-])pracuję w|(?:^|[\s,.;:!?()'’-])pracuje w|(?:^|[\s,.;:!?()'’-])jobber i|(?:^|[\s,.;:!?()'’-])arbejder hos) (.+)"
    ),
    _lives(r"(?:ik woon in|jag bor i|(?:^|[\s,.;:!?()'’-])bor i|mieszkam w|jeg bor i) (.+)"),
    _uses(
        r"^(?:we|wij) (?:gebruiken|werken met|draaien op) (.+)|^vi (?:använder|bruger|bruker|kör) (.+)|^(?:używamy|korzystamy z) (.+)|^(.+?)(?:['’]?[ıiuü]?)? kullanıyoruz"
    ),
    _likes(
        r"^(?:ik (?:geef de voorkeur aan|hou van|heb liever)|jag (?:föredrar|gillar)|(?:wolę|lubię|preferuję)|jeg (?:foretrækker|foretrekker)) (.+)|^(.+) tercih ederim"
    ),
    _avoids(
        r"^(?:gebruik (?:nooit|geen)|ik haat|jag hatar|använd (?:aldrig|inte)|nie używaj|nienawidzę|nie lubię|stop met|sluta(?: att)?) (.+)"
    ),
    _habit(r"^(.*\b(?:altijd|alltid|zawsze|her zaman)\b.+)"),
    # Russian, Ukrainian
    _names(
        r"(?:меня зовут|моё имя|мое имя|зовите меня|мене звати|моє ім'я) ([^\s,.;:!?()]+(?: (?-i:[A-ZÀ-ÝА-ЯŁŚŻ])[^\s,.;:!?()]+)?)"
    ),
    _works(r"(?:^|[\s,.;:!?()'’-])(?:работаю|працюю) (?:в|у|на) (.+)"),
    _lives(r"(?:^|[\s,.;:!?()'’-])(?:живу|я из|мешкаю|я з) (?:в |у |из )?(.+)"),
    _role(r"^я (?:работаю )?([^\s,.;:!?()]+(?:щик|чик|ист|ер|ёр|ор|тель|ик|лог|ник|тка|ница|ант|лид|ктор)(?: .+)?)$"),
    _uses(r"^(?:мы|ми) (?:используем|пишем на|работаем с|перешли на|використовуємо|пишемо на) (.+)|^у нас (.+)"),
    _uses(r"^я (?:использую|пишу на|використовую) (.+)", "User uses {0}"),
    _avoids(
        r"^(?:(?:я )?(?:ненавижу|не люблю|терпеть не могу)|не используй(?:те)?|никогда не|избегай|перестань(?:те)?|не надо) (.+)"
    ),
    _likes(r"^(?:я )?(?:предпочитаю|люблю|мне нравится|мне больше нравится|віддаю перевагу|надаю перевагу) (.+)"),
    _habit(r"^(.*(?:всегда|завжди|обычно).+|перед (?:мержем|слиянием|тем).+)"),
    _likes(r"^((?:отвечай|пиши|объясняй)(?:те)? .+)"),
    # Japanese, Chinese, Korean
    _names(
        rf"(?:私の名前は|名前は)?({_NO_JA}{{1,12}}?)(?:と申します|といいます|と言います)|(?:私の名前は|名前は)({_NO_JA}{{1,12}}?)です"
    ),
    _row(rf"(?:私は)?({_NO_JA}{{1,30}})を(?:しています|やっています|している)", "User is {0}", FACT, _WORK),
    _row(
        rf"(?:私は)?({_NO_JA}{{2,30}}(?:エンジニア|デザイナー|開発者|マネージャー|学生|教師|医師|研究者|プログラマー))です",
        "User is {0}",
        FACT,
        _WORK,
    ),
    _works(rf"({_NO_JA}{{1,30}}?)(?:で働いて|に勤めて|に勤務)"),
    _lives(rf"({_NO_JA}{{1,20}}?)(?:に住んで)"),
    _uses(
        r"(?:私たちは|うちは|弊社は|チームでは|プロジェクトでは)?([^。]{1,60}?)を(?:使っています|使用しています|利用しています|使ってます|採用しています)"
    ),
    _likes(r"([^。]{1,60}?)(?:の方が好き|のほうが好き|が好きです|を好みます|が好み)"),
    _avoids(r"([^。]{1,60}?)(?:が嫌い|は嫌い|は使わないで|を使わないで|は避けて|をやめて)"),
    _habit(r"([^。]*(?:必ず|いつも|常に|毎回)[^。]+)"),
    _names(r"(?:我叫|我的名字(?:是|叫)|叫我|我是)([^\s,.;:!?()]{2,4}|[A-Z][a-z]+)(?:$|[，,。\s])"),
    _row(
        r"我(?:是|做)(?:一名|一个|一位|个|名)?([^\s,.;:!?()]{0,16}(?:工程师|程序员|开发者|开发|设计师|经理|学生|老师|医生|研究员|架构师|分析师|产品经理))",
        "User is {0}",
        FACT,
        _WORK,
    ),
    _works(r"我?在([^\s,.;:!?()]{1,20}?)(?:工作|上班|任职|做)"),
    _lives(r"(?:我?住在|我在)([^\s,.;:!?()]{2,10})(?:$|[，,。生])"),
    _uses(r"(?:我们|我们团队|团队|项目|本项目|我)(?:都|一直|现在|主要)?(?:使用|用的是|用|采用|基于)([^，。,]{1,60})"),
    _likes(r"我(?:更|比较|一直)?(?:喜欢|偏好|偏爱|习惯用|倾向于)([^，。]{1,60})"),
    _avoids(r"(?:我(?:讨厌|不喜欢)|不要(?:再)?(?:使用|用)?|别(?:再)?用|请勿)([^，。]{1,60})"),
    _habit(r"((?:我们|我)?(?:总是|一直|每次|先)[^。]{3,60})"),
    _names(r"(?:제 이름은|저는|내 이름은) ?([^\s,.;:!?()]{2,4}?)(?:이고|입니다|이에요|예요|라고)"),
    _works(r"(?:저는 |나는 )?([^\s,.;:!?()]{2,20}?)(?:에서 일|에 다니|에서 근무)"),
    _lives(r"([^\s,.;:!?()]{2,12}?)에 (?:살아|살고|삽니다|거주)"),
    _uses(r"(?:우리는|저희는|우리 팀은|저는|저희 팀은)? ?([^.]{1,40}?)(?:을|를) (?:사용|써|쓰고|쓴|씁니다|이용)"),
    _likes(r"(?:저는 |나는 )?([^.]{1,40}?)(?:을|를|이|가) (?:선호|더 좋|좋아)"),
    _habit(r"([^.]*(?:항상|언제나|반드시)[^.]+)"),
    # Hindi, Arabic
    _names(r"मेरा नाम ([^\s,।]+) है"),
    _lives(r"(?:मैं )?([^\s,।]+) में रहत"),
    _works(r"(?:मैं )?([^\s,।]+) में काम कर"),
    _uses(r"हम ([^।]+?) (?:का उपयोग|इस्तेमाल|का इस्तेमाल|उपयोग)"),
    _names(r"(?:اسمي|أنا اسمي) ([^\s,.;:!?()]+)"),
    _works(r"أعمل (?:في|لدى) (.+)"),
    _lives(r"أعيش في (.+)"),
    _uses(r"(?:نستخدم|نحن نستخدم) (.+)"),
    _likes(r"(?:أفضل|أفضّل) (.+)"),
)


def in_other_languages(clause: Clause) -> Iterator[tuple[ExtractRule, str]]:
    """Yield (row, content) of what a clause says in another language; several rows may match one clause."""
    seen: set[tuple[str, ...]] = set()
    plain = clause.text.isascii()
    for rule in OTHER_LANGUAGES:
        if plain and not rule.pattern.isascii() and _is_foreign(rule.pattern):
            continue
        match = compiled(rule.pattern).search(clause.text)
        if not match or rule.tags in seen:
            continue
        slot = next((group for group in match.groups() if group), "")
        contents = _read(rule, slot)
        if contents:
            seen.add(rule.tags)
            yield from ((rule, rule.template.format(content)) for content in contents)


def _is_foreign(pattern: str) -> bool:
    """Whether a pattern asks for letters of another script than Latin, so that a plain text cannot match it."""
    return not any(char.isascii() and char.islower() for char in pattern.replace("(?i)", "").replace("\\s", ""))


def _read(rule: ExtractRule, slot: str) -> tuple[str, ...]:
    if rule.check == "name":
        name = person_name(slot, told=True)
        return (name,) if name else ()
    if rule.check == "list":
        return items(slot, loose=True)
    slot = trim(slot)
    if not slot or is_pointing(slot) or (rule.check == "short" and len(slot.split()) > 8):
        return ()
    return (slot,)
