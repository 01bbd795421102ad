"""Judging what stands around a secret: is this candidate one, seen the words before and after it?

Owns one judge for each kind of candidate; a judge takes the find and the whole text. Must not know patterns.
"""

from __future__ import annotations

from plainbrain.lifecycle.secrets.values import entropy, is_password, is_placeholder, looks_random
from plainbrain.lifecycle.secrets.words import DIGESTS
from plainbrain.text.patterns import Found, words

_URL_DEFAULTS = frozenset(
    words("""
    password pass passwd pwd user username secret token pw p x-oauth-basic key apikey api_key mypassword
    """)
)
_JOINING = frozenset(words("the is in to of a and must should be with for it we are on our not at from as"))
_ROLES = frozenset(
    words("""
    editor viewer owner root admin guest user reader writer member superuser administrator ssh sudo google github
    """)
)


def ends(found: Found, text: str) -> bool:
    """Tell whether the sentence, or the part that names the secret, ends after the find."""
    value = found.value
    rest = text[found.value_start + len(value) :].lstrip("\"'`”’»*_)")
    if value[-1:] in ".,;!)" or not rest.strip():
        return True
    return rest[0] in ".,;!?)\n" or rest.lstrip(" ").startswith(
        (
            "and ",
            "but ",
            "for ",
            "on ",
            "und ",
            "für ",
            "pour ",
            "para ",
            "et ",
            "y ",
            "e ",
            "(",
            "- ",
            "— ",
            "– ",
            "/ ",
            "not ",
            "by the way",
            "btw",
        )
    )


def quoted(found: Found, text: str) -> bool:
    """Tell whether the find stands after an opening quote."""
    return text[found.value_start - 1 : found.value_start] in tuple("\"'`“‘«„*") and found.value_start > 0


def password_value(found: Found, text: str) -> bool:
    """Tell whether what follows "the password is" is one, not a remark about passwords."""
    value = found.value
    noun = found.groups[0].lower() if found.groups else ""
    if noun in ("pass", "pin code", "pw") and value.lower() in ("tests", "through", "over"):
        return False
    return is_password(value, ends=ends(found, text), quoted=quoted(found, text))


def cjk_value(found: Found, text: str) -> bool:
    """Tell whether a run of printable ASCII after a noun of an unspaced script is a password."""
    value = found.value.strip(".,;:!?()[]\"'`")
    return (
        not is_placeholder(value)
        and len(value) >= 4
        and (any(c.isdigit() for c in value) or not value.isalpha() or len(value) >= 6)
        and is_password(value, ends=True, quoted=True)
    )


def key_value(found: Found, text: str) -> bool:
    """Tell whether a long word after "key" or "token" is one, not a digest or an id."""
    value = found.value.strip(".,;:!?()[]\"'`")
    if len(value) < 16 or not looks_random(value, floor=3.0 if len(value) < 40 else 2.8):
        return False
    before = text[max(0, found.start - 40) : found.value_start].lower()
    return not any(word in before for word in DIGESTS)


def url_password(found: Found, text: str) -> bool:
    """Tell whether what stands between ``user:`` and ``@host`` is a password, not a document's stand-in."""
    user, value = found.groups[0].lower(), found.value
    lowered = value.lower()
    if is_placeholder(value) or lowered in _URL_DEFAULTS or (lowered == user and "@localhost" in text):
        return False
    return not (value.isupper() and value.replace("_", "").isalpha())


def header_value(found: Found, text: str) -> bool:
    """Tell whether what follows an authorization scheme is a credential."""
    value = found.value
    if is_placeholder(value) or len(value) < 8:
        return False
    return (
        looks_random(value, floor=2.5)
        or value.endswith("=")
        or (len(value) >= 14 and entropy(value) >= 3.5 and value.islower() and "-" not in value)
    )


def flag_value(found: Found, text: str) -> bool:
    """Tell whether the value of an option or a clause of SQL is a password."""
    value = found.value
    if value[:1] in "-$<[{(" or is_placeholder(value):
        return False
    return is_password(value, ends=True, quoted=True) and not value.startswith(("file:", "env:", "stdin"))


def command_password(found: Found, text: str) -> bool:
    """``mysql -p mydb`` asks for a password and names a database; ``-pS3cret`` gives one."""
    apart = text[found.value_start - 1] == " "
    asks = apart and text[found.start : found.start + 5] in ("mysql", "maria")
    return not asks and not found.value.isdigit() and not found.value.startswith(("assword", "ort", "/"))


