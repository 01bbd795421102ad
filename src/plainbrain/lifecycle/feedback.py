"""What a user says after an answer: praise, blame or neither.

Owns the words of success and failure in many languages and how a negation, a contrast and a question turn them.
Promises: thanks alone is praise as in agent-brain, but never against a complaint; doubt is neutral. Must not know
memories: what a verdict does to one is the caller's.
"""

from __future__ import annotations

from typing import Literal

from plainbrain.text.patterns import compiled, searchable

Verdict = Literal["positive", "negative", "neutral"]

_LETTER = r"[\s,.;:!?()'’…~*-]"
#: Failure in so many words, negations included; sought first, and taken out before success is sought.
_BAD = (
    r"(?:(?:did|does|do|is|was|are|were|has|have|had|could|would|can|will)(?:n't|nt| not)|not|never|no longer|hardly|barely|didn't really|wish (?:it|that|this) (?:had|would)|without having|stopped|isn't really|wasn't)(?: [^\s,.;:!?()]+){0,2}? (?:work(?:s|ed|ing)?|help(?:s|ed|ful|ing)?|useful|right|correct|resolved?|solved?|fix(?:ed|es)?|good|great|true|accurate|what i (?:wanted|asked|meant|need(?:ed)?)|it|enough|better|compile[sd]?|run(?:s|ning)?|pass(?:es|ed)?|happy|satisfied|quite|apply|change[sd]?|anything)",
    r"(?:wrong|incorrect|broken|breaks|broke|fail(?:s|ed|ing|ure)?|useless|unhelpful|outdated|nonsense|worse|terrible|awful|horrible|rubbish|garbage|hallucinat\w+|made up|misleading|inaccurate|off the mark|missed the point|waste of time|crash(?:es|ed|ing)?|unfortunately|stale|bad (?:answer|advice|idea|suggestion)|disappoint\w*|out of date|obsolete)",
    r"(?:same (?:error|problem|issue|result|thing|bug)|still (?:fails?|failing|broken|the same|not|doesn't|getting|see(?:ing)?|wrong|crash\w*|throws?|an error|errors|happens|no)|no (?:luck|good|difference|effect|help|use|change|dice|joy)|not? (?:at all|even close|really)|nope|thumbs down|makes? no sense|(?:would|could|might) have (?:been|worked|helped)|it worked (?:before|until|yesterday)|used to work|another error|new error|nothing changed|that's not|that isn't|this isn't|this is not|that is not|i didn't ask|not what)",
    r"(?:thanks for nothing|nothing (?:works|worked|helps|helped|changed)|could be better|could have been better|not quite|not there yet|almost|nearly|close but|meh|ugh|wtf|annoying|frustrat\w+|confusing|too (?:slow|long|complicated|verbose|vague)|nada (?:funciona|cambia|cambió)|nada (?:funcionou|mudou)|rien (?:ne |n')?(?:marche|fonctionne|changé)|niente funziona|nichts (?:geht|gebracht|geändert|hilft)|ничего не [^\s,.;:!?()]+|revert(?:ed)? (?:it|this|that|your)|undo (?:it|this|that)|had to (?:fix|redo|rewrite|undo|revert) [^\s,.;:!?()]+)",
    r"👎|😡|😞|🙁|☹|😠|❌|:\(|:-\(",
    # German, Dutch, Scandinavian
    r"(?:nicht (?:[^\s,.;:!?()]+ ){0,2}?(?:geholfen|funktioniert|geklappt|richtig|gelöst|hilfreich|gut|gestimmt|was ich|mehr)|(?:funktioniert|klappt|hilft|stimmt|geht|läuft|ging|half) (?:[^\s,.;:!?()]+ ){0,3}?nicht|falsch|leider|immer noch|kaputt|veraltet|gleiche[rn]? fehler|unbrauchbar|schlecht|nein|werkt niet|helpt niet|hielp niet|verkeerd|niet goed|fungerar inte|hjälpte inte|virker ikke|hjalp ikke|fel svar)",
    # French, Spanish, Portuguese, Italian
    r"(?:(?:ne |n')?(?:marche|fonctionne|aide|aidé|marché|fonctionné|résolu|sert|suffit) (?:[^\s,.;:!?()]+ )?(?:pas|rien|plus)|pas (?:[^\s,.;:!?()]+ )?(?:marché|fonctionné|aidé|résolu|utile|bon|correct|ça|juste)|faux|fausse|toujours (?:la même|une?|cassé|pas)|même erreur|malheureusement|périmé|cassé|inutile)",
    r"(?:no (?:[^\s,.;:!?()]+ ){0,2}?(?:funciona|funcionó|sirve|sirvió|ayuda|ayudó|es correcto|es así|resuelve|resolvió|va|compila)|está mal|incorrect[oa]|mismo error|sigue (?:fallando|igual|sin)|desgraciadamente|lamentablemente|desactualizad[oa]|falla|falló|equivocad[oa])",
    r"(?:não (?:[^\s,.;:!?()]+ ){0,2}?(?:funciona|funcionou|ajuda|ajudou|resolve|resolveu|está certo|deu certo|é isso|serviu|deu)|errad[oa]|mesmo erro|infelizmente|ainda (?:não|dá|falha|o mesmo)|piorou|non (?:[^\s,.;:!?()]+ ){0,2}?(?:funziona|ha funzionato|aiuta|va|è corretto|serve|è giusto)|sbagliat[oa]|stesso errore|purtroppo)",
    # Slavic, Turkish
    r"(?:не (?:[^\s,.;:!?()]+ ){0,2}?(?:работает|помогло|помог|помогает|сработало|то|верно|так|правильно|заработало|получилось|вышло|працює|допомогло)|неверно|неправильно|сломал[^\s,.;:!?()]*|та же ошибка|всё ещё|все еще|ошибка|к сожалению|устарел[^\s,.;:!?()]*|хуже|nie (?:[^\s,.;:!?()]+ )?(?:działa|pomogło|zadziałało|pomaga)|źle|błąd|niestety|nefunguje|çalışmadı|çalışmıyor|olmadı|yanlış|işe yaramadı|hata)",
    # Chinese, Japanese, Korean
    r"不好用|没用|没有用|不行|不对|错了|不工作|没解决|没有解决|还是(?:报错|不|一样|失败|错)|报错|失败|沒有用|無效|无效|过时|没帮助|帮不上|駄目|だめ|ダメ|動かな|動きません|違いま|違う|間違|うまくいきません|うまくいかな|解決しま(?:せん|せんでした)|役に立ちません|エラー|안 ?(?:돼|됐|되|됩)|틀렸|아니에요|작동하지|해결되지|도움이 (?:안|되지)|오류",
    # Arabic, Hindi, Hebrew
    r"لم (?:ينجح|يعمل|يساعد|تنجح|تعمل|يفد)|لا (?:يعمل|تعمل|ينفع)|خطأ|काम नहीं|गलत|मदद नहीं|नहीं (?:हुआ|चला|चल)|לא (?:עבד|עובד|עזר)",
)
#: Success. "Not bad" and "no problem" are success, too, and are sought before failure.
_TURNED = (
    r"(?:not (?:too |half |that |so )?(?:bad|wrong)|no (?:more )?(?:problems?|issues?|errors?|complaints|crash(?:es)?|bugs?|failures?)(?: (?:at all|any ?more|now|left|so far))?|no longer (?:crash\w*|fail\w*|broken|break\w*|happens|an issue|throws|errors)|never (?:seen|been|had|worked) [^,.;:!?()]{0,30}?(?:fast|good|better|well|smooth\w*|clean|clear)|(?:didn't|don't|never) (?:think|expect|believe)[^,.;:!?()]{0,40}? but|(?:fixed|solved|resolved) the (?:error|bug|issue|problem|crash|failure)|stopped (?:crashing|failing|throwing|breaking)|(?:error|bug|issue|problem|crash)s? (?:is |are |was |were )?(?:gone|fixed|solved|resolved|went away|disappeared)|doesn't (?:crash|fail|break|throw|happen) (?:any ?more|now)|couldn't (?:be|have been) (?:better|happier)|can't complain|nicht schlecht|kein(?:e)? (?:fehler|probleme?)(?: mehr)?|pas mal|plus (?:d'erreur|de problème|aucun problème)|sin (?:errores|problemas)|sem (?:erros|problemas)|без ошибок|ошибок (?:больше )?нет|没问题|沒問題|不错|不報錯|不报错了|問題(?:なし|ありません)|문제없)",
)
_GOOD = (
    r"(?:work(?:s|ed)(?: (?:now|great|perfectly|fine|well|like a charm|a treat|beautifully|for me|as expected))?|help(?:s|ed|ful)|thanks?|thank you|thx|ty|cheers|great|perfect(?:ly)?|excellent|awesome|amazing|brilliant|fantastic|wonderful|nice(?: one)?|lovely|love (?:it|this|that)|exactly|spot.on|nailed it|wow|saved (?:my day|me|my life|us)|looks (?:good|great|perfect|right)|lgtm|ship it|impressive|neat|sweet|clever|working now|sorted|makes sense now|better|magic|solved|resolved|fixed|did the trick|well done|good (?:job|catch|call|answer|point|work|one|stuff)|useful|correct|that's right|that was it|that's it|beautiful|superb|much better|all good|all green|passes|passing|compiles|runs now|runs fine|lifesaver|life saver|you rock|legend|appreciate|bingo|yay|hooray|success|kudos|what i (?:needed|wanted|was looking for))",
    r"👍|🎉|❤|🙏|😊|💯|✅|🚀|😀|😍|👏|👌|:\)|:-\)|:D",
    r"(?:danke|dankeschön|geholfen|funktioniert|klappt|geklappt|super|perfekt|prima|toll|gelöst|genau|hilfreich|läuft|stimmt|top|klasse|bedankt|werkt|geholpen|tack|takk|tak|funkar|virker|fungerar)",
    r"(?:merci|parfait|génial|ça marche|ça a marché|marche|a marché|fonctionne|a fonctionné|utile|résolu|impeccable|nickel|bravo|excellente?|super)",
    r"(?:gracias|perfecto|funcionó|funciona|genial|excelente|resuelto|solucionado|útil|ayudó|sirvió|estupendo|buenísimo|obrigad[oa]|perfeito|funcionou|ótimo|ajudou|resolveu|resolvido|valeu|deu certo|grazie|perfetto|funziona|ha funzionato|risolto|ottimo|utile|grande)",
    r"(?:спасибо|работает|заработал[оа]?|помогло|помог|отлично|супер|идеально|класс|решено|получилось|сработало|верно|дякую|працює|допомогло|dzięki|dziękuję|działa|zadziałało|świetnie|pomogło|díky|funguje|teşekkürler|teşekkür|sağol|çalıştı|oldu|harika|süper|işe yaradı)",
    r"谢谢|多谢|感谢|謝謝|太好了|太棒|好用|有用|有帮助|解决了|成功|可以了|完美|搞定|很好|ありがとう|助かりました|うまくいきました|動きました|解決しました|完璧|できました|素晴らしい|最高|감사|고마워|고맙|됐어요|됩니다|해결됐|해결되었|도움이 (?:됐|되었)|완벽|잘 (?:돼|됐|되|작동)|최고",
    r"شكرا|شكراً|نجح|يعمل|ممتاز|رائع|धन्यवाद|शुक्रिया|काम कर गया|बढ़िया|मदद मिली|תודה|עובד|מעולה",
)
#: What makes praise not yet praise: later, a question, a promise to try, talk of something else.
_NOT_YET = (
    r"(?:i'll|i will|will|let me|going to|gonna|about to|have yet to|haven't) (?:[^\s,.;:!?()]+ ){0,2}?(?:try|look|check|test|see|read|get back|let you know|report)|later|tomorrow|not sure|no idea yet|we'll see|trying (?:it|that|this) now",
    r"probiere|versuche|schaue|mal sehen|später|je vais|on verra|plus tard|voy a|veremos|más tarde|luego|vou (?:testar|tentar|ver)|proverò|попробую|посмотрю|позже|试试|试一下|看看|試して|試します|やってみ|해볼게|해 볼게|볼게요",
)
_ELSEWHERE = r"^(?:i|we|he|she|they|the|a|an|my|our|great question) (?:worked|works|helped|thanked|fixed (?:a|the|my|our)|solved (?:a|the)|helpful|question|great|work)\b|^(?:add|write|make|create|use|show|please|can|could|how|what|why|when|where|which|who)\b|\bgreat (?:question|idea for)|\b(?:needs?|wants?) (?:a|an|to)\b|-hints?\b"


