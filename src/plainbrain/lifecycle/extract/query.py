"""From a message to the few words to search by.

Owns ``derive_query``. Promises: any script; words keep their form, so that the index may stem them in its own way.
Must not know the index.
"""

from __future__ import annotations

from plainbrain.text.patterns import compiled, searchable, words

#: As many words as agent-brain's loop searches by.
MOST_WORDS = 5
_WORD = r"[\pL\pN_][\pL\pN\p{M}_]*(?:[.'’+#/-]+[\pL\pN_][\pL\pN\p{M}_]*)*[+#]{0,2}"
#: The same within ASCII, in lower case: the letters of all scripts take some milliseconds to compile.
_PLAIN_WORD = r"[a-z0-9_]+(?:[.'+#/-]+[a-z0-9_]+)*[+#]{0,2}"
_FUNCTION = frozenset(
    words(
        "a an the and or but if so than then that this these those is am are was were be been being do does did done doing have has had having can could will would shall should may might must "
        "i i'm im i've i'd me my mine we we're we've us our you your yours he she it it's its they them their his her to of in on at by for from with without into onto over under about up out off as not no "
        "what which who whom whose when where why how there here very just also like all any some each every always never only more most such too use using used "
        "please thanks thank hi hey hello ok okay yes let lets let's need want help get got make made don't doesn't didn't can't won't isn't aren't "
        "ich du er sie es wir ihr der die das ein eine einen und oder ist sind war nicht mit auf für von zu im den dem wie was kann bitte mir mich uns "
        "je tu il elle nous vous le la les un une des du de et ou est sont pas avec sur pour dans que qui quoi ce cette mon ma mes comment "
        "el los las una y o es son no con por para en que qué cómo como mi mis me se lo al del su os as um uma e não com em do da dos das no na meu minha il lo gli di è per che non "
        "и в на не с по из у к о а но что как это мы я ты он она они вы мой наш для от за де та і"
    )
)


def derive_query(message: str) -> str:
    """Return up to five words of a message that say what it is about, in its order; short of any, the message itself."""
    found = list(dict.fromkeys(words_of(searchable(message[:4000]).lower())))
    telling = [
        word for word in found if word.replace("’", "'") not in _FUNCTION and (len(word) > 1 or not word.isascii())
    ]
    if telling:
        return " ".join(telling[:MOST_WORDS])
    return " ".join([word for word in found if len(word) >= 3][:MOST_WORDS]) or message.strip()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, in any script, each as it is written."""
    found: list[str] = compiled(_PLAIN_WORD if text.isascii() else _WORD).findall(text)
    return found
