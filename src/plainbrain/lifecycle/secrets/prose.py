"""Secrets in sentences, in many languages: passwords, logins, keys, PINs, seed phrases, wireless networks.

Owns the patterns, as data; each names its judge. Must not know vendors' formats.
"""

from __future__ import annotations

from plainbrain.lifecycle.secrets.judges import (
    always,
    cjk_value,
    ends,
    grouped,
    key_value,
    login_pair,
    named_password,
    pair_value,
    password_value,
    phrase_value,
    pin_value,
    quoted,
    strong,
)
from plainbrain.lifecycle.secrets.rule import ContextRule, context_rule, either_of, shortest_of
from plainbrain.lifecycle.secrets.values import is_password
from plainbrain.lifecycle.secrets.words import (
    CJK_KEY_NOUNS,
    CJK_NOUNS,
    JOINERS,
    KEY_NOUNS,
    PASSWORD_NOUNS,
    PASSWORD_PHRASES,
    VENDORS,
)

_OPEN, _SHUT = "[\"'`“‘«„*_]{0,3}", "[\"'`”’»“*_]"
_PASSWORD = either_of([*PASSWORD_NOUNS, *PASSWORD_PHRASES])
_JOIN = either_of(JOINERS)
#: A value in quotes (with spaces) or bare; judged by group 1 or 2.
_FOR = r"(?:\s+(?:for|of|on|at|in|to|im|in der|für|vom|von|der|des|für das|pour|du|de|del|da|do|para|voor|van|till|per|la|le|el|al|от|для|від|до|на|в|к|у|з|из|od|dla|pro|för|til|ai|ile|için|of the)(?:\s+[^\s:=]+){1,6}?)?"
_PASSWORD_KEYWORDS = shortest_of((*PASSWORD_NOUNS, *PASSWORD_PHRASES))
_KEY_WORDS = tuple(word for word in KEY_NOUNS if word not in ("keys", "tokens", "secrets", "credentials", "api-key"))
PROSE_RULES: tuple[ContextRule, ...] = (
    context_rule(
        "password",
        rf"(?i)(?:^|[^A-Za-z0-9_])({_PASSWORD}){_SHUT}?{_FOR}(?:\s*[:=：]\s*|,?\s+(?:{_JOIN})\s*:?\s+)(?:still |now |just |simply |currently |really )?{_OPEN}([^\s\"'`“”«»„]{{3,100}})",
        _PASSWORD_KEYWORDS,
        password_value,
        2,
    ),
    context_rule(
        "password",
        rf"(?i)(?:^|[^A-Za-z0-9_])({_PASSWORD})\s+{_OPEN}([^\s\"'`“”«»„]{{4,100}})",
        _PASSWORD_KEYWORDS,
        lambda found, text: strong(found.value) and password_value(found, text),
        2,
    ),
    context_rule(
        "password",
        rf"(?:{either_of(CJK_NOUNS)})[^\n!-~]{{0,12}}?\s*(?:是|为|為|は|：|:|＝|=|는|은|هي|היא|है|คือ)?\s*{_OPEN}([!-~]{{4,64}})",
        CJK_NOUNS,
        cjk_value,
    ),
    context_rule(
        "password",
        rf"(?i)(?:^|\s){_OPEN}([^\s\"'`“”«»]{{4,64}}){_SHUT}?\s+(?:is|as|ist|es|est) (?:the|our|my|its|a|your|das|mein|la|le|mi|el) (?:[^\s,.;:!?()]+ ){{0,3}}?(?:{_PASSWORD})(?:[^A-Za-z]|$)",
        _PASSWORD_KEYWORDS,
        lambda found, text: strong(found.value) and is_password(found.value, ends=False, quoted=False),
    ),
    context_rule(
        "password",
        rf"(?i)(?:^|[^A-Za-z0-9_])({_PASSWORD})\b[^\n.]{{0,40}}?\s(?:from|von|de)\s+{_OPEN}[^\s\"'`]{{3,64}}{_SHUT}?\s+(?:to|auf|zu|à|a|para)\s+{_OPEN}([^\s\"'`“”«»„]{{3,100}})",
        _PASSWORD_KEYWORDS,
        password_value,
        2,
    ),
    context_rule(
        "password",
        rf"(?i)(?:^|[^A-Za-z0-9_])({_PASSWORD})\b[^\n.]{{0,40}}?\s(?:from|von|de)\s+{_OPEN}([^\s\"'`]{{3,64}}){_SHUT}?\s+(?:to|auf|zu|à|a|para)\s",
        _PASSWORD_KEYWORDS,
        lambda found, text: is_password(found.value, ends=False, quoted=False),
        2,
    ),
    context_rule(
        "login",
        r"(?i)\b(?:log ?[io]n|sign ?in|logged in|login|ssh(?: in)?|authenticate|connect|creds?|credentials?|account|zugangsdaten|anmelden|identifiants?|credenciales|credenciais|access|auth|basic auth)\b"
        r"[^\n/|]{0,50}?\b([\w.@+-]{2,40}) ?(?:/|\||:) ?[\"'`]?([^\s\"'`/]{3,64})",
        (
            "log",
            "sign",
            "ssh",
            "authenticate",
            "connect",
            "cred",
            "account",
            "zugangsdaten",
            "anmelden",
            "identifiant",
            "access",
        ),
        login_pair,
        2,
    ),
    context_rule(
        "login",
        r"(?i)\b(?:user|username|login|log ?in|sign ?in|as|account|benutzer|usuario|usuário|utilisateur)\s+[\"'`]?[\w.@+-]{2,40}[\"'`]?\s*(?:,|and|with|using|und|mit|et|y|e|con|com|avec)?\s+(?:the |el |le |la |o |a )?"
        rf"(?:{_PASSWORD}|pass|with|using|mit|con|com|avec)\s+[\"'`]?([^\s\"'`]{{4,64}})",
        (" with ", " using ", "pass", "pw", " mit ", " con ", " com ", " avec "),
        lambda found, text: strong(found.value) or (named_password(found, text) and pair_value(found, text)),
    ),
    context_rule(
        "key-in-prose",
        rf"(?i)(?:^|[^A-Za-z0-9])(?:{either_of(KEY_NOUNS)})(?:[^A-Za-z0-9][^\n]{{0,60}}?)?(?:[\s:=\"'`(“]|^)((?:0x)?[A-Za-z0-9][A-Za-z0-9+/_=.~-]{{15,250}})",
        _KEY_WORDS,
        key_value,
    ),
    context_rule(
        "key-in-prose",
        rf"(?:{either_of(CJK_KEY_NOUNS)})[^\nA-Za-z0-9]{{0,20}}([A-Za-z0-9][A-Za-z0-9+/_=.~-]{{15,250}})",
        CJK_KEY_NOUNS,
        key_value,
    ),
    context_rule(
        "key-of-vendor",
        rf"(?i)\b(?:{either_of(VENDORS)})\b[^\n]{{0,40}}?\b(?:auth|login|api|key|token|secret|credentials?|license)\b[^\n]{{0,40}}?[\s:=\"'`(]([A-Za-z0-9][A-Za-z0-9_-]{{19,200}})",
        ("auth", "login", "api", "key", "token", "secret", "credential", "license"),
        key_value,
    ),
    context_rule(
        "login",
        r"(?i)(?:^|[\s\"'`(])(admin|administrator|root|sa|postgres|pi|ubuntu|deploy|guest|support|operator|superuser|sysadmin|demo|service|backup)\s?[:/]\s?[\"'`]?([^\s\"'`/]{4,64})",
        (
            "admin",
            "root",
            "sa",
            "postgres",
            "pi",
            "ubuntu",
            "deploy",
            "guest",
            "support",
            "operator",
            "superuser",
            "demo",
            "service",
            "backup",
        ),
        lambda found, text: strong(found.value) and login_pair(found, text),
        2,
    ),
    context_rule("wifi", r"(?i)\bWIFI:[^\s]*?\bP:((?:\\.|[^;\s\\])+);", ("wifi:",), always),
    context_rule(
        "wifi",
        r"(?i)\b(?:code|key|clé|clave|código|chiave|kod|pass|codice) (?:du |de la |de l'|del |do |da |for the |for )?(?:guest )?(?:wi-?fi|wlan)\s*(?::|=|is|est|es|è|é)\s*[\"'`]?([^\s\"'`]{5,64})",
        ("wifi", "wi-fi", "wlan"),
        lambda found, text: is_password(found.value, ends=ends(found, text), quoted=quoted(found, text)),
    ),
    context_rule(
        "password",
        rf"(?i)(?:^|[^A-Za-z0-9_])(?:{_PASSWORD})(?:\s[^\s:=]{{1,20}}){{1,2}}\s?[:=]\s*{_OPEN}([^\s\"'`“”«»„]{{4,100}})",
        _PASSWORD_KEYWORDS,
        lambda found, text: (
            strong(found.value) and is_password(found.value, ends=ends(found, text), quoted=quoted(found, text))
        ),
    ),
    context_rule(
        "wifi",
        r"(?i)\b(?:wi-?fi|wlan|ssid|hotspot|network|wireless)\b[^\n.]{0,60}?(?:[,:(/|]| and| with| und| et)\s*(?:the )?(?:key|pass|pw|pwd|code|psk|password|passphrase|kennwort|schlüssel|clé|clave)\s*(?:is|:|=|ist|est|es)?\s*[\"'`]?([^\s\"'`]{5,64})",
        ("wifi", "wi-fi", "wlan", "ssid", "hotspot", "network", "wireless"),
        lambda found, text: is_password(found.value, ends=ends(found, text), quoted=quoted(found, text)),
    ),
    context_rule(
        "pin",
        r"(?i)\b(?:PIN|pin code|pincode|door code|gate code|alarm code|unlock code|security code|entry code|safe code|access code|lock code|passcode|CVV2?|CVC|combination|TAN)\b"
        r"(?:\s+(?:for|of|to|on|at|für|de|du|del)(?:\s+[^\s:=]+){1,5}?)?(?:\s*[:=#]\s*|\s+(?:is|are|ist|lautet|est|es|é|è|was|set to|changed to)\s+|\s+)[\"'`*#]{0,2}([*#]?\d{3,8}[*#]?|\d{1,2}-\d{1,2}-\d{1,2})\b",
        ("pin", " code", "cvv", "cvc", "passcode", "combination", "tan"),
        pin_value,
    ),
    context_rule(
        "seed-phrase",
        r"(?i)\b(?:seed|mnemonic|recovery phrase|recovery words|backup phrase|secret phrase|secret recovery|passphrase|pass phrase|wallet words|diceware|seed words)\b[^\n:=]{0,40}?(?::|=|\bis\b|\bare\b|\n)\s*[\"'`“]?((?:(?:\d{1,2}[.)] ?)?[a-z]{3,10}[ ,\n-]+){3,23}[a-z]{3,10})\b",
        (
            "seed",
            "mnemonic",
            "recovery",
            "backup phrase",
            "secret phrase",
            "passphrase",
            "pass phrase",
            "wallet",
            "diceware",
        ),
        phrase_value,
    ),
    context_rule(
        "app-password",
        r"(?i)\b(?:app[- ]?(?:specific )?password|app[- ]?passwort|application password|backup codes?|recovery codes?|recovery keys?|recovery-key|scratch codes?|2fa codes?|license key|licence key|product key|serial)\b[^\n]{0,50}?\b((?:[A-Za-z0-9]{4,8}[ -]){1,11}[A-Za-z0-9]{4,8})\b",
        ("password", "passwort", "code", "key", "serial"),
        lambda found, text: grouped(found.value),
    ),
)