def judge_feedback(text: str) -> Verdict:
    """Return whether feedback is positive, negative or neutral; after a "but" the last word counts."""
    plain = searchable(text[:2000]).lower().replace("’", "'").replace("‘", "'").strip()
    sentences = [part.strip() for part in compiled(r"(?:[.!;。！\n…]+(?:\s|$)|[。！])").split(plain) if part.strip()]
    votes = [_vote(sentence) for sentence in sentences]
    if "negative" in votes:
        return "negative"
    if compiled(_any(_NOT_YET)).search(plain):
        return "neutral"
    return "positive" if "positive" in votes else "neutral"


def _vote(sentence: str) -> Verdict:
    if (
        sentence.endswith(("?", "？", "؟"))
        or sentence.startswith("¿")
        or compiled(r"(?:吗|嗎|ですか|ますか|까요)$").search(sentence)
    ):
        return "neutral"
    head, contrast = _split_contrast(sentence)
    if contrast:
        last = _vote(contrast)
        return last if last != "neutral" else _judge(head)
    return _judge(sentence)


def _split_contrast(sentence: str) -> tuple[str, str]:
    """Split at the last word of contrast; what stands after it is what counts."""
    cuts = list(
        compiled(
            r"(?:,| )(?: ?)(?:but|however|though|although|except|yet|aber|jedoch|mais|pero|mas|però|ma|но|однако|ale|fakat|ama)(?: |, )|但是|可是|不过|但|けど|ですが|が、|하지만|지만"
        ).finditer(sentence)
    )
    if not cuts:
        return sentence, ""
    return sentence[: cuts[-1].start()], sentence[cuts[-1].end() :].strip()


def _judge(sentence: str) -> Verdict:
    turned = compiled(_any(_TURNED))
    good = turned.search(sentence) is not None
    rest = turned.sub(" ", sentence)
    bad = compiled(_any(_BAD))
    if bad.search(rest):
        return "negative"
    if compiled(_ELSEWHERE).search(rest):
        return "positive" if good else "neutral"
    return "positive" if good or compiled(_any(_GOOD)).search(rest) else "neutral"


def _any(patterns: tuple[str, ...]) -> str:
    """Join patterns; a word must stand whole, but for scripts and marks that know no word edges."""
    return "|".join(
        f"(?:^|{_LETTER})(?:{each})(?:{_LETTER}|$)" if _has_edges(each) else f"(?:{each})" for each in patterns
    )


def _has_edges(pattern: str) -> bool:
    return pattern.startswith("(?:")