def pair_value(found: Found, text: str) -> bool:
    """Tell whether the second of a pair is a password: no role, and beside ``root`` or ``admin`` a plain word will do."""
    value = found.value
    if value.lower() in _ROLES or "." in found.groups[0]:
        return False
    if is_password(value, ends=ends(found, text), quoted=quoted(found, text)):
        return True
    return (
        found.groups[0].lower() in ("root", "admin", "administrator")
        and value.isalpha()
        and value.istitle()
        and ends(found, text)
    )


def login_pair(found: Found, text: str) -> bool:
    """Tell whether ``user / word`` is a login, not a path, an address or two roles."""
    after = text[found.value_start + len(found.value) :][:1]
    if "://" in text[found.start : found.value_start + 2] or (
        after and not after.isspace() and after not in "\"'`.,;:!?)"
    ):
        return False
    return pair_value(found, text)


def pin_value(found: Found, text: str) -> bool:
    """``pin 3456 items`` and ``tan 45`` are other things: a bare number needs the capitals or a joining word."""
    said = text[found.start : found.value_start]
    name = said[:3]
    joined = any(
        mark in said.lower()
        for mark in (" is ", ":", "=", "code", " ist ", " lautet ", " est ", " es ", " to ", " é ", " è ")
    )
    return (
        (joined or name.isupper())
        and not (name.islower() and name in ("tan", "pin") and not joined)
        and text[found.start : found.start + 1] != "_"
        and pin_ends(found, text)
    )


def pin_ends(found: Found, text: str) -> bool:
    """Tell whether nothing after a number makes it a count of something."""
    after = text[found.value_start + len(found.value) :].lstrip("\"'`*")[:8].lower()
    return not after.startswith(
        (" item", " to ", " step", " time", "%", " ms", " s ", " err")
    ) and not found.value.startswith("*")


def phrase_value(found: Found, text: str) -> bool:
    """Tell whether a run of words is a seed or pass phrase: four or more, none of them a joining word."""
    run = [word.strip(".,0123456789") for word in found.value.split()]
    return sum(bool(word) for word in run) >= 4 and not _JOINING.intersection(run)


def always(found: Found, text: str) -> bool:
    """Tell only that the value is no stand-in: the syntax around it is proof enough."""
    return not is_placeholder(found.value)


def is_port(value: str) -> bool:
    """``http://host:8080/a@b`` has a port before its path, not a password."""
    head = value.split("/")[0]
    return "/" in value and head.isdigit()


def strong(value: str) -> bool:
    """Tell whether a bare word looks like a password by itself: letters with digits or marks, no plain word."""
    core = value.strip(".,;:?()[]\"'`“”‘’")
    marks = any(not char.isalnum() and char not in "-_./'’:@" for char in core.rstrip("!"))
    digits = any(char.isdigit() for char in core)
    letters = any(char.isalpha() for char in core)
    if not letters or len(core) < 5 or core.lower().startswith(("http", "v1", "v2")) or is_placeholder(core):
        return False
    return (
        (digits and (not core[0].isdigit() or len(core) >= 8) and looks_random(core, floor=1.8))
        or (marks and (digits or core.endswith("!")))
        or (digits and core[-1].isdigit() and core[0].islower() and len(core) >= 7 and "-" not in core)
    )


def named_password(found: Found, text: str) -> bool:
    """Tell whether the words between a user and a value name a password."""
    between = text[found.start : found.value_start].lower()
    return any(word in between for word in ("pass", "pw", "kennwort", "contraseña", "senha", "mot de"))


def grouped(value: str) -> bool:
    """Tell whether groups of characters are a code: ``abcd efgh ijkl mnop``, ``A1B2-C3D4-E5F6``."""
    groups = value.replace("-", " ").split()
    if len({len(group) for group in groups}) > 2 or len(groups) < 2:
        return False
    if all(group.isalpha() and group.islower() for group in groups):
        return len(groups) == 4 and all(len(group) == 4 for group in groups) and entropy(value) > 3.0
    return any(char.isdigit() for char in value) and all(
        not group.isalpha() or group.isupper() or len(group) == 4 for group in groups
    )
