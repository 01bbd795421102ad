"""Whether a value that stands where a secret would stand is one.

Owns: placeholders, references to where a secret is kept, plain words, identifiers, and the look of chance.
Promises: each judgement is one pass over a short value. Must not know the rules that found the value.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise

from plainbrain.text.patterns import words

#: Any of these inside a value means that somebody wrote a stand-in.
_STAND_INS = words("""
    example xxxx **** •••• ____ your_ your- <your yourtoken yourkey yourpass placeholder redacted changeme
    change_me change-me replaceme replace_me replace-me insert_ insert- todo dummy fixme _here -here notreal
    not-real not_real fake_ fake- masked sanitized ${ {{ }} $( %( <% process.env os.environ os.getenv getenv env.
    env[ secrets. vars. vault: vault. sops: op:// ssm:// arn:aws keychain [secret: [redacted #{ mock_ mock-
    sample_ sample-
    """)
#: Whole values that are a word about secrets, a type, a state or a default of documents.
_WORDS = frozenset(
    words("""
    password passwd pass pwd passwort kennwort secret secrets token tokens key keys credential credentials
    username user admin login foo bar baz null none nil undefined true false yes no on off empty unset blank
    string str int integer number bool boolean object bytes text char varchar any optional required mandatory
    default disabled enabled hidden encrypted hashed salted rotated expired invalid wrong incorrect missing weak
    strong stored saved kept managed generated random unknown unchanged changed reset set loaded read fetched
    passed sent given provided supplied shared needed not never always only also still already now just too very
    rather really probably maybe the a an in at by for from to of with without via as it this that these those
    there here what which who whose when where why how and or but if because so than then he she they we you i me
    my our your their his her its us them basic bearer digest oauth oauth2 jwt saml sso oidc ldap kerberos hmac
    rsa aes sha256 sha512 md5 bcrypt argon2 scrypt pbkdf2 base64 hex utf-8 confidential sensitive private public
    internal external secure insecure safe unsafe long short bad good fine broken correct right same different
    something anything nothing everything somewhere elsewhere more less enough characters digits letters minimum
    maximum least test testing tests prod production staging dev development local localhost env environment
    config vault file files keychain bitwarden 1password lastpass header headers body query cookie cookies request
    response session sessions field fields column input output form value values name names type unique leaked
    compromised revoked refreshed cached signed verified validated checked compared logged printed trimmed escaped
    masked redacted limit limits budget count counts usage price cost window length size max min total context
    stream nicht kein keine der die das ein eine im am bei wird wurde ist gespeichert verschlüsselt falsch
    abgelaufen sicher geheim lang kurz le la les un une dans pas est sont stocké stockée oublié chiffré el los las
    una en está guardada guardado cifrada olvidada incorrecta o os um uma na não criptografada salva expirada il
    lo gli nel non è salvata het de een niet opgeslagen не в на это хранится нужен неверный изменён забыт är inte
    er ikke ei nie jest
    """)
)
#: Endings of words that describe a secret rather than are one.
_ENDINGS = (
    "ed",
    "ing",
    "able",
    "ible",
    "ly",
    "ment",
    "tion",
    "ation",
    "ized",
    "ised",
    "less",
    "ful",
    "ous",
    "ive",
    "ent",
    "ant",
    "ory",
    "ary",
    "ert",
    "iert",
    "ada",
    "ado",
    "ées",
    "ée",
    "é",
)
_CODE_MARKS = ("(", ")", "=>", "::", "->", "[]", "&&", "||", "==", "!=")


def entropy(value: str) -> float:
    """Return the Shannon entropy of a value in bits a character."""
    counts, size = Counter(value), len(value)
    return -sum(n / size * math.log2(n / size) for n in counts.values()) if size else 0.0


def is_placeholder(value: str) -> bool:
    """Tell whether a value is a stand-in or a reference: ``<token>``, ``${TOKEN}``, ``xxxx``, ``your-key``."""
    lowered = value.lower()
    if any(mark in lowered for mark in _STAND_INS) or value[:1] in "<$%[{" or value[-1:] in ">":
        return not _is_dollar_password(value)
    core = "".join(char for char in lowered if char.isalnum())
    if not core or "..." in value or "…" in value:
        return True
    tail = core[-12:]
    return len(set(tail)) == 1 and (tail[0] in "x0" or len(core) < 8)


def _is_dollar_password(value: str) -> bool:
    """``$um-mer22!`` is a password, ``$PASSWORD`` and ``$1`` are references."""
    if value[:1] not in "$%[{" or any(mark in value.lower() for mark in _STAND_INS):
        return False
    rest = value[1:]
    return rest[:1] not in "({" and not _is_name(rest) and any(not char.isalnum() and char != "_" for char in rest)


def _is_name(value: str) -> bool:
    return value.replace("_", "").isalnum() and not value[:1].isdigit()


def looks_random(value: str, floor: float = 2.6) -> bool:
    """Tell whether a token looks drawn by chance: letters and digits mixed, and enough entropy (bits a character)."""
    if is_placeholder(value) or is_identifier(value):
        return False
    letters = any(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    mixed = any(char.islower() for char in value) and any(char.isupper() for char in value)
    if not letters or not (digits or (mixed and len(value) >= 20)):
        return False
    return entropy(value) >= floor


def is_identifier(value: str) -> bool:
    """Tell whether a value is made of words: ``db-credentials-v2``, ``config.secret``, ``/run/secrets/db``, ``MAX_TOKENS``."""
    parts = _parts(value)
    if len(parts) == 1:
        return parts[0].isalpha() and (not _is_mixed(parts[0]) or len(parts[0]) < 20)
    return all(_is_wordlike(part) for part in parts)


def _parts(value: str) -> list[str]:
    spaced = value
    for mark in "-_./:\\@,+":
        spaced = spaced.replace(mark, " ")
    return spaced.split() or [value]


def _is_mixed(part: str) -> bool:
    """``aXbqR`` is mixed, ``camelCase`` hardly: count the changes from small to capital."""
    changes = sum(left.islower() and right.isupper() for left, right in pairwise(part))
    return changes >= max(3, len(part) // 5)


def _is_wordlike(part: str) -> bool:
    if part.isdigit():
        return len(part) <= 8
    if part.isalpha():
        return not _is_mixed(part) or len(part) < 8
    stem = part.rstrip("0123456789")
    return (stem.isalpha() and len(part) - len(stem) <= 4 and len(stem) <= 14 and not _is_mixed(stem)) or len(part) <= 3


def is_password(value: str, *, ends: bool, quoted: bool) -> bool:
    """Tell whether the word after "the password is" is a password rather than a remark about one.

    ``ends``: nothing but punctuation follows in its sentence. ``quoted``: it stood in quotes.
    """
    core = value.strip(".,;:!?()[]\"'`“”‘’*…")
    if len(core) < 3 or is_placeholder(value) or is_placeholder(core) or core.lower() in _WORDS:
        return False
    if any(mark in core.rstrip("=") for mark in _CODE_MARKS) or _is_reference(core):
        return False
    inner = core[:-1]
    if any(char.isdigit() for char in core):
        return len(core) >= 4 and (not core.isdigit() or quoted or ends or len(core) >= 6)
    if any(not char.isalnum() and char not in "-_.'’/" for char in inner) or value.endswith(
        ("!!", "#", "$", "%", "&", "*")
    ):
        return True
    if any(char.isupper() for char in core[1:]) and not core.isupper():
        return not _is_camel(core) or quoted
    if not core.isascii() or (core.isupper() and "_" in core):
        return False
    return quoted or (
        ends and not core.lower().endswith(_ENDINGS) and core.replace("-", "").isalpha() and not core[0].isupper()
    )


def _is_camel(value: str) -> bool:
    """``dbPassword``, ``GitHub``: a name in code or a product's, not a password."""
    changes = sum(left.islower() and right.isupper() for left, right in pairwise(value))
    return value.isalpha() and changes <= 2


def _is_reference(value: str) -> bool:
    """A path, an address or a dotted name says where a secret is, not what it is."""
    if value.startswith(("/", "./", "../", "~/", "http:", "https:", "@", "#")):
        return True
    if "." in value and all(part.replace("_", "").isalpha() for part in value.split(".") if part):
        return True
    return value.count("/") >= 1 and all(_is_wordlike(part) for part in _parts(value))


def is_assigned_key(value: str) -> bool:
    """Tell whether what is assigned to a token or key is one: eight or more characters that look drawn by chance."""
    core = value.strip(".,;:!?()[]\"'`“”‘’*")
    if (
        len(core) < 8
        or core.lower() in _WORDS
        or any(mark in core.rstrip("=") for mark in _CODE_MARKS)
        or _is_reference(core)
    ):
        return False
    return looks_random(core, floor=2.0 if len(core) < 16 else 2.5)
