"""Questions that name nothing: "who is it", "tell me more", "qui est-ce".

Owns the words that say nothing by themselves, in the languages most written here. They are no stop words: as soon as one word
names something, all count as ever. Left out on purpose are small words that name something in another of these
languages (war, die, plus). Pure.
"""

from __future__ import annotations

from functools import lru_cache

from plainbrain.retrieval.parse import STOP_WORDS
from plainbrain.text.tokens import tokens_of

_SAID = """
anybody anyone anything else everything hello hey hi know maybe nobody nothing now ok okay one ones please remember say
said somebody someone something tell thank thanks think told us want well yes
aber auch bin bist bitte da dann das dem der dich dir doch du ein eine einen er es etwas gibt habe haben hat ich ihr ihm ist ja jetzt
kann kannst mich mir nein nicht noch nun oder sag sie sind und von wann warum was weiss welche welcher welches wem wen wenn wer wie
wir wo zu
au aux avec c ce cela ces cest cet cette ceux comment d dans de des dis donc du elle elles en encore est et eux il ils j je jai
l la le les leur lui ma mais me merci moi mon n ne nous on ou oui qu quand que quel quelle quelles quels quest qui quoi sa se ses
son sont sur ta te toi tu un une vous y
algo alguien aqui asi como con cual cuales cuando cuanto da del dime donde e ella ello ellos el en era eres esa ese eso esta
este esto estos fue ha hay las lo los mas mi mis muy nada o para pero por porque pues quien quienes si sobre su sus tambien ti
tiene una uno unos usted y ya yo
che chi ci come cosa cosi da dei della di dove e ed gli ho i io lei loro ma mia mio noi non perche quale quali quando quello questa
questo sei siamo sono tra un uno voi
ainda aquele aquilo com das do dos ela ele eles em essa esse esta foi isso isto mais meu minha na nao nas no nos o os ou pela pelo pra
quem qual quais sao se sim sua tem uma voce
dat deze dit een en er heb het hij hoe ik is je jij maar naar niet nu of ook op van waar waarom wanneer wat welke wie wij ze zij zijn
а в вы где да до его ее если еще же за и из или их к как какая какие какой когда кто ли мне мы на не него нет но ну о об он она они
оно от по почему с так там то тот ты у что чего чем это этот я
est-ce qu'est-ce c'est 这是什么 那是什么 这是谁 他是谁 她是谁 是谁 怎么样 为什么 これは何ですか それは何ですか 誰ですか 이것은 무엇입니까 그게 뭐야 누구야
"""
#: Small words by which something may be meant when they stand alone.
_MEANT = frozenset({"id", "us", "may", "own", "let", "c", "d", "e"})


def names_something(text: str) -> bool:
    """Tell whether a question has a word that says what it is about."""
    tokens = set(tokens_of(text))
    return not tokens <= _small() or (len(tokens) == 1 and tokens <= _MEANT)


@lru_cache(maxsize=1)
def _small() -> frozenset[str]:
    return STOP_WORDS | frozenset(tokens_of(_SAID))
