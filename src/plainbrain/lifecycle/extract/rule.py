"""What a row about English clauses is, how rows are made, and the words that they share.

Owns the form only. Each row says how a clause begins, what its groups are, how the memory reads, its kind and tags.
Must not know how clauses are cut.
"""

from __future__ import annotations

from plainbrain.model.kinds import FACT, PREFERENCE, PROCEDURE
from plainbrain.records import record

PHRASE, LIST, NAME, ROLE, PLACE, COMPANY = "phrase", "list", "name", "role", "place", "company"
#: I am; we are; what may stand between a subject and its verb; what a project is called.
I_AM = r"(?:i am|i'm|im)"
WE = r"(?:we are|we're)"
ADV = r"(?:also |now |currently |just |really |much |generally |usually |mostly |always |strongly |actually |still |recently |mainly |personally |all |only |definitely |absolutely )*"
PROJECT_NOUN = r"(?:it|this|everything|data|tests|infra|everything here|state|auth|logs|ci|frontend|backend|the whole thing|(?:the|our|my|this) (?:new |main |whole )?(?:[^\s,.;:!?()]+ )?(?:app|api|application|backend|back end|frontend|front end|site|website|service|server|client|project|codebase|product|system|platform|tool|bot|game|thing|stack|code|cli|library|worker|workers|pipeline|repo|dashboard|infra|database|data|services|tests))"
#: What a part of a project is called: "our database is …".
COMPONENT = (
    r"(?:primary |main |production |prod |preferred |default )?(?:database|db|data store|data warehouse|orm|backend|back end|back-end|frontend|front end|front-end|editor|ide|laptop|machine|computer|os|operating system|"
    r"package manager|ci|ci/cd|cd|queue|message queue|message broker|broker|cache|bundler|test runner|test framework|testing framework|shell|terminal|language|main language|programming language|framework|web framework|ui framework|"
    r"css framework|linter|formatter|cloud|cloud provider|hosting|host|build tool|build system|api|server|web server|infra|infrastructure|search engine|auth|monitoring|logging|runtime|version control|vcs|keyboard layout|keyboard|distro|browser|phone|issue tracker|tracker|state management|styling|api style|monorepo tool|container runtime|orchestrator|deploy target)"
)
#: Who works with the author: "our manager is …".
PERSON = (
    r"(?:(?:line |product |project |engineering |account |general |office )?managers?|boss|bosses|(?:team |tech |technical |project |design |engineering |product )?leads?|product owner|scrum master|"
    r"supervisor|mentor|founder|co-?founder|ceo|cto|cfo|coo|ciso|vp|pm|po|head of \w+|director|designer|architect|teammate|colleague|coworker|co-worker|intern|new hire|accountant|lawyer|recruiter|tester|translator|researcher)"
)


@record(frozen=True, slots=True)
class ExtractRule:
    """Hold one row: ``{0}`` in the template is the first group, the slot; ``{1}`` a second one.

    ``check`` is how the slot is read and what it has to look like; ``explicit`` is whether the user said it outright.
    """

    name: str
    pattern: str
    kind: str
    template: str
    tags: tuple[str, ...]
    check: str = PHRASE
    explicit: bool = True


def fact(name: str, pattern: str, template: str, *tags: str, check: str = PHRASE) -> ExtractRule:
    """Return a row for a fact; the pattern holds from the beginning of a clause, in any letter case."""
    return ExtractRule(name, "(?i)^" + pattern, FACT, template, tags, check)


def liking(name: str, pattern: str, template: str, *tags: str) -> ExtractRule:
    """Return a row for a preference."""
    return ExtractRule(name, "(?i)^" + pattern, PREFERENCE, template, (*tags, "style", "preferences"))


def habit(name: str, pattern: str, template: str = "Workflow: {0}") -> ExtractRule:
    """Return a row for a way of working."""
    return ExtractRule(name, "(?i)^" + pattern, PROCEDURE, template, ("workflow", "process"))


#: How patterns begin, and the letters that a clause then has to begin with. Compiling a pattern costs more than this look.
_BEGINNINGS = (
    (("(?i)^(?:(?:our|my|the|this|all", "(?i)^(?:our|my|the|this|all"), "omtahseib"),
    (("(?i)^((?:if|when",), "iwuaown"),
    (("(?i)^((?:every|each",), "eanb"),
    (("(?i)^(in (?:all",), "i"),
    (("(?i)^((?:give|show|tell|use",), "gstuacqewpiml r"),
    (("(?i)^(no [a-z]", "(?i)^no (", "(?i)^(no ", "(?i)^(?:no|zero)", "(?i)^not "), "nz"),
    (("(?i)^you(?:'re",), "y"),
    (("(?i)^as ", "(?i)^(?:assume|", "(?i)^(?:always)"), "a"),
    (("(?i)^((?:gdpr|hipaa",), "ghspicfdnwmalw"),
    (("(?i)^((?:snake|camel",), "sckptuln"),
    (("(?i)^((?:british|american",), "bauc"),
    (("(?i)^(we ", "(?i)^(?:with|we"), "w"),
    (("(?i)^((?:be|stay) ", "(?i)^((?:british"), "bsauc"),
    (("(?i)^(explain ", "(?i)^(prefer ", "(?i)^(use ", "(?i)^(first "), "epuf"),
    (("(?i)^i ", "(?i)^i(?:'ve)", f"(?i)^{I_AM} ", "(?i)^(?:i'm|i am|im)", "(?i)^(i "), "i"),
    (("(?i)^we ", "(?i)^we(", f"(?i)^{WE} ", "(?i)^(we ", "(?i)^((?:we(?:'re"), "wi"),
    (("(?i)^my ", "(?i)^(?:our|my)", "(?i)^(?:my|our)"), "mo"),
    (("(?i)^((?:i|we)", "(?i)^(?:i|we)", "(?i)^(?:i'd|we'd)"), "iw"),
)


def may_begin(pattern: str, text: str) -> bool:
    """Tell, by the first letter alone, whether a pattern is worth compiling for a clause."""
    for beginnings, letters in _BEGINNINGS:
        if pattern.startswith(beginnings):
            return text[:1].lower() in letters
    return True
