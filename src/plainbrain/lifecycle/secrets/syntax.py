"""Secrets in commands, addresses, headers and configuration, told by the syntax around them.

Owns the patterns, as data; each names its judge. Must not know vendors' formats.
"""

from __future__ import annotations

from plainbrain.lifecycle.secrets.judges import (
    always,
    command_password,
    flag_value,
    header_value,
    is_port,
    strong,
    url_password,
)
from plainbrain.lifecycle.secrets.rule import ContextRule, context_rule
from plainbrain.lifecycle.secrets.values import is_password

SYNTAX_RULES: tuple[ContextRule, ...] = (
    context_rule(
        "url-password",
        r"(?i)[a-z][a-z0-9+.-]{1,20}://([^\s:/@\"'<>]{0,80}):([^\s@\"'<>]{1,120}?)@[^\s@/]",
        ("://",),
        lambda found, text: (
            "/" not in found.value.split("?")[0][:1] and not is_port(found.value) and url_password(found, text)
        ),
        2,
    ),
    context_rule(
        "assignment",
        r"(?i)<(?:\w+:)?\w{0,30}(?:password|passwd|passphrase|secret|token|apikey|api-key|pwd)>\s*([^<>\s]{4,200})\s*</",
        ("</",),
        lambda found, text: is_password(found.value, ends=True, quoted=True),
    ),
    context_rule(
        "authorization",
        r"(?i)\b(?:bearer|basic|digest|apikey|authorization:? token|authorization:? key)[\s:=\"']+([A-Za-z0-9+/_=.~:-]{8,400})",
        ("bearer", "basic", "digest", "apikey", "authorization"),
        header_value,
    ),
    context_rule(
        "command-password",
        r"(?i)(?:--?(?:[a-z]+-)?(?:password|passwd|pass|pwd|passphrase|token|secret|api-?key|access-key|secret-key|auth|adminpass|storepass|keypass)[ =]|sshpass -p ?|/p:|net user \S+ |requirepass |-passin pass:|-passout pass:|pass:)"
        r"[\"']?([^\s\"'<>|]{4,100})",
        ("-p", "--", "/p:", "net user", "requirepass", "pass", "-auth"),
        flag_value,
    ),
    context_rule(
        "command-password",
        r"\b(?:curl|wget|http|https|xh|smbclient|ldapsearch|htpasswd|ncftp|lftp)\b[^\n|]{0,200}?\s(?:-u|--user|-U|-w|-b\w*|-a|-e)[ =]?[\"']?[^\s:\"'%]{0,60}?(?:[:%]| )[\"']?([^\s\"']{4,100})",
        ("curl", "wget", "http", "smbclient", "ldapsearch", "htpasswd", "ftp", "xh"),
        lambda found, text: (
            flag_value(found, text) and strong(found.value) and "://" not in found.value and found.value[:1] not in "/-"
        ),
    ),
    context_rule(
        "command-password",
        r"\b(?:mysql|mysqldump|mysqladmin|mariadb|mongo|mongosh|redis-cli|sqlcmd|docker login|podman login|az login|7z|zip|unrar|mosquitto_pub|mosquitto_sub|influx|rabbitmqctl|isql|bcp)\b[^\n|]{0,120}?\s-(?:p|a|P|pw)[ ]?[\"']?([^\s\"'<>-][^\s\"'<>|]{3,100})",
        (" -p", " -a", "-pw"),
        lambda found, text: flag_value(found, text) and command_password(found, text),
    ),
    context_rule(
        "command-password",
        r"(?i)\becho\s+-?e?n?\s*[\"']?([^\s\"'|$]{4,64})[\"']?\s*\|\s*(?:sudo -S|passwd|docker login|chpasswd|gh auth|gpg)",
        ("sudo -s", "passwd", "docker login", "chpasswd", "gh auth", "gpg"),
        flag_value,
    ),
    context_rule(
        "sql-password",
        r"(?i)\b(?:identified\s+(?:with \S+ )?by|with\s+(?:encrypted\s+)?password|set\s+password\s*=?|password\s*\()\s*[\"']([^\"'\n]{3,100})[\"']",
        ("identified", "password"),
        flag_value,
    ),
    context_rule("netrc", r"(?i)\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{3,})", ("machine",), always),
    context_rule(
        "pgpass",
        r"(?:^|\s)[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.*@-]+:([^\s:]{4,})",
        (":5432:", ":*:", ":543", ":330", ":6432:"),
        always,
    ),
)
